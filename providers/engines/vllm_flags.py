"""The long flags of the vLLM server, without dashes, by version: names and nothing else.

Read from the parsers of the published wheels of 0.11.0 and 0.33.0. A switch takes no value.
"""

from providers.engines.words import words

VALUES = words(
    """
    additional-config allowed-headers allowed-local-media-path allowed-media-domains allowed-methods
    allowed-origins api-key api-server-count block-size chat-template chat-template-content-format
    code-revision collect-detailed-traces compilation-config config config-format convert
    cpu-offload-gb data-parallel-address data-parallel-backend data-parallel-rank
    data-parallel-rpc-port data-parallel-size data-parallel-size-local data-parallel-start-rank
    dbo-decode-token-threshold dbo-prefill-token-threshold decode-context-parallel-size
    default-mm-loras distributed-executor-backend download-dir dtype eplb-config
    expert-placement-strategy generation-config gpu-memory-utilization h11-max-header-count
    h11-max-incomplete-event-size hf-config-path hf-overrides hf-token host ignore-patterns
    io-processor-plugin kv-cache-dtype kv-cache-memory-bytes kv-events-config kv-transfer-config
    limit-mm-per-prompt load-format log-config-file logits-processors logprobs-mode
    long-prefill-token-threshold lora-dtype lora-modules mamba-cache-dtype mamba-ssm-cache-dtype
    max-cpu-loras max-log-len max-logprobs max-lora-rank max-loras max-model-len
    max-num-batched-tokens max-num-seqs max-parallel-loading-workers media-io-kwargs middleware
    mm-encoder-tp-mode mm-processor-cache-gb mm-processor-cache-type mm-processor-kwargs
    mm-shm-cache-max-object-size-mb model model-impl model-loader-extra-config
    num-gpu-blocks-override otlp-traces-endpoint override-generation-config pipeline-parallel-size
    pooler-config port prefix-caching-hash-algo pt-load-map-location quantization reasoning-parser
    response-role revision root-path runner safetensors-load-strategy scheduler-cls
    scheduling-policy seed served-model-name show-hidden-metrics-for-version speculative-config
    ssl-ca-certs ssl-cert-reqs ssl-certfile ssl-keyfile structured-outputs-config
    tensor-parallel-size tokenizer tokenizer-mode tokenizer-revision tool-call-parser
    tool-parser-plugin tool-server uds uvicorn-log-level video-pruning-rate worker-cls
    worker-extension-cls
    """
)

VALUES_ONLY_OLD = words(
    """
    cuda-graph-sizes eplb-step-interval eplb-window-size guided-decoding-backend
    logits-processor-pattern lora-extra-vocab-size max-long-partial-prefills
    max-num-partial-prefills num-lookahead-slots num-redundant-experts override-attention-dtype
    override-pooler-config rope-scaling rope-theta swap-space task
    """
)

VALUES_ONLY_NEW = words(
    """
    all2all-backend anthropic-disabled-thinking-effort attention-backend attention-config
    aux-output-config cohere-format cp-kv-cache-interleave-size cpu-distributed-timeout-seconds
    cpu-offload-params cudagraph-capture-sizes custom-histogram-buckets
    data-parallel-supervisor-port dcp-comm-backend dcp-kv-cache-interleave-size
    default-chat-template-kwargs device-ids device-memory-utilization diffusion-config
    disable-access-log-for-endpoints distributed-timeout-seconds
    dp-supervisor-probe-failure-threshold dp-supervisor-probe-interval-s
    dp-supervisor-probe-timeout-s dp-sync-interval ec-manager-config ec-transfer-config
    elastic-ep-max-dp-size engram-config fault-tolerance-config fingerprint-mode fingerprint-value
    gdn-prefill-backend grpc-port ir-op-priority jit-monitor-mode kda-decode-backend
    kda-prefill-backend kernel-config kv-cache-dtype-skip-layers kv-cache-metrics-sample
    kv-offloading-backend kv-offloading-size linear-backend log-level logging-config
    lora-target-modules mamba-backend mamba-block-size mamba-cache-mode mamba-cache-philox-rounds
    mamba-ssu-algorithm master-addr master-port max-cudagraph-capture-size max-lora-cls-labels
    max-num-active-seqs max-num-queued-reqs max-num-queued-tokens max-num-scheduled-tokens
    mm-encoder-attn-backend mm-encoder-attn-dtype mm-encoder-fp8-scale-path
    mm-encoder-fp8-scale-save-margin mm-encoder-fp8-scale-save-path mm-hasher-algorithm
    mm-ipc-gpu-memory-gb mm-processor-device mm-tensor-ipc model-class-overrides moe-backend nnodes
    node-rank numa-bind-cpus numa-bind-nodes offload-backend offload-group-size offload-num-in-group
    offload-params offload-prefetch-step optimization-level per-request-spec-decode-metrics
    performance-mode prefill-context-parallel-size prefill-schedule-interval
    prefix-cache-retention-interval prefix-match-unit profiler-config quantization-config
    reasoning-config reasoning-effort-map reasoning-parser-plugin renderer-num-workers
    replayssm-buffer-len safetensors-prefetch-block-size safetensors-prefetch-num-threads
    shutdown-timeout sleep-mode-backend sleep-preserve-parameter-names sparse-indexer-topk-backend
    spec-method spec-model spec-tokens sse-keep-alive-interval ssl-ciphers stream-interval
    tool-strict-level ubatch-size video-pruning-method watchdog-config watermark watermark-config
    weight-transfer-config
    """
)

SWITCHES = words(
    """
    allow-credentials async-scheduling data-parallel-hybrid-lb disable-cascade-attn
    disable-chunked-mm-input disable-custom-all-reduce disable-fastapi-docs
    disable-hybrid-kv-cache-manager disable-log-requests disable-log-stats disable-sliding-window
    disable-uvicorn-access-log enable-auto-tool-choice enable-chunked-prefill enable-dbo enable-eplb
    enable-expert-parallel enable-force-include-usage enable-log-outputs enable-log-requests
    enable-lora enable-prefix-caching enable-prompt-embeds enable-prompt-tokens-details
    enable-request-id-headers enable-server-load-tracking enable-sleep-mode enable-ssl-refresh
    enable-tokenizer-info-endpoint enforce-eager exclude-tools-when-tool-choice-none
    fully-sharded-loras headless interleave-mm-strings kv-sharing-fast-prefill log-error-stack
    ray-workers-use-nsight return-tokens-as-token-ids skip-mm-profiling skip-tokenizer-init
    trust-remote-code trust-request-chat-template use-tqdm-on-load
    """
)

SWITCHES_ONLY_OLD = words(
    """
    calculate-kv-scales disable-frontend-multiprocessing disable-mm-preprocessor-cache
    enable-lora-bias enable-multimodal-encoder-data-parallel eplb-log-balancedness
    guided-decoding-disable-additional-properties guided-decoding-disable-any-whitespace
    guided-decoding-disable-fallback
    """
)

SWITCHES_ONLY_NEW = words(
    """
    aggregate-engine-logging allow-deprecated-quantization cohere-is-reasoning-model
    cudagraph-metrics data-parallel-external-lb data-parallel-multi-port-external-lb dcp-q-replicate
    disable-nccl-for-dp-synchronization enable-batch-sharded-sampling enable-cumem-allocator
    enable-elastic-ep enable-ep-weight-filter enable-fault-tolerance enable-flash-late-interaction
    enable-flashinfer-autotune enable-hc-sp enable-layerwise-nvtx-tracing enable-log-deltas
    enable-logging-iteration-details enable-mamba-cache-stochastic-rounding
    enable-mamba-shared-prefix-checkpoint enable-mfu-metrics enable-mixed-moe-lora-format
    enable-mm-embeds enable-moe-shared-loras enable-nccl-comm-suspend enable-offline-docs
    enable-per-request-metrics enable-return-routed-experts enable-scale-out enable-shm-tensor-arena
    enable-tower-connector-lora enable-trace-replay fail-on-environ-validation grpc
    jit-monitor-verbose kv-cache-metrics language-model-only long-prefill-token-threshold-adaptive
    mm-device-do-normalize mm-encoder-only monokernel numa-bind return-sampling-mask
    scheduler-reserve-full-isl sleep-mode-offload-cudagraph specialize-active-lora
    swa-bounded-replay tokens-only trust-request-mm-kwargs use-fp64-gumbel use-replayssm
    """
)

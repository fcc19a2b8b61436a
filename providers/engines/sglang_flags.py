"""The long flags of the SGLang server, without dashes, by version: names and nothing else.

Read from the parsers of the published wheels of 0.5.3 and 0.5.23. A switch takes no value.
"""

from providers.engines.words import words

VALUES = words(
    """
    api-key attention-backend base-gpu-id bucket-e2e-request-latency bucket-inter-token-latency
    bucket-time-to-first-token chat-template chunked-prefill-size completion-template config
    constrained-json-whitespace-pattern context-length cpu-offload-gb crash-dump-folder
    custom-weight-loader data-parallel-size debug-tensor-dump-input-file
    debug-tensor-dump-output-folder decode-attention-backend decode-log-interval deepep-config
    deepep-mode device disaggregation-bootstrap-port disaggregation-decode-polling-interval
    disaggregation-ib-device disaggregation-mode disaggregation-transfer-backend dist-init-addr
    dist-timeout download-dir dp-size dtype dynamic-batch-tokenizer-batch-size
    dynamic-batch-tokenizer-batch-timeout ep ep-dispatch-algorithm ep-num-redundant-experts ep-size
    eplb-algorithm eplb-min-rebalancing-utilization-threshold eplb-rebalance-layers-per-chunk
    eplb-rebalance-num-iterations expert-distribution-recorder-buffer-size
    expert-distribution-recorder-mode expert-parallel-size file-storage-path
    flashinfer-mxfp4-moe-precision gc-warning-threshold-secs generation-tokens-buckets gpu-id-step
    grammar-backend hicache-io-backend hicache-mem-layout hicache-ratio hicache-size
    hicache-storage-backend hicache-storage-backend-extra-config hicache-storage-prefetch-policy
    hicache-write-policy host init-expert-location json-model-override-args kv-cache-dtype
    kv-events-config load-balance-method load-format log-level log-level-http log-requests-level
    lora-backend lora-paths lora-target-modules mamba-ssm-dtype max-loaded-loras max-lora-chunk-size
    max-lora-rank max-loras-per-batch max-mamba-cache-size max-prefill-tokens max-queued-requests
    max-running-requests max-total-tokens mem-fraction-static mm-attention-backend model model-impl
    model-loader-extra-config model-path moe-a2a-backend moe-dense-tp-size moe-runner-backend
    nccl-init-addr nccl-port nnodes node-rank num-continuous-decode-steps num-reserved-decode-tokens
    numa-node offload-group-size offload-mode offload-num-in-group offload-prefetch-step page-size
    pipeline-parallel-size port pp-size preferred-sampling-params prefill-attention-backend
    priority-scheduling-preemption-threshold prompt-tokens-buckets quantization
    quantization-param-path radix-eviction-policy random-seed reasoning-parser
    remote-instance-weight-loader-seed-instance-ip
    remote-instance-weight-loader-seed-instance-service-port
    remote-instance-weight-loader-send-weights-group-ports revision sampling-backend
    schedule-conservativeness schedule-policy scheduler-recv-interval served-model-name sm-group-num
    speculative-accept-threshold-acc speculative-accept-threshold-single speculative-algorithm
    speculative-attention-mode speculative-draft-model speculative-draft-model-path
    speculative-draft-model-revision speculative-eagle-topk speculative-ngram-capacity
    speculative-ngram-match-type speculative-ngram-max-bfs-breadth speculative-ngram-min-bfs-breadth
    speculative-num-draft-tokens speculative-num-steps speculative-token-map stream-interval
    swa-full-tokens-ratio tbo-token-distribution-threshold tensor-parallel-size
    tokenizer-metrics-allowed-custom-labels tokenizer-metrics-custom-labels-header tokenizer-mode
    tokenizer-path tokenizer-worker-num tool-call-parser tool-server torch-compile-max-bs tp-size
    triton-attention-num-kv-splits triton-attention-split-tile-size warmups watchdog-timeout
    weight-version
    """
)

VALUES_ONLY_OLD = words(
    """
    cuda-graph-bs cuda-graph-max-bs debug-tensor-dump-inject disaggregation-decode-dp
    disaggregation-decode-tp disaggregation-prefill-pp ds-channel-config-path ds-heavy-channel-num
    ds-heavy-channel-type ds-heavy-token-num ds-sparse-decode-threshold enable-deepep-moe
    enable-ep-moe enable-flashinfer-cutedsl-moe enable-flashinfer-cutlass-moe
    enable-flashinfer-mxfp4-moe enable-flashinfer-trtllm-moe enable-triton-kernel-moe
    hybrid-kvcache-ratio load-watch-interval max-micro-batch-size nsa-decode nsa-prefill
    oltp-traces-endpoint speculative-ngram-branch-length speculative-ngram-max-match-window-size
    speculative-ngram-min-match-window-size torchao-config
    """
)

VALUES_ONLY_NEW = words(
    """
    admin-api-key allowed-media-domains asr-max-buffer-seconds asr-max-concurrent-sessions
    attention-context-parallel-size attention-data-parallel-size attn-cp-size attn-dp-size
    batch-notify-size bf16-gemm-backend boundary-reduction c128-page-size
    constrained-json-max-whitespace-cnt context-bucket cp-strategy cuda-graph-backend-decode
    cuda-graph-backend-prefill cuda-graph-bs-decode cuda-graph-bs-prefill cuda-graph-config
    cuda-graph-max-bs-decode cuda-graph-max-bs-prefill cuda-graph-max-seq-len-prefill
    cuda-graph-prefill-max-context dcp-comm-backend dcp-size debug-tensor-dump-layers
    decode-context-parallel-size decoupled-spec-bind-endpoint decoupled-spec-connect-endpoints
    decoupled-spec-rank decoupled-spec-role decrypted-config-file decrypted-draft-config-file
    deepep-dispatcher-output-dtype deepep-v2-mode default-chat-template-kwargs
    default-priority-value detokenizer-worker-num disaggregation-decode-allocation-policy
    disaggregation-decode-extra-slots disaggregation-decode-host-receive-threshold
    disaggregation-decode-retraction-backup dllm-algorithm dllm-algorithm-config dsa-decode-backend
    dsa-paged-mqa-logits-backend dsa-prefill-backend dsa-topk-backend dsa-triton-union
    dsv4-attn-backend dsv4-prefill-backend dwdp-size elastic-ep-backend elastic-ep-initial-size
    elastic-ep-join-mode elastic-ep-join-rank-offset elastic-ep-scale-timeout encoder-bootstrap-port
    encoder-register-urls encoder-transfer-backend encoder-urls engine-info-bootstrap-port
    expert-balancedness-report-mode export-metrics-to-file-dir extra-metric-labels fastapi-root-path
    flashinfer-a2a-dispatch-type flashinfer-allreduce-fusion-backend flashinfer-autotune-skip-ops
    flexkv-config-file forward-hooks forward-pass-metrics-ipc-name forward-pass-metrics-worker-id
    fp4-gemm-backend fp8-gemm-backend fuseep-mode gated-launch-port gc-threshold
    grpc-http-sidecar-port grpc-port grpc-response-timeout-secs hf-chat-template-name
    hicache-host-memory-fraction hicache-host-memory-mode
    hicache-storage-prefetch-retry-max-attempts hicache-storage-prefetch-retry-poll-interval
    hierarchical-sparse-attention-extra-config hisparse-config http2-initial-connection-window-size
    http2-max-concurrent-streams image-processor-backend int8-mamba-ckpt-size kt-cpuinfer
    kt-max-deferred-experts-per-token kt-method kt-num-gpu-experts kt-threadpool-count
    kt-weight-path kv-canary kv-canary-real-data kv-canary-sweep-interval limit-mm-data-per-request
    linear-attn-backend linear-attn-decode-backend linear-attn-prefill-backend
    linear-attn-verify-backend linear-replayssm-cache-len lmcache-config-file load-publish-endpoint
    load-snapshot-publish-interval log-requests-format log-requests-target lora-drain-wait-threshold
    lora-eviction-policy mamba-backend mamba-cache-philox-rounds mamba-full-memory-ratio
    mamba-max-states-per-path mamba-radix-cache-strategy mamba-track-interval max-ep-size
    media-url-max-file-size-mb min-free-slots-delay mm-feature-transport mm-global-cache-backend
    mm-io-worker-num mm-preprocess-cache-size-mb mm-process-config mm-processor-worker-num
    model-checksum model-config-parser modelexpress-config modelopt-checkpoint-restore-path
    modelopt-checkpoint-save-path modelopt-export-path modelopt-quant moe-data-parallel-size
    moe-dp-size monokernel-backend mooncake-ib-device msprobe-dump-config
    optimistic-prefill-attempts otlp-service-name otlp-traces-endpoint paged-experts-num-resident
    pdmux-config-path ple-offload-backend ple-offload-dir pp-async-batch-depth
    pp-max-micro-batch-size prefill-decode-interval prefill-decode-interval-min-bs
    prefill-delayer-forward-passes-buckets prefill-delayer-max-delay-ms
    prefill-delayer-max-delay-passes prefill-delayer-queue-min-ratio
    prefill-delayer-token-usage-low-watermark prefill-delayer-wait-seconds-buckets
    prefill-kv-cache-dequant-dtype prefill-max-requests qsa-indexer-dtype radix-cache-backend
    radix-eviction-policy-config remote-instance-weight-loader-backend retraction-policy
    return-aux-hidden-state-layer-ids return-hidden-states-mode rl-on-policy-target rl-quant-profile
    sampling-defaults sampling-mask-max-tokens shared-experts-tp-size sidecar sidecar-args
    smg-http-sidecar-port soft-watchdog-timeout spec-trace-dir speculative-adaptive-config
    speculative-dflash-block-size speculative-domino-candidate-pool-size
    speculative-draft-attention-backend speculative-draft-kv-cache-dtype
    speculative-draft-load-format speculative-draft-model-quantization speculative-draft-sink-size
    speculative-draft-window-size speculative-dsa-topk-backend speculative-dspark-block-size
    speculative-dspark-confidence-sts-path speculative-dspark-sps-table-path
    speculative-moe-a2a-backend speculative-moe-runner-backend
    speculative-ngram-external-corpus-max-tokens speculative-ngram-external-corpus-path
    speculative-ngram-external-sam-budget speculative-ngram-max-trie-depth ssl-ca-certs ssl-certfile
    ssl-keyfile ssl-keyfile-password startup-weight-load-mode swa-prefix-tails tokenizer-backend
    trace-modules unified-cache-external-linker-backend unified-cache-external-linker-config
    uno-lora-path uvicorn-access-log-exclude-prefixes watermark-config weight-cache-mode
    weight-cache-socket weight-cache-timeout weight-loader-prefetch-num-threads
    """
)

SWITCHES = words(
    """
    allow-auto-truncate delete-ckpt-after-loading disable-chunked-prefix-cache disable-cuda-graph
    disable-cuda-graph-padding disable-custom-all-reduce disable-fast-image-processor
    disable-flashinfer-cutlass-moe-fp4-allgather disable-hybrid-swa-memory
    disable-outlines-disk-cache disable-overlap-schedule disable-radix-cache
    disable-shared-experts-fusion disaggregation-decode-enable-offload-kvcache enable-cache-report
    enable-cudagraph-gc enable-custom-logit-processor enable-deterministic-inference
    enable-dp-attention enable-dp-lm-head enable-dynamic-batch-tokenizer enable-eplb
    enable-flashinfer-allreduce-fusion enable-fp32-lm-head enable-hierarchical-cache enable-lmcache
    enable-lora enable-memory-saver enable-metrics enable-metrics-for-all-schedulers
    enable-mixed-chunk enable-mscclpp enable-multimodal enable-nccl-nvls enable-p2p-check
    enable-pdmux enable-priority-scheduling enable-profile-cuda-graph
    enable-request-time-stats-logging enable-return-hidden-states enable-single-batch-overlap
    enable-symm-mem enable-tokenizer-batch-encode enable-torch-compile enable-torch-symm-mem
    enable-trace enable-two-batch-overlap enable-weights-cpu-backup flashinfer-mla-disable-ragged
    is-embedding log-requests schedule-low-priority-values-first show-time-cost skip-server-warmup
    skip-tokenizer-init sleep-on-idle triton-attention-reduce-in-fp32 trust-remote-code
    weight-loader-disable-mmap
    """
)

SWITCHES_ONLY_OLD = words(
    """
    collect-tokens-histogram debug-tensor-dump-prefill-only enable-double-sparsity
    enable-expert-distribution-metrics enable-nan-detection keep-mm-feature-on-device
    prefill-round-robin-balance stream-output
    """
)

SWITCHES_ONLY_NEW = words(
    """
    abort-on-priority-when-disabled checkpoint-engine-wait-weights-before-ready
    constrained-json-disable-any-whitespace dcp-replicate-q-proj debug-cuda-graph
    disable-aiter-allreduce-fusion-in-decode disable-aiter-allreduce-fusion-in-prefill
    disable-attn-tp-gather disable-decode-cuda-graph disable-flashinfer-autotune
    disable-prefill-cuda-graph disable-priority-preemption disable-tokenizer-batch-decode
    disaggregation-decode-enable-radix-cache disaggregation-enable-kv-checksum dllm-fdfo
    enable-adaptive-dispatch-to-encoder enable-aiter-allreduce-fusion enable-amd-monokernel
    enable-attn-tp-input-scattered enable-broadcast-mm-inputs-process enable-cp-decode-attn-tp
    enable-decoder-swa-bounded-replay enable-deepseek-v4-fp4-indexer enable-dense-mlp-attn-tp
    enable-dp-attention-local-control-broadcast enable-draft-weights-cpu-backup
    enable-dsa-cache-layer-split enable-dsa-fused-indexer enable-dynamic-chunking
    enable-elastic-expert-backup enable-encoder-swa-bounded-replay enable-flexkv
    enable-forward-pass-metrics enable-fused-moe-sum-all-reduce enable-fused-qk-norm-rope
    enable-hicache enable-hisparse enable-http-worker-reuseport enable-http2
    enable-int8-mamba-checkpoint enable-kv-cache-sharding enable-layernorm-sp
    enable-layerwise-nvtx-marker enable-lean-attention enable-linear-replayssm
    enable-linear-replayssm-spec enable-linker-mla-dedup enable-lora-overlap-loading
    enable-mamba-cache-stochastic-rounding enable-megamoe-for-layernorm-sp enable-mfu-metrics
    enable-mis enable-mm-global-cache enable-multi-layer-eagle enable-nvidia-megakernel
    enable-page-major-kv-layout enable-paged-experts enable-pd-role-switch
    enable-precise-embedding-interpolation enable-prefill-cp enable-prefill-delayer
    enable-prefix-mm-cache enable-quant-communications enable-response-store
    enable-return-aux-hidden-states enable-return-indexer-topk enable-return-routed-experts
    enable-scattered-sconv enable-session-radix-cache enable-shared-experts-attn-tp
    enable-ssl-refresh enable-streaming-session enable-strict-thinking enable-tf32-matmul
    enable-torch-compile-debug-mode enable-tp-lm-head-all-to-all
    enable-unified-cache-external-linker enable-unified-memory enable-w4a4-mxfp4-megamoe
    enable-waterfill enable-watermark encoder-only enforce-disable-flashinfer-allreduce-fusion
    enforce-shared-experts-fusion experts-shared-outer-loras export-metrics-to-file grpc-mode
    incremental-streaming-output language-model-only language-only lora-strict-loading
    lora-use-virtual-experts mlx-enable-sampling mm-enable-dp-encoder ple-offload-embedding
    pre-warm-nccl prefill-only-disable-kv-cache quantize-and-serve
    remote-instance-weight-loader-start-seed-via-transfer-engine return-input-ids return-output-ids
    smg-grpc-mode speculative-adaptive speculative-dspark-align-verify-tokens-to-graph-tier
    speculative-enable-w4a4-mxfp4-megamoe speculative-use-block-verification
    speculative-use-rejection-sampling stream-response-default-include-usage strip-thinking-cache
    trust-mm-content-hashes trust-request-chat-template use-ray weight-loader-drop-cache-after-load
    weight-loader-prefetch-checkpoints
    """
)

"""The long flags of the llama.cpp server, without dashes: names and nothing else.

Read from what build b10434 prints for --help. A switch takes no value; a pair has a --no- form too.
"""

from providers.engines.words import words

VALUES = words(
    """
    adaptive-decay adaptive-target alias api-key api-key-file api-prefix batch-size cache-ram
    cache-reuse cache-type-k cache-type-k-draft cache-type-v cache-type-v-draft chat-template
    chat-template-file chat-template-kwargs checkpoint-min-step control-vector
    control-vector-layer-range control-vector-scaled cors-headers cors-methods cors-origins cpu-mask
    cpu-mask-batch cpu-mask-batch-draft cpu-mask-draft cpu-range cpu-range-batch cpu-range-draft
    cpu-strict cpu-strict-batch cpu-strict-batch-draft cpu-strict-draft ctx-checkpoints ctx-size
    defrag-thold device device-draft docker-repo draft-p-min draft-p-split dry-allowed-length
    dry-base dry-multiplier dry-penalty-last-n dry-sequence-breaker dynatemp-exp dynatemp-range
    embd-normalize fit fit-ctx fit-target flash-attn frequency-penalty gpu-layers gpu-layers-draft
    grammar grammar-file hf-file hf-repo hf-repo-draft hf-token host image-max-tokens
    image-min-tokens json-schema json-schema-file keep load-mode log-colors log-file log-prompts-dir
    log-verbosity logit-bias lookup-cache-dynamic lookup-cache-static lora lora-scaled main-gpu
    mcp-servers-config mcp-servers-json media-path min-p mirostat mirostat-ent mirostat-lr mmproj
    mmproj-url model model-draft model-url models-dir models-max models-preset mtmd-batch-max-tokens
    n-cpu-moe n-cpu-moe-draft n-gpu-layers n-gpu-layers-draft n-predict numa override-kv
    override-tensor override-tensor-draft parallel path poll poll-batch poll-batch-draft poll-draft
    pooling port predict presence-penalty prio prio-batch prio-batch-draft prio-draft reasoning
    reasoning-budget reasoning-budget-message reasoning-effort reasoning-format repeat-last-n
    repeat-penalty reverse-prompt rope-freq-base rope-freq-scale rope-scale rope-scaling rpc
    sampler-seq samplers sampling-seq seed sleep-idle-seconds slot-prompt-similarity slot-save-path
    spec-draft-cpu-mask spec-draft-cpu-mask-batch spec-draft-cpu-range spec-draft-cpu-strict
    spec-draft-cpu-strict-batch spec-draft-device spec-draft-hf spec-draft-model
    spec-draft-n-cpu-moe spec-draft-n-max spec-draft-n-min spec-draft-ncmoe spec-draft-ngl
    spec-draft-override-tensor spec-draft-p-min spec-draft-p-split spec-draft-poll
    spec-draft-poll-batch spec-draft-prio spec-draft-prio-batch spec-draft-threads
    spec-draft-threads-batch spec-draft-type-k spec-draft-type-v spec-ngram-map-k-min-hits
    spec-ngram-map-k-size-m spec-ngram-map-k-size-n spec-ngram-map-k4v-size-m
    spec-ngram-map-k4v-size-n spec-ngram-mod-n-match spec-ngram-mod-n-max spec-ngram-mod-n-min
    spec-ngram-simple-min-hits spec-ngram-simple-size-m spec-ngram-simple-size-n spec-type
    split-mode sse-ping-interval ssl-cert-file ssl-key-file swa-checkpoints tags temp temperature
    tensor-split threads threads-batch threads-batch-draft threads-draft threads-http timeout tools
    tools-runtime top-k top-n-sigma top-nsigma top-p typical typical-p ubatch-size ui-config
    ui-config-file verbosity webui-config webui-config-file xtc-probability xtc-threshold
    yarn-attn-factor yarn-beta-fast yarn-beta-slow yarn-ext-factor yarn-orig-ctx
    """
)

PAIRS = words(
    """
    agent cache-idle-slots cache-prompt cont-batching context-shift cors-credentials direct-io
    escape jinja kv-offload kv-unified log-prefix log-timestamps mmap mmproj-auto mmproj-offload
    models-autoload op-offload perf prefill-assistant reasoning-preserve repack skip-chat-parsing
    slots spec-draft-backend-sampling ui ui-mcp-proxy warmup webui webui-mcp-proxy
    """
)

SWITCHES = words(
    """
    backend-sampling cache-list check-tensors completion-bash cpu-moe cpu-moe-draft
    embd-gemma-default embedding embeddings fim-qwen-1.5b-default fim-qwen-14b-spec
    fim-qwen-30b-default fim-qwen-3b-default fim-qwen-7b-default fim-qwen-7b-spec
    gpt-oss-120b-default gpt-oss-20b-default help ignore-eos list-devices log-disable log-verbose
    lora-init-without-apply metrics mlock no-host offline props rerank reranking reuse-port
    spec-default spec-draft-cpu-moe special spm-infill swa-full usage verbose version
    vision-gemma-12b-default vision-gemma-4b-default
    """
)

REMOVED = words(
    """
    draft draft-max draft-min draft-n draft-n-min spec-ngram-min-hits spec-ngram-size-m
    spec-ngram-size-n
    """
)

SHORTS = {
    "-C": "cpu-mask",
    "-Cb": "cpu-mask-batch",
    "-Cbd": "cpu-mask-batch-draft",
    "-Cd": "cpu-mask-draft",
    "-Cr": "cpu-range",
    "-Crb": "cpu-range-batch",
    "-Crd": "cpu-range-draft",
    "-a": "alias",
    "-ag": "agent",
    "-b": "batch-size",
    "-bs": "backend-sampling",
    "-c": "ctx-size",
    "-cb": "cont-batching",
    "-cl": "cache-list",
    "-cmoe": "cpu-moe",
    "-cmoed": "cpu-moe-draft",
    "-cms": "checkpoint-min-step",
    "-cram": "cache-ram",
    "-ctk": "cache-type-k",
    "-ctkd": "cache-type-k-draft",
    "-ctv": "cache-type-v",
    "-ctvd": "cache-type-v-draft",
    "-ctxcp": "swa-checkpoints",
    "-dev": "device",
    "-devd": "device-draft",
    "-dio": "direct-io",
    "-dr": "docker-repo",
    "-dt": "defrag-thold",
    "-e": "escape",
    "-fa": "flash-attn",
    "-fit": "fit",
    "-fitc": "fit-ctx",
    "-fitt": "fit-target",
    "-h": "usage",
    "-hf": "hf-repo",
    "-hfd": "hf-repo-draft",
    "-hff": "hf-file",
    "-hfr": "hf-repo",
    "-hfrd": "hf-repo-draft",
    "-hft": "hf-token",
    "-j": "json-schema",
    "-jf": "json-schema-file",
    "-kvo": "kv-offload",
    "-kvu": "kv-unified",
    "-l": "logit-bias",
    "-lcd": "lookup-cache-dynamic",
    "-lcs": "lookup-cache-static",
    "-lm": "load-mode",
    "-lv": "log-verbosity",
    "-m": "model",
    "-md": "model-draft",
    "-mg": "main-gpu",
    "-mm": "mmproj",
    "-mmu": "mmproj-url",
    "-mu": "model-url",
    "-n": "n-predict",
    "-ncmoe": "n-cpu-moe",
    "-ncmoed": "n-cpu-moe-draft",
    "-ndio": "direct-io",
    "-ngl": "n-gpu-layers",
    "-ngld": "n-gpu-layers-draft",
    "-nkvo": "kv-offload",
    "-no-ag": "no-agent",
    "-no-kvu": "no-kv-unified",
    "-nocb": "no-cont-batching",
    "-np": "parallel",
    "-nr": "repack",
    "-ot": "override-tensor",
    "-otd": "override-tensor-draft",
    "-r": "reverse-prompt",
    "-rea": "reasoning",
    "-s": "seed",
    "-sm": "split-mode",
    "-sp": "special",
    "-sps": "slot-prompt-similarity",
    "-t": "threads",
    "-tb": "threads-batch",
    "-tbd": "threads-batch-draft",
    "-td": "threads-draft",
    "-to": "timeout",
    "-ts": "tensor-split",
    "-ub": "ubatch-size",
    "-v": "log-verbose",
}

"""vLLM by version: what its server takes, in 0.11.0, 0.11.1 and 0.33.0.

Facts as read and tried on the published wheels; no rule stands here.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from providers.engines import vllm_flags as flags
from providers.engines.dialect import Dialect
from providers.engines.words import words


@dataclass(frozen=True, kw_only=True, slots=True)
class VllmDialect(Dialect):
    """What only vLLM has: a length of auto or -1 fits the memory (`fits_length`), ranks that
    prefill in parallel multiply (`spreads_prefill`), compilation takes mode, not level.
    """

    spans_nodes: bool
    reads_ready_timeout: bool
    fits_length: bool
    compiles_by_mode: bool
    spreads_prefill: bool


# Flags whose False has no `--no-` form: leaving them out is their False.
_ONE_WAY = words(
    """
    aggregate-engine-logging data-parallel-multi-port-external-lb disable-log-stats
    disable-mm-preprocessor-cache enable-multimodal-encoder-data-parallel grpc headless
    """
)

RUNS_CODE = words("code-revision reasoning-parser-plugin tool-parser-plugin trust-remote-code")

JSON_FLAGS = words(
    """
    default-chat-template-kwargs hf-overrides kv-transfer-config limit-mm-per-prompt
    model-loader-extra-config override-generation-config speculative-config
    structured-outputs-config
    """
)

JSON_LISTS = words("allowed-headers allowed-methods allowed-origins")

# Weights that are not quantized yet can only take these; the others describe a checkpoint.
QUANTIZES_AT_LOAD = words(
    """
    bitsandbytes experts_int8 fp8 fp8_per_block fp8_per_channel fp8_per_tensor
    int8_per_channel_weight_only mxfp4 mxfp8 nvfp4_per_token online
    """
)

NEEDS_DEPRECATED_SWITCH = words("fbgemm_fp8 fp_quant")

_WEIGHTS_0_11 = words(
    """
    auto-round awq awq_marlin bitblas bitsandbytes compressed-tensors deepspeedfp experts_int8
    fbgemm_fp8 fp8 gguf gptq gptq_bitblas gptq_marlin gptq_marlin_24 hqq inc ipex modelopt
    modelopt_fp4 moe_wna16 mxfp4 petit_nvfp4 ptpc_fp8 quark rtn torchao tpu_int8
    """
)

_WEIGHTS_0_33 = words(
    """
    auto_awq auto_gptq awq awq_marlin compressed-tensors deepseek_v4_fp8 experts_int8 fbgemm_fp8
    fp8 fp8_per_block fp8_per_channel fp8_per_tensor fp_quant gpt_oss_mxfp4 gptq gptq_marlin
    humming inc int8_per_channel_weight_only modelopt modelopt_fp4 modelopt_mixed modelopt_mxfp8
    moe_wna16 mxfp4 mxfp8 nvfp4_per_token online quark torchao
    """
)

_KV_0_11 = words("auto bfloat16 fp8 fp8_e4m3 fp8_e5m2 fp8_inc")

_KV_0_33 = _KV_0_11 | words(
    """
    float16 fp8_ds_mla fp8_per_token_head int4_per_token_head int8_per_token_head nvfp4
    nvfp4_4over6 nvfp4_ds_mla octave_k3v3 octave_k3v3_compact octave_k3v4 turboquant_3bit_nc
    turboquant_4bit_nc turboquant_k3v4_nc turboquant_k8v4 ultraquant_4bit
    """
)

_INTEGERS = words(
    """
    api-server-count kv-cache-memory-bytes long-prefill-token-threshold max-cpu-loras
    max-cudagraph-capture-size max-logprobs max-loras max-model-len max-num-active-seqs
    max-num-batched-tokens max-num-queued-reqs max-num-queued-tokens max-num-scheduled-tokens
    max-num-seqs num-gpu-blocks-override num-lookahead-slots prefill-context-parallel-size seed
    shutdown-timeout stream-interval ubatch-size
    """
)

_SHORTS = {
    "-q": "quantization",
    "-tp": "tensor-parallel-size",
    "-pp": "pipeline-parallel-size",
    "-dp": "data-parallel-size",
    "-dpa": "data-parallel-address",
    "-dpb": "data-parallel-backend",
    "-dpe": "data-parallel-external-lb",
    "-dph": "data-parallel-hybrid-lb",
    "-dpl": "data-parallel-size-local",
    "-dpn": "data-parallel-rank",
    "-dpp": "data-parallel-rpc-port",
    "-dpr": "data-parallel-start-rank",
    "-dcp": "decode-context-parallel-size",
    "-pcp": "prefill-context-parallel-size",
    "-ep": "enable-expert-parallel",
    "-n": "nnodes",
    "-r": "node-rank",
    "-asc": "api-server-count",
    "-cc": "compilation-config",
    "-ac": "attention-config",
    "-sc": "speculative-config",
    "-O": "compilation-config",
}

_NODE_FLAGS = words("master-addr master-port nnodes node-rank")

_GONE_BEFORE_0_11 = {
    "device": "",
    "enable-reasoning": "reasoning_parser alone",
    "max-seq-len-to-capture": "",
    "num-scheduler-steps": "",
    "speculative-model": "speculative_config.model",
    "use-v2-block-manager": "",
}

_AFTER_0_11 = {
    **dict.fromkeys(flags.VALUES_ONLY_NEW | flags.SWITCHES_ONLY_NEW, ""),
    "attention-backend": "VLLM_ATTENTION_BACKEND into spec.engine.env",
    "cudagraph-capture-sizes": "cuda_graph_sizes",
}

_GONE_BEFORE_0_33 = {
    **dict.fromkeys(flags.VALUES_ONLY_OLD | flags.SWITCHES_ONLY_OLD, ""),
    "cuda-graph-sizes": "cudagraph_capture_sizes",
    "disable-mm-preprocessor-cache": "mm_processor_cache_gb: 0",
    "enable-multimodal-encoder-data-parallel": "mm_encoder_tp_mode: data",
    "eplb-log-balancedness": "eplb_config",
    "eplb-step-interval": "eplb_config",
    "eplb-window-size": "eplb_config",
    "guided-decoding-backend": "structured_outputs_config",
    "guided-decoding-disable-additional-properties": "structured_outputs_config",
    "guided-decoding-disable-any-whitespace": "structured_outputs_config",
    "guided-decoding-disable-fallback": "structured_outputs_config",
    "num-redundant-experts": "eplb_config",
    "override-pooler-config": "pooler_config",
    "rope-scaling": "hf_overrides",
    "rope-theta": "hf_overrides",
    "task": "runner: pooling, with convert: embed for embeddings,",
}

_LORA_RANKS = words("8 16 32 64 128 256 320 512")
_OLD_CHOICES: Mapping[str, frozenset[str]] = {
    "block-size": words("1 8 16 32 64 128"),
    "convert": words("auto none embed classify reward"),
    "max-lora-rank": _LORA_RANKS,
}
_NEW_CHOICES: Mapping[str, frozenset[str]] = {
    "convert": words("auto none embed classify"),
    "max-model-len": words("auto"),
    "max-lora-rank": _LORA_RANKS | {"1"},
}
_OLD_SWITCHES = flags.SWITCHES | flags.SWITCHES_ONLY_OLD
_NEW_SWITCHES = flags.SWITCHES | flags.SWITCHES_ONLY_NEW


def _old(*, version: str, extra: frozenset[str], reads_s3: bool) -> VllmDialect:
    return VllmDialect(
        engine="vLLM",
        version=version,
        values=flags.VALUES | flags.VALUES_ONLY_OLD | extra,
        switches=_OLD_SWITCHES,
        negatable=_OLD_SWITCHES - _ONE_WAY,
        gone=_GONE_BEFORE_0_11,
        later={flag: instead for flag, instead in _AFTER_0_11.items() if flag not in extra},
        choices=_OLD_CHOICES,
        integers=_INTEGERS,
        weights=_WEIGHTS_0_11,
        kv_caches=_KV_0_11,
        shorts=_SHORTS,
        runs_code=RUNS_CODE,
        folds_weight_names=True,
        reads_s3=reads_s3,
        spans_nodes=bool(extra),
        reads_ready_timeout=bool(extra),
        fits_length=False,
        compiles_by_mode=False,
        spreads_prefill=False,
    )


V0_11_0 = _old(version="0.11.0", extra=frozenset(), reads_s3=False)
V0_11_1 = _old(version="0.11.1", extra=_NODE_FLAGS, reads_s3=True)
V0_33_0 = VllmDialect(
    engine="vLLM",
    version="0.33.0",
    values=flags.VALUES | flags.VALUES_ONLY_NEW,
    switches=_NEW_SWITCHES,
    negatable=_NEW_SWITCHES - _ONE_WAY,
    gone={**_GONE_BEFORE_0_11, **_GONE_BEFORE_0_33},
    choices=_NEW_CHOICES,
    integers=_INTEGERS | {"block-size"},
    weights=_WEIGHTS_0_33,
    kv_caches=_KV_0_33,
    shorts=_SHORTS,
    runs_code=RUNS_CODE,
    folds_weight_names=True,
    spans_nodes=True,
    reads_ready_timeout=True,
    fits_length=True,
    compiles_by_mode=True,
    spreads_prefill=True,
)
DIALECTS = (V0_11_0, V0_11_1, V0_33_0)

"""SGLang by version: what its server takes, in 0.5.3 and 0.5.23, and how it says vLLM's words.

Facts as read and tried on the published wheels; no rule stands here.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from providers.engines import sglang_flags as flags
from providers.engines.dialect import Dialect
from providers.engines.words import words


@dataclass(frozen=True, kw_only=True, slots=True)
class SglangDialect(Dialect):
    """What only SGLang has: flags for things that were renamed, empty where it has none.

    `eager` is what switches the graphs off; `names_forbid` are characters of a serving name.
    """

    eager: tuple[str, ...]
    attention_dp: str
    context_parallel: str
    sequence_parallel: str
    names_forbid: str
    parsers_unknown: frozenset[str]


# vLLM's word -> SGLang's flag, where the value means the same.
RENAMED: Mapping[str, str] = {
    "block-size": "page-size",
    "hf-overrides": "json-model-override-args",
    "max-loras": "max-loras-per-batch",
    "max-model-len": "context-length",
    "max-num-seqs": "max-running-requests",
    "seed": "random-seed",
}

# vLLM's word -> SGLang's flag, and how far they differ.
NEARLY: Mapping[str, tuple[str, str]] = {
    "gpu-memory-utilization": (
        "mem-fraction-static",
        (
            "becomes --mem-fraction-static, which covers weights and cache only: activations and "
            "graphs come on top. Leave it out, and SGLang works it out"
        ),
    ),
    "max-num-batched-tokens": (
        "chunked-prefill-size",
        "becomes --chunked-prefill-size, the chunk of one prefill: near, but not the same",
    ),
}

# vLLM's word -> value -> what SGLang is told; no token where the value is what it does anyway.
BY_VALUE: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "enable-prefix-caching": {"true": (), "false": ("--disable-radix-cache",)},
    "enable-chunked-prefill": {"true": (), "false": ("--chunked-prefill-size=-1",)},
    "enable-auto-tool-choice": {"false": ()},
    "disable-log-requests": {"true": ()},
    "enable-log-requests": {"false": (), "true": ("--log-requests",)},
    "enforce-eager": {"false": ()},
    "swap-space": {"0": (), "0.0": ()},
    "distributed-executor-backend": {"mp": ()},
    "uvicorn-log-level": {"info": ()},
}

# vLLM's word -> what to do instead, for those that have no counterpart.
ADVICE: Mapping[str, str] = {
    "enable-auto-tool-choice": "name a tool_call_parser, which switches tool calls on",
    "disable-log-requests": "write log_requests: true to have them logged",
    "uvicorn-log-level": "write log_level",
}

RUNS_CODE = words("custom-weight-loader enable-custom-logit-processor trust-remote-code")

_WEIGHTS = words(
    """
    awq awq_marlin bitsandbytes fp8 gguf gptq gptq_marlin modelopt modelopt_fp4 moe_wna16 mxfp4
    petit_nvfp4 w4afp8 w8a8_fp8 w8a8_int8
    """
)

_NEW_WEIGHTS = words(
    """
    auto-round auto-round-int8 compressed-tensors humming mlx_q4 mlx_q8 modelopt_fp8
    modelopt_mixed modelslim mxfp8 mxfp_w4a8 nvfp4_online quark quark_int4fp8_moe quark_mxfp4
    unquant
    """
)

_KV = words("auto fp8_e4m3 fp8_e5m2")

_CHOICES = {"dtype": words("auto half float16 bfloat16 float float32")}

_INTEGERS = words(
    """
    attn-cp-size chunked-prefill-size context-length max-loaded-loras max-lora-rank
    max-loras-per-batch max-prefill-tokens max-queued-requests max-running-requests
    max-total-tokens moe-dp-size page-size random-seed stream-interval watchdog-timeout
    """
)

_OLD_SWITCHES = flags.SWITCHES | flags.SWITCHES_ONLY_OLD
_NEW_SWITCHES = flags.SWITCHES | flags.SWITCHES_ONLY_NEW

_NEGATABLE_NEW = words(
    """
    dcp-replicate-q-proj dllm-fdfo enable-decoder-swa-bounded-replay enable-dsa-fused-indexer
    enable-fused-qk-norm-rope enable-tf32-matmul enable-tp-lm-head-all-to-all
    experts-shared-outer-loras lora-strict-loading mm-enable-dp-encoder ple-offload-embedding
    speculative-enable-w4a4-mxfp4-megamoe
    """
)

_GONE_BEFORE_0_5_23 = {
    **dict.fromkeys(flags.VALUES_ONLY_OLD | flags.SWITCHES_ONLY_OLD, ""),
    "cuda-graph-bs": "cuda_graph_bs_decode or cuda_graph_bs_prefill",
    "cuda-graph-max-bs": "cuda_graph_max_bs_decode or cuda_graph_max_bs_prefill",
    "enable-deepep-moe": "moe_a2a_backend: deepep",
    "enable-ep-moe": "spec.parallelism.ep",
    "max-micro-batch-size": "pp_max_micro_batch_size",
    "oltp-traces-endpoint": "otlp_traces_endpoint",
}

_AFTER_0_5_3 = dict.fromkeys(flags.VALUES_ONLY_NEW | flags.SWITCHES_ONLY_NEW, "")

V0_5_3 = SglangDialect(
    engine="SGLang",
    version="0.5.3",
    values=flags.VALUES | flags.VALUES_ONLY_OLD,
    switches=_OLD_SWITCHES,
    later={
        **_AFTER_0_5_3,
        "cuda-graph-max-bs-decode": "cuda_graph_max_bs",
        "otlp-traces-endpoint": "oltp_traces_endpoint",
    },
    choices=_CHOICES,
    integers=_INTEGERS,
    weights=_WEIGHTS | words("marlin qoq"),
    kv_caches=_KV,
    runs_code=RUNS_CODE,
    takes_underscores=False,
    reads_s3=False,
    eager=("--disable-cuda-graph",),
    attention_dp="",
    context_parallel="",
    sequence_parallel="",
    names_forbid="",
    parsers_unknown=words("auto hermes qwen"),
)

V0_5_23 = SglangDialect(
    engine="SGLang",
    version="0.5.23",
    values=flags.VALUES | flags.VALUES_ONLY_NEW,
    switches=_NEW_SWITCHES,
    negatable=_NEGATABLE_NEW,
    gone=_GONE_BEFORE_0_5_23,
    choices=_CHOICES,
    integers=_INTEGERS,
    weights=_WEIGHTS | _NEW_WEIGHTS,
    kv_caches=_KV | words("bf16 bfloat16 fp4_mx_block16 mxfp8 nvfp4"),
    runs_code=RUNS_CODE,
    takes_underscores=False,
    eager=("--cuda-graph-backend-decode=disabled", "--cuda-graph-backend-prefill=disabled"),
    attention_dp="attn-dp-size",
    context_parallel="dcp-size",
    sequence_parallel="enable-layernorm-sp",
    names_forbid=":",
    parsers_unknown=frozenset(),
)

DIALECTS = (V0_5_3, V0_5_23)

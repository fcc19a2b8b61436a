"""The llama.cpp server at build b10434: what it takes, and how it says vLLM's words.

Facts as printed by the build's own --help; no rule stands here.
"""

import re
from collections.abc import Mapping

from providers.engines import llamacpp_flags as flags
from providers.engines.dialect import Dialect
from providers.engines.words import words

# vLLM's word -> value -> what the server is told; no token where it does that anyway.
BY_VALUE: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "disable-log-requests": {"true": ()},
    "dtype": {"auto": ()},
    "enable-auto-tool-choice": {"true": ()},
    "enable-chunked-prefill": {"true": ()},
    "enable-log-requests": {"false": ()},
    "enable-prefix-caching": {"true": (), "false": ("--no-cache-prompt",)},
    "enforce-eager": {"false": ()},
    "swap-space": {"0": (), "0.0": ()},
}

# vLLM's word -> what to do instead, for those that have no counterpart.
ADVICE: Mapping[str, str] = {
    "dtype": "name a file of that type in spec.quantization.weight",
    "gpu-memory-utilization": "write n_gpu_layers, or leave it out: what fits is offloaded",
    "max-num-batched-tokens": "write batch_size",
    "enable-auto-tool-choice": "write jinja: false to switch tool calls off",
    "cpu-offload-gb": "write n_gpu_layers",
    "max-loras": "adapters are given as files: write lora",
}

# Names of GGUF types as they stand in file names, like Q4_K_M, UD-Q4_K_XL or BF16.
GGUF_TYPE = re.compile(
    r"(?:UD-)?(?:I?Q[1-8](?:_[A-Z0-9]+){0,3}|TQ[12]_0|BF16|F16|F32|FP16|MXFP4(?:_MOE)?)",
    re.IGNORECASE,
)

# Whole models that are fetched by a switch: they would stand beside the template's own.
PRESETS = frozenset(flag for flag in flags.SWITCHES if flag.endswith(("-default", "-spec")))

B10434 = Dialect(
    engine="llama.cpp",
    version="b10434",
    values=flags.VALUES,
    switches=flags.SWITCHES | flags.PAIRS,
    negatable=flags.PAIRS,
    gone={
        **dict.fromkeys(flags.REMOVED, "the spec_ngram_* argument of its type"),
        "draft": "spec_draft_n_max",
        "draft-max": "spec_draft_n_max",
        "draft-n": "spec_draft_n_max",
        "draft-min": "spec_draft_n_min",
        "draft-n-min": "spec_draft_n_min",
    },
    integers=words(
        """
        batch-size cache-ram ctx-size n-predict parallel predict seed sse-ping-interval threads
        threads-batch threads-http timeout ubatch-size
        """
    ),
    kv_caches=words("f32 f16 bf16 q8_0 q4_0 q4_1 iq4_nl q5_0 q5_1"),
    shorts=flags.SHORTS,
    reads_s3=False,
    takes_underscores=False,
    takes_equals=False,
)
DIALECTS = (B10434,)

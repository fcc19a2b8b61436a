"""SGLang's command line: one word per argument, vLLM's words translated.

Its switches have no `--no-` form, and host and port are always said: by itself it listens on
127.0.0.1:30000, where nobody outside the pod reaches it.
"""

from collections.abc import Iterator

from providers.engines.arguments import (
    Piece,
    bare,
    find_fault,
    flag_of,
    head_of,
    one_word,
    refused,
    silent,
    unknown_warning,
)
from providers.engines.features import (
    degree_pieces,
    quantization_pieces,
    text_pieces,
    trust_pieces,
)
from providers.engines.findings import warn
from providers.engines.owned import OWNED
from providers.engines.sglang_table import ADVICE, BY_VALUE, NEARLY, RENAMED, SglangDialect
from providers.engines.vllm import share_fault
from providers.engines.vllm_table import V0_11_0, V0_33_0
from providers.engines.wishes import Wishes

COMMAND = ("python3", "-m", "sglang.launch_server")
DEFAULT_LORA_RANK = 64

_VLLM_WORDS = V0_11_0.flags | V0_33_0.flags


def sglang_pieces(wishes: Wishes, dialect: SglangDialect) -> Iterator[Piece]:
    """Return every argument in its order, with what there is to say about each."""
    yield from _source(wishes)
    yield from _parallelism(wishes, dialect)
    for key, value in wishes.args.items():
        yield from _argument(key, value, wishes, dialect)
    yield from quantization_pieces(wishes)
    yield from _lora(wishes)
    yield from trust_pieces(wishes)
    yield one_word("served-model-name", wishes.serving_name)
    yield one_word("host", "0.0.0.0")  # noqa: S104 - the pod's own addresses, behind a Service
    yield one_word("port", wishes.port)
    if "enable_metrics" not in wishes.args:
        yield bare("enable-metrics")


def has_attention_dp(wishes: Wishes) -> bool:
    """Tell whether data parallelism shares the ranks of tp instead of multiplying them."""
    return wishes.args.get("enable_dp_attention") == "true"


def expert_degree(wishes: Wishes) -> int:
    """Return over how many ranks experts are spread: all of tp when only a switch asks for it."""
    degrees = wishes.parallelism
    return degrees.ep if degrees.ep > 1 or not wishes.expert_parallel else degrees.tp


def _source(wishes: Wishes) -> Iterator[Piece]:
    yield from text_pieces(
        (
            ("model-path", wishes.uri),
            ("revision", wishes.revision),
            ("tokenizer-path", wishes.tokenizer),
            ("chat-template", wishes.chat_template),
        )
    )


def _parallelism(wishes: Wishes, dialect: SglangDialect) -> Iterator[Piece]:
    degrees = wishes.parallelism
    yield from degree_pieces((("tp-size", degrees.tp), ("pp-size", degrees.pp)))
    yield from _data_parallelism(wishes, dialect)
    yield from degree_pieces((("ep-size", expert_degree(wishes)),))
    if dialect.context_parallel:
        yield from degree_pieces(((dialect.context_parallel, degrees.cp),))
    if dialect.sequence_parallel and degrees.sp > 1:
        yield bare(dialect.sequence_parallel)


def _data_parallelism(wishes: Wishes, dialect: SglangDialect) -> Iterator[Piece]:
    dp = wishes.parallelism.dp
    if dp == 1:
        return
    attention = has_attention_dp(wishes)
    yield one_word(dialect.attention_dp if attention and dialect.attention_dp else "dp-size", dp)
    if attention and not dialect.attention_dp:
        yield bare("enable-dp-attention")


def _lora(wishes: Wishes) -> Iterator[Piece]:
    if not wishes.multi_lora:
        return
    yield bare("enable-lora")
    if "lora_paths" in wishes.args:
        return
    if "max_lora_rank" not in wishes.args:
        yield one_word("max-lora-rank", DEFAULT_LORA_RANK)
    if "lora_target_modules" not in wishes.args:
        yield one_word("lora-target-modules", "all")


def _argument(key: str, value: str, wishes: Wishes, dialect: SglangDialect) -> Iterator[Piece]:
    flag, path = flag_of(key), wishes.path(key)
    if flag == "enable-dp-attention" and value in {"true", "false"}:
        return
    if flag == "enforce-eager" and value == "true":
        yield from (_from_token(token) for token in dialect.eager)
    elif value in BY_VALUE.get(flag, {}):
        yield from (_from_token(token) for token in BY_VALUE[flag][value])
    elif flag in NEARLY:
        yield _nearly(flag, value, path, dialect)
    else:
        yield _plain(flag, value, path, wishes, dialect)


def _from_token(token: str) -> Piece:
    return Piece(flag=token.removeprefix("--").partition("=")[0], tokens=(token,))


def _nearly(flag: str, value: str, path: str, dialect: SglangDialect) -> Piece:
    theirs, difference = NEARLY[flag]
    fault = share_fault(value) if theirs == "mem-fraction-static" else ""
    fault = fault or find_fault(theirs, value, dialect)
    return (
        refused(theirs, path, fault)
        if fault
        else one_word(theirs, value, finding=warn(path, difference))
    )


def _plain(flag: str, value: str, path: str, wishes: Wishes, dialect: SglangDialect) -> Piece:
    if _is_off(flag, value, dialect):
        return _off(flag, path, dialect)
    theirs = RENAMED.get(flag, flag)
    fault = (
        _foreign_fault(theirs, dialect)
        or find_fault(theirs, value, dialect)
        or _value_fault(theirs, value, wishes, dialect)
    )
    if fault:
        return refused(theirs, path, fault)
    warning = unknown_warning(theirs, path, dialect)
    if value == "true":
        return bare(theirs, finding=warning)
    return one_word(theirs, value, finding=warning)


def _is_off(flag: str, value: str, dialect: SglangDialect) -> bool:
    if flag in ADVICE or flag.startswith("no-"):
        return flag not in ADVICE and flag not in dialect.flags
    known = flag in dialect.switches or flag.startswith("disable-")
    unknown = flag not in dialect.flags | dialect.missing.keys() | _VLLM_WORDS
    return value == "false" and (known or unknown)


def _off(flag: str, path: str, dialect: SglangDialect) -> Piece:
    if flag in dialect.negatable:
        return Piece(flag=flag, tokens=(f"--no-{flag}",))
    if flag.startswith("no-"):
        positive = flag.removeprefix("no-").replace("-", "_")
        message = f"is left out: {dialect.name} has no such form; write {positive}: false"
        return Piece(flag=flag, finding=warn(path, message))
    if flag in dialect.switches or flag.startswith("disable-"):
        return silent(flag)
    message = (
        f"is left out: {dialect.name} is not known to take --{flag}, and has no form for false"
    )
    return Piece(flag=flag, finding=warn(path, message))


def _foreign_fault(flag: str, dialect: SglangDialect) -> str:
    known = dialect.flags | dialect.missing.keys() | OWNED.keys()
    if flag in ADVICE and flag not in known:
        return f"has no counterpart in SGLang; {ADVICE[flag]}"
    if head_of(flag) in _VLLM_WORDS - known:
        return "has no counterpart in SGLang; leave it out"
    return ""


def _value_fault(flag: str, value: str, wishes: Wishes, dialect: SglangDialect) -> str:
    if head_of(flag) in dialect.runs_code and not wishes.remote_code:
        return "runs code that comes with the model; set spec.engine.allow_remote_code as well"
    if flag == "mem-fraction-static":
        return share_fault(value)
    if flag == "tool-call-parser" and value in dialect.parsers_unknown:
        return f"{dialect.name} does not know {value!r}; its names differ from vLLM's, like qwen25"
    return ""

"""The llama.cpp server's command line: two words per argument, vLLM's words translated.

A model is never left out: without one it starts as a router and looks healthy while serving none.
Host and port are always said, since by itself it listens on 127.0.0.1:8080.
"""

from collections.abc import Iterator

from providers.engines.arguments import (
    Piece,
    bare,
    find_fault,
    flag_of,
    head_of,
    number_fault,
    refused,
    silent,
    two_words,
    unknown_warning,
)
from providers.engines.dialect import Dialect
from providers.engines.findings import warn
from providers.engines.llamacpp_table import ADVICE, BY_VALUE, PRESETS
from providers.engines.owned import OWNED
from providers.engines.vllm_table import V0_11_0, V0_33_0
from providers.engines.wishes import Wishes

_VLLM_WORDS = V0_11_0.flags | V0_33_0.flags
_LENGTH = "max_model_len"
_SLOTS = ("max_num_seqs", "parallel")


def llamacpp_pieces(wishes: Wishes, dialect: Dialect) -> Iterator[Piece]:
    """Return every argument in its order, with what there is to say about each."""
    yield from _source(wishes)
    for key, value in wishes.args.items():
        yield _argument(key, value, wishes, dialect)
    if wishes.kv_cache:
        yield two_words("cache-type-k", wishes.kv_cache)
        yield two_words("cache-type-v", wishes.kv_cache)
    yield two_words("alias", wishes.serving_name)
    yield two_words("host", "0.0.0.0")  # noqa: S104 - the pod's own addresses, behind a Service
    yield two_words("port", wishes.port)
    if "metrics" not in wishes.args:
        yield bare("metrics")


def _source(wishes: Wishes) -> Iterator[Piece]:
    if wishes.source and wishes.source.type == "local":
        yield two_words("model", wishes.uri)
    elif wishes.uri:
        yield two_words("hf-repo", f"{wishes.uri}:{wishes.weight}" if wishes.weight else wishes.uri)
    if wishes.chat_template:
        yield two_words("chat-template-file", wishes.chat_template)


def _argument(key: str, value: str, wishes: Wishes, dialect: Dialect) -> Piece:
    flag, path = flag_of(key), wishes.path(key)
    if key == _LENGTH:
        return _context(value, path, wishes)
    if key == "max_num_seqs":
        return _slots(value, path, wishes)
    if value in BY_VALUE.get(flag, {}):
        tokens = BY_VALUE[flag][value]
        return Piece(flag=tokens[0].removeprefix("--") if tokens else flag, tokens=tokens)
    return _plain(flag, value, path, dialect)


def _context(value: str, path: str, wishes: Wishes) -> Piece:
    slots = next((wishes.args[key] for key in _SLOTS if key in wishes.args), "1")
    fault = _count_fault(value)
    if fault:
        return refused("ctx-size", path, fault)
    return two_words("ctx-size", int(value) * (1 if _count_fault(slots) else int(slots)))


def _slots(value: str, path: str, wishes: Wishes) -> Piece:
    fault = _count_fault(value)
    if fault:
        return refused("parallel", path, fault)
    if _LENGTH in wishes.args or "ctx_size" in wishes.args or value == "1":
        return two_words("parallel", value)
    message = f"each of {value} requests gets that part of the model's context; give {_LENGTH} too"
    return two_words("parallel", value, finding=warn(path, message))


def _count_fault(value: str) -> str:
    fault = number_fault(value)
    return fault or ("" if int(value) > 0 else f"must be above 0; {value} was given")


def _plain(flag: str, value: str, path: str, dialect: Dialect) -> Piece:
    fault = (
        _preset_fault(flag)
        or _negative_fault(flag, dialect)
        or _foreign_fault(flag, dialect)
        or find_fault(flag, value, dialect)
    )
    if fault:
        return refused(flag, path, fault)
    warning = unknown_warning(flag, path, dialect)
    if value == "true":
        return bare(flag, finding=warning)
    if value == "false":
        return _off(flag, dialect, warning_at=path)
    return two_words(flag, value, finding=warning)


def _off(flag: str, dialect: Dialect, *, warning_at: str) -> Piece:
    if flag in dialect.switches - dialect.negatable:
        return silent(flag)
    warning = unknown_warning(flag, warning_at, dialect)
    return Piece(flag=flag, tokens=(f"--no-{flag}",), finding=warning)


def _preset_fault(flag: str) -> str:
    return (
        "fetches a model of its own; spec.model_source carries the model" if flag in PRESETS else ""
    )


def _negative_fault(flag: str, dialect: Dialect) -> str:
    if not flag.startswith("no-") or flag in dialect.flags:
        return ""
    return f"write {flag.removeprefix('no-').replace('-', '_')}: false instead"


def _foreign_fault(flag: str, dialect: Dialect) -> str:
    if head_of(flag) not in _VLLM_WORDS - dialect.flags - OWNED.keys():
        return ""
    return f"has no counterpart in llama.cpp; {ADVICE.get(flag, 'leave it out')}"

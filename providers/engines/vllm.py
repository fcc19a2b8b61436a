"""vLLM's command line: one word per argument, the model first, by the image's own entry point.

`--model=URI` is the only spelling of the model that every image takes: up to 0.11.0 a positional
one is silently ignored, and another model is served.
"""

import json
import re
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
from providers.engines.vllm_table import JSON_FLAGS, JSON_LISTS, VllmDialect
from providers.engines.wishes import Wishes

DEFAULT_PORT = 8000

_LEVEL = re.compile(r'"level"\s*:')


def vllm_pieces(wishes: Wishes, dialect: VllmDialect) -> Iterator[Piece]:
    """Return every argument in its order, with what there is to say about each."""
    yield from _source(wishes)
    yield from _parallelism(wishes)
    for key, value in wishes.args.items():
        yield _argument(key, value, wishes, dialect)
    yield from quantization_pieces(wishes)
    if wishes.multi_lora:
        yield bare("enable-lora")
    yield from trust_pieces(wishes)
    yield one_word("served-model-name", wishes.serving_name)
    if wishes.port != DEFAULT_PORT:
        yield one_word("port", wishes.port)


def _source(wishes: Wishes) -> Iterator[Piece]:
    yield from text_pieces(
        (
            ("model", wishes.uri),
            ("revision", wishes.revision),
            ("tokenizer", wishes.tokenizer),
            ("chat-template", wishes.chat_template),
        )
    )


def _parallelism(wishes: Wishes) -> Iterator[Piece]:
    degrees = wishes.parallelism
    yield from degree_pieces(
        (
            ("tensor-parallel-size", degrees.tp),
            ("pipeline-parallel-size", degrees.pp),
            ("data-parallel-size", degrees.dp),
            ("decode-context-parallel-size", degrees.cp),
        )
    )
    if wishes.expert_parallel:
        yield bare("enable-expert-parallel")


def _argument(key: str, value: str, wishes: Wishes, dialect: VllmDialect) -> Piece:
    flag, path = flag_of(key), wishes.path(key)
    fault = (
        _negative_fault(flag, value, dialect)
        or find_fault(flag, value, dialect)
        or _vllm_fault(flag, value, dialect)
        or _code_fault(flag, wishes, dialect)
    )
    if fault:
        return refused(flag, path, fault)
    warning = unknown_warning(flag, path, dialect)
    if value == "true":
        return bare(flag, finding=warning)
    if value == "false":
        return _false(flag, dialect, warning_at=path)
    return one_word(flag, value, finding=warning)


def _false(flag: str, dialect: VllmDialect, *, warning_at: str) -> Piece:
    if flag in dialect.switches - dialect.negatable:
        return silent(flag)
    warning = unknown_warning(flag, warning_at, dialect)
    return Piece(flag=flag, tokens=(f"--no-{flag}",), finding=warning)


def _negative_fault(flag: str, value: str, dialect: VllmDialect) -> str:
    if flag.startswith("no-"):
        positive = flag.removeprefix("no-").replace("-", "_")
        return f"write {positive}: false instead"
    if not flag.startswith("disable-") or value != "false" or flag in dialect.missing:
        return ""
    enable = flag.replace("disable-", "enable-", 1)
    if enable in dialect.flags:
        return f"write {enable.replace('-', '_')}: true instead"
    return f"leave it out: {flag.removeprefix('disable-').replace('-', '_')} is on without it"


def _vllm_fault(flag: str, value: str, dialect: VllmDialect) -> str:
    if flag == "gpu-memory-utilization":
        return share_fault(value)
    if flag == "max-model-len":
        return _length_fault(value, dialect)
    if flag in JSON_FLAGS or flag in JSON_LISTS:
        return _json_fault(flag, value)
    if flag == "compilation-config" and dialect.compiles_by_mode and _LEVEL.search(value):
        return f'{dialect.name} calls it mode; write {{"mode": N}} instead of {{"level": N}}'
    return ""


def _code_fault(flag: str, wishes: Wishes, dialect: VllmDialect) -> str:
    if head_of(flag) in dialect.runs_code and not wishes.remote_code:
        return "runs code that comes with the model; set spec.engine.allow_remote_code as well"
    return ""


def _length_fault(value: str, dialect: VllmDialect) -> str:
    if value == "auto" or int(value) > 0 or (value == "-1" and dialect.fits_length):
        return ""
    return f"must be above 0; {value} was given"


def share_fault(value: str) -> str:
    """Return what is wrong with a share of the accelerator's memory, empty when nothing is."""
    try:
        share = float(value)
    except ValueError:
        share = 0.0
    return "" if 0 < share <= 1 else f"must be above 0 and at most 1, like 0.9; {value!r} was given"


def _json_fault(flag: str, value: str) -> str:
    wanted, example = (list, '["*"]') if flag in JSON_LISTS else (dict, '{"name": 1}')
    try:
        fits = isinstance(json.loads(value), wanted)
    except ValueError:
        fits = False
    return "" if fits else f"must be JSON, like {example}; {value!r} was given"

"""What several engines say about names: quantization, cache types, serving names, sources."""

import re
from collections.abc import Iterator

from providers.engines.dialect import Dialect
from providers.engines.findings import refuse, warn
from providers.engines.launch import Finding
from providers.engines.wishes import Wishes

SERVING_NAME = "spec.serving_name"

_QUANTIZED = re.compile(
    r"(?<![a-z0-9])(awq|gptq|gguf|fp8|fp4|nvfp4|mxfp4|int4|int8|w4a16|w8a8|w8a16|w4afp8|bnb|4bit|"
    r"8bit|quantized|exl2|hqq)(?![a-z0-9])",
    re.IGNORECASE,
)


def quantized_as(uri: str) -> str:
    """Return the word that tells a quantized checkpoint by its address, empty for none."""
    match = _QUANTIZED.search(uri)
    return match[0] if match else ""


def check_weight_name(wishes: Wishes, dialect: Dialect) -> Iterator[Finding]:
    """Refuse a quantization that this version does not have."""
    name = wishes.weight.lower() if dialect.folds_weight_names else wishes.weight
    if name and name not in dialect.weights:
        known = ", ".join(sorted(dialect.weights))
        message = f"{dialect.name} has no quantization {wishes.weight!r}; it has {known}"
        yield refuse("spec.quantization.weight", message)


def check_cache_name(wishes: Wishes, dialect: Dialect) -> Iterator[Finding]:
    """Refuse a type of the key-value cache that this version does not have."""
    if wishes.kv_cache and wishes.kv_cache not in dialect.kv_caches:
        known = ", ".join(sorted(dialect.kv_caches))
        message = f"{dialect.name} has no cache type {wishes.kv_cache!r}; it has {known}"
        yield refuse("spec.quantization.kv_cache", message)


def check_already_quantized(wishes: Wishes) -> Iterator[Finding]:
    """Warn where a weight is named for a checkpoint that carries its own quantization."""
    word = quantized_as(wishes.uri)
    if word and wishes.weight:
        message = (
            f"{wishes.uri} looks quantized already ({word}); the engine reads that from the "
            "checkpoint, and naming it can hurt"
        )
        yield warn("spec.quantization.weight", message)


def check_artifact(wishes: Wishes) -> Iterator[Finding]:
    """Warn about an address of weights that no engine is told."""
    if wishes.spec.quantization.weights_artifact_uri:
        message = (
            "is kept as a note only; to serve these weights name them in spec.model_source.uri"
        )
        yield warn("spec.quantization.weights_artifact_uri", message)


def check_address(wishes: Wishes) -> Iterator[Finding]:
    """Refuse an address that is not of its source's type, which an engine would read otherwise."""
    source = wishes.source
    if source is None:
        return
    at = "spec.model_source.uri"
    if source.type == "local" and not source.uri.startswith("/"):
        message = f"must be an absolute path in the pod, like /models/qwen; {source.uri} was given"
        yield refuse(at, message)
    if source.type == "s3" and "://" not in source.uri:
        yield refuse(at, f"must be an address like s3://bucket/model; {source.uri} was given")
    if source.type == "huggingface" and source.uri.startswith("/"):
        yield warn(at, "looks like a path in the pod; say so with spec.model_source.type: local")


def check_s3(wishes: Wishes, dialect: Dialect) -> Iterator[Finding]:
    """Refuse an s3 address where this version cannot read one."""
    source = wishes.source
    if source is None or dialect.reads_s3 or wishes.by_runtime:
        return
    if source.type == "s3" or source.uri.startswith(("s3://", "gs://", "az://")):
        message = (
            f"{dialect.name} cannot read {source.uri}; copy it to a volume and use type local, or "
            "take another version"
        )
        yield refuse("spec.model_source.type", message)


def check_serving_name(wishes: Wishes, *, forbidden: str = "", engine: str) -> Iterator[Finding]:
    """Refuse a serving name that is empty, reads as a flag, or holds a forbidden character."""
    name = wishes.serving_name
    if not name.strip():
        yield refuse(SERVING_NAME, "the model needs a serving name: clients put it into `model`")
    if name.startswith("-"):
        yield refuse(SERVING_NAME, f"{name!r} begins with a dash and would be read as a flag")
    for character in forbidden:
        if character in name:
            message = f"{engine} takes no {character!r} in a serving name; {name!r} has one"
            yield refuse(SERVING_NAME, message)

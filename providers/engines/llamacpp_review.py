"""What the llama.cpp server has to say about a template beyond its single arguments."""

from collections.abc import Iterator

from providers.engines import names
from providers.engines.dialect import Dialect
from providers.engines.findings import refuse, warn
from providers.engines.launch import Finding
from providers.engines.llamacpp_table import GGUF_TYPE, PRESETS
from providers.engines.parallelism import check_alone, check_one_pod
from providers.engines.serve_args import PATH as SERVE_ARGS
from providers.engines.wishes import Wishes


def review_llamacpp(wishes: Wishes, dialect: Dialect) -> Iterator[Finding]:
    """Return what is wrong or odd about names, source and shape."""
    yield from names.check_serving_name(wishes, forbidden=",", engine=dialect.name)
    yield from names.check_address(wishes)
    yield from names.check_s3(wishes, dialect)
    yield from names.check_cache_name(wishes, dialect)
    yield from names.check_artifact(wishes)
    yield from _check_weight(wishes)
    yield from _check_source_fields(wishes)
    yield from check_alone(wishes, engine=dialect.name)
    yield from check_one_pod(wishes, engine=dialect.name)
    yield from _check_presets(wishes)
    if wishes.multi_lora:
        yield refuse("spec.engine_args.enable_lora", f"{dialect.name} has no such switch; use lora")


def _check_weight(wishes: Wishes) -> Iterator[Finding]:
    at = "spec.quantization.weight"
    if not wishes.weight:
        return
    if not GGUF_TYPE.fullmatch(wishes.weight):
        yield refuse(at, f"must be a GGUF type like Q4_K_M; {wishes.weight!r} was given")
    elif wishes.by_runtime or (wishes.source and wishes.source.type == "local"):
        yield warn(at, "says nothing to the engine: a local file is served as it is")
    elif ":" in wishes.uri:
        yield refuse(at, f"spec.model_source.uri names a type already: {wishes.uri}")


def _check_source_fields(wishes: Wishes) -> Iterator[Finding]:
    revision = "" if wishes.by_runtime else wishes.revision
    for field, value in (("revision", revision), ("tokenizer_path", wishes.tokenizer)):
        if value:
            message = "llama.cpp takes none: the file brings its own; leave it out"
            yield refuse(f"spec.model_source.{field}", message)


def _check_presets(wishes: Wishes) -> Iterator[Finding]:
    for word in wishes.engine.serve_args:
        if word.removeprefix("--") in PRESETS:
            yield refuse(SERVE_ARGS, f"{word}: fetches a model of its own; leave it out")

"""What vLLM has to say about a template beyond its single arguments."""

from collections.abc import Iterator

from providers.engines import names
from providers.engines.findings import refuse, warn
from providers.engines.launch import Finding
from providers.engines.parallelism import check_divides, check_nodes_divide, check_world
from providers.engines.vllm_table import (
    NEEDS_DEPRECATED_SWITCH,
    QUANTIZES_AT_LOAD,
    VllmDialect,
)
from providers.engines.wishes import Wishes


def review_vllm(wishes: Wishes, dialect: VllmDialect) -> Iterator[Finding]:
    """Return what is wrong or odd about names, source and arithmetic."""
    yield from names.check_serving_name(wishes, engine=dialect.name)
    yield from names.check_address(wishes)
    yield from names.check_s3(wishes, dialect)
    yield from names.check_weight_name(wishes, dialect)
    yield from names.check_cache_name(wishes, dialect)
    yield from names.check_already_quantized(wishes)
    yield from names.check_artifact(wishes)
    yield from _check_weight_fits(wishes, dialect)
    yield from _check_arithmetic(wishes, dialect)
    yield from _check_nodes(wishes, dialect)
    yield from _check_companions(wishes)


def _check_weight_fits(wishes: Wishes, dialect: VllmDialect) -> Iterator[Finding]:
    weight = wishes.weight.lower()
    at = "spec.quantization.weight"
    if weight in NEEDS_DEPRECATED_SWITCH & dialect.weights and (
        "allow-deprecated-quantization" in dialect.flags
        and wishes.args.get("allow_deprecated_quantization") != "true"
    ):
        message = f"{dialect.name} takes {weight} only with the argument "
        yield refuse(at, f"{message}allow_deprecated_quantization: true")
    describes = weight in dialect.weights - QUANTIZES_AT_LOAD - NEEDS_DEPRECATED_SWITCH
    if describes and wishes.uri and not names.quantized_as(wishes.uri):
        message = (
            f"{weight} describes a checkpoint that is quantized already, and {wishes.uri} does not "
            "look like one; leave it out, or name fp8 to quantize while loading"
        )
        yield warn(at, message)


def _check_arithmetic(wishes: Wishes, dialect: VllmDialect) -> Iterator[Finding]:
    degrees = wishes.parallelism
    prefill = _prefill_ranks(wishes, dialect)
    world = degrees.tp * degrees.pp * degrees.dp * prefill
    formula = f"tp {degrees.tp} x pp {degrees.pp} x dp {degrees.dp}"
    if prefill > 1:
        formula += f" x prefill_context_parallel_size {prefill}"
    yield from check_world(wishes, world, formula=formula)
    yield from check_divides(degrees.cp, degrees.tp, letter="cp", of="tp")
    if degrees.ep not in {1, degrees.tp * degrees.dp}:
        message = (
            f"must be 1 or tp x dp ({degrees.tp * degrees.dp}): vLLM spreads experts over all of "
            f"them; {degrees.ep} was given"
        )
        yield refuse("spec.parallelism.ep", message)
    if degrees.sp > 1:
        yield refuse("spec.parallelism.sp", "vLLM has no flag for it; set it to 1")


def _prefill_ranks(wishes: Wishes, dialect: VllmDialect) -> int:
    text = wishes.args.get("prefill_context_parallel_size", "1")
    return int(text) if dialect.spreads_prefill and text.isdecimal() and text != "0" else 1


def _check_nodes(wishes: Wishes, dialect: VllmDialect) -> Iterator[Finding]:
    if wishes.nodes == 1:
        return
    if not dialect.spans_nodes:
        message = f"{dialect.name} spans nodes only over a Ray cluster; take 0.11.1 or newer"
        yield refuse("spec.topology.nodes", message)
    degrees = wishes.parallelism
    world = degrees.tp * degrees.pp * degrees.dp
    yield from check_nodes_divide(wishes, world, of="tp x pp x dp")


def _check_companions(wishes: Wishes) -> Iterator[Finding]:
    if wishes.args.get("enable_eplb") == "true" and not wishes.expert_parallel:
        message = "needs expert parallelism; set spec.parallelism.ep to tp x dp"
        yield refuse(wishes.path("enable_eplb"), message)
    if "max_loras" in wishes.args and not wishes.multi_lora:
        message = "does nothing without several LoRA adapters (enable_multi_lora)"
        yield warn(wishes.path("max_loras"), message)

"""What SGLang has to say about a template beyond its single arguments."""

from collections.abc import Iterator

from providers.engines import names
from providers.engines.findings import refuse, warn
from providers.engines.launch import Finding
from providers.engines.parallelism import check_divides, check_nodes_divide, check_world
from providers.engines.sglang import expert_degree, has_attention_dp
from providers.engines.sglang_table import SglangDialect
from providers.engines.wishes import Wishes


def review_sglang(wishes: Wishes, dialect: SglangDialect) -> Iterator[Finding]:
    """Return what is wrong or odd about names, source and arithmetic."""
    forbidden = dialect.names_forbid
    yield from names.check_serving_name(wishes, forbidden=forbidden, engine=dialect.name)
    yield from names.check_address(wishes)
    yield from names.check_s3(wishes, dialect)
    yield from _check_streamer(wishes, dialect)
    yield from names.check_weight_name(wishes, dialect)
    yield from names.check_cache_name(wishes, dialect)
    yield from names.check_already_quantized(wishes)
    yield from names.check_artifact(wishes)
    yield from _check_world(wishes)
    yield from _check_shared_ranks(wishes, dialect)
    yield from _check_nodes(wishes)


def _check_streamer(wishes: Wishes, dialect: SglangDialect) -> Iterator[Finding]:
    if wishes.by_runtime:
        return
    if wishes.source and wishes.source.type == "s3" and dialect.reads_s3:
        message = "SGLang reads s3 only where its image holds the package runai_model_streamer"
        yield warn("spec.model_source.type", message)


def _check_world(wishes: Wishes) -> Iterator[Finding]:
    degrees = wishes.parallelism
    shared = has_attention_dp(wishes)
    world = degrees.tp * degrees.pp * (1 if shared else degrees.dp)
    formula = f"tp {degrees.tp} x pp {degrees.pp}"
    if not shared:
        formula += f" x dp {degrees.dp}"
    yield from check_world(wishes, world, formula=formula)


def _check_shared_ranks(wishes: Wishes, dialect: SglangDialect) -> Iterator[Finding]:
    degrees = wishes.parallelism
    yield from check_divides(expert_degree(wishes), degrees.tp, letter="ep", of="tp")
    yield from _check_attention(wishes)
    if dialect.context_parallel:
        yield from check_divides(degrees.cp, degrees.tp, letter="cp", of="tp")
    for letter, flag in (("cp", dialect.context_parallel), ("sp", dialect.sequence_parallel)):
        if getattr(degrees, letter) > 1 and not flag:
            message = f"{dialect.name} has no flag for it; set it to 1, or take 0.5.23"
            yield refuse(f"spec.parallelism.{letter}", message)


def _check_attention(wishes: Wishes) -> Iterator[Finding]:
    if not has_attention_dp(wishes):
        return
    degrees = wishes.parallelism
    if degrees.dp == 1:
        message = "does nothing while spec.parallelism.dp is 1"
        yield warn(wishes.path("enable_dp_attention"), message)
    why = ": attention DP shares the ranks of tp"
    yield from check_divides(degrees.dp, degrees.tp, letter="dp", of="tp", why=why)


def _check_nodes(wishes: Wishes) -> Iterator[Finding]:
    if wishes.nodes == 1:
        return
    degrees = wishes.parallelism
    if degrees.dp > 1 and not has_attention_dp(wishes):
        message = (
            "SGLang has no data parallelism over several nodes but that of attention: set the "
            "argument enable_dp_attention to true, or dp to 1"
        )
        yield refuse("spec.parallelism.dp", message)
    yield from check_nodes_divide(wishes, degrees.tp * degrees.pp, of="tp x pp")

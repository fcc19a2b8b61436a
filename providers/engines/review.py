"""What an engine has to say about a template: warnings on a draft, refusals before it is active."""

from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

from providers.contract.template import ModelSource, TemplateSpec
from providers.engines import llamacpp_table, names, sglang_table, vllm_table
from providers.engines.arguments import Piece
from providers.engines.command_line import review_args
from providers.engines.dialect import Dialect, nearest
from providers.engines.findings import refuse, warn
from providers.engines.launch import Finding
from providers.engines.llamacpp import llamacpp_pieces
from providers.engines.llamacpp_review import review_llamacpp
from providers.engines.owned import OWNED
from providers.engines.parallelism import check_alone, check_one_pod
from providers.engines.serve_args import PATH as SERVE_ARGS
from providers.engines.sglang import sglang_pieces
from providers.engines.sglang_review import review_sglang
from providers.engines.vllm import vllm_pieces
from providers.engines.vllm_review import review_vllm
from providers.engines.wishes import Wishes, fold_wishes

_D = TypeVar("_D", bound=Dialect)
_SECRETS = ("api-key", "admin-api-key", "hf-token", "ssl-keyfile-password")


def review_spec(
    spec: TemplateSpec, *, source: ModelSource | None, serving_name: str
) -> tuple[Finding, ...]:
    """Return everything that the engine has to say about a template, each thing once.

    `source` and `serving_name` are those that would count at a launch; without a source nothing
    is said about one. `spec.engine_args` are what is read.
    """
    wishes = fold_wishes(spec, source=source, serving_name=serving_name, args=spec.engine_args)
    found = (
        *_REVIEWS[spec.engine.type](wishes),
        *_review_roles(wishes),
        *_review_runtime(wishes),
    )
    return tuple(dict.fromkeys(found))


def _review_roles(wishes: Wishes) -> Iterator[Finding]:
    for number, role in enumerate(wishes.spec.topology.roles):
        at = f"spec.topology.roles.{number}.engine_args"
        of_role = fold_wishes(
            wishes.spec,
            source=wishes.source,
            serving_name=wishes.serving_name,
            args=role.engine_args,
            args_path=at,
        )
        found = _REVIEWS[wishes.engine.type](of_role)
        yield from (finding for finding in found if finding.path.startswith(at))


def _review_runtime(wishes: Wishes) -> Iterator[Finding]:
    """Warn of what the template says of probes, which are the runtime's."""
    if wishes.by_runtime and "health_endpoint" in wishes.engine.model_fields_set:
        message = "says nothing: the serving runtime has probes of its own"
        yield warn("spec.engine.health_endpoint", message)


def _review_vllm(wishes: Wishes) -> Iterator[Finding]:
    return _review(wishes, vllm_table.DIALECTS, vllm_pieces, review_vllm)


def _review_sglang(wishes: Wishes) -> Iterator[Finding]:
    return _review(wishes, sglang_table.DIALECTS, sglang_pieces, review_sglang)


def _review_llamacpp(wishes: Wishes) -> Iterator[Finding]:
    return _review(wishes, llamacpp_table.DIALECTS, llamacpp_pieces, review_llamacpp)


def _review(
    wishes: Wishes,
    dialects: tuple[_D, ...],
    pieces: Callable[[Wishes, _D], Iterator[Piece]],
    review: Callable[[Wishes, _D], Iterator[Finding]],
) -> Iterator[Finding]:
    dialect, odd = nearest(dialects, wishes.engine.version)
    if odd:
        yield odd
    yield from review_args(pieces(wishes, dialect), wishes, dialect)
    yield from review(wishes, dialect)


def _review_mock(wishes: Wishes) -> Iterator[Finding]:
    dialect = vllm_table.DIALECTS[-1]
    yield from review_args(vllm_pieces(wishes, dialect), wishes, dialect)
    yield from names.check_serving_name(wishes, engine="mock")
    yield from names.check_weight_name(wishes, dialect)
    yield from names.check_cache_name(wishes, dialect)
    yield from check_alone(wishes, engine="mock")
    yield from check_one_pod(wishes, engine="mock")


def _review_custom(wishes: Wishes) -> Iterator[Finding]:
    for key in wishes.args:
        message = "a custom engine takes none; write it into spec.engine.serve_args as it spells it"
        yield refuse(wishes.path(key), message)
    for field, value in (("weight", wishes.weight), ("kv_cache", wishes.kv_cache)):
        if value:
            message = "a custom engine is not told; write it into spec.engine.serve_args"
            yield refuse(f"spec.quantization.{field}", message)
    yield from check_alone(wishes, engine="a custom engine")
    yield from names.check_serving_name(wishes, engine="custom")
    for word in wishes.engine.serve_args:
        flag = word.partition("=")[0].lstrip("-").replace("_", "-")
        if word.startswith("-") and flag in _SECRETS:
            yield refuse(SERVE_ARGS, f"{word.partition('=')[0]}: {OWNED[flag]}")


_REVIEWS: Mapping[str, Callable[[Wishes], Iterator[Finding]]] = {
    "vllm": _review_vllm,
    "sglang": _review_sglang,
    "llamacpp": _review_llamacpp,
    "mock": _review_mock,
    "custom": _review_custom,
}

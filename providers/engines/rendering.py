"""The launch of each engine: its pieces, environment, probes and folders put together."""

from collections.abc import Callable, Mapping

from providers.contract.errors import InvalidRequest
from providers.contract.request import DeployRequest
from providers.engines import llamacpp_table, sglang_table, vllm_table
from providers.engines.command_line import join_args
from providers.engines.dialect import nearest
from providers.engines.environment import SCRATCH, cache_folder, environment, folders
from providers.engines.launch import Launch
from providers.engines.llamacpp import llamacpp_pieces
from providers.engines.probes import (
    LLAMACPP,
    PLAIN,
    SGLANG,
    Patience,
    liveness_probe,
    readiness_probe,
    startup_probe,
    vllm_patience,
)
from providers.engines.sglang import COMMAND as SGLANG_COMMAND
from providers.engines.sglang import sglang_pieces
from providers.engines.vllm import vllm_pieces
from providers.engines.wishes import Wishes, fold_wishes

_TMP = "/tmp"  # noqa: S108 - a path in the pod, not on this machine


def render_launch(request: DeployRequest, *, port: int) -> Launch:
    """Return the container that the request's engine wants; `port` is where it listens.

    Raises InvalidRequest where nothing sensible can be started: no model, or adapters for an
    engine that has no switch for them.
    """
    _check_launch(request)
    wishes = fold_wishes(
        request.spec,
        source=request.source,
        serving_name=request.serving_name,
        args=request.engine_args,
        multi_lora=request.enable_multi_lora,
        port=port,
    )
    return _RENDERERS[request.spec.engine.type](wishes)


def _check_launch(request: DeployRequest) -> None:
    kind = request.spec.engine.type
    if request.source is None and request.spec.needs_source:
        message = "is required: the template names no model source of its own"
        raise InvalidRequest.of("overrides.model_version", message)
    if request.enable_multi_lora and kind in {"llamacpp", "custom"}:
        message = f"the engine {kind} has no switch for several LoRA adapters; leave it out"
        raise InvalidRequest.of("overrides.enable_multi_lora", message)


def _render_vllm(wishes: Wishes) -> Launch:
    dialect, _ = nearest(vllm_table.DIALECTS, wishes.engine.version)
    own = {**folders(wishes), "VLLM_NO_USAGE_STATS": "1"}
    if dialect.reads_ready_timeout:
        own["VLLM_ENGINE_READY_TIMEOUT_S"] = str(wishes.engine.ready_timeout_seconds)
    args = join_args(vllm_pieces(wishes, dialect), wishes, dialect)
    return _launch(wishes, args=args, own=own, patience=vllm_patience(wishes))


def _render_sglang(wishes: Wishes) -> Launch:
    dialect, _ = nearest(sglang_table.DIALECTS, wishes.engine.version)
    args = join_args(sglang_pieces(wishes, dialect), wishes, dialect)
    own = folders(wishes)
    return _launch(wishes, args=args, own=own, patience=SGLANG, command=SGLANG_COMMAND)


def _render_llamacpp(wishes: Wishes) -> Launch:
    dialect, _ = nearest(llamacpp_table.DIALECTS, wishes.engine.version)
    args = join_args(llamacpp_pieces(wishes, dialect), wishes, dialect)
    own = {**folders(wishes), "LLAMA_CACHE": cache_folder(wishes)}
    return _launch(wishes, args=args, own=own, patience=LLAMACPP)


def _render_mock(wishes: Wishes) -> Launch:
    dialect = vllm_table.DIALECTS[-1]
    args = join_args(vllm_pieces(wishes, dialect), wishes, dialect)
    own = {
        **folders(wishes),
        "MODEL_NAME": wishes.serving_name,
        "SERVER_PORT": str(wishes.port),
        "STANDALONE_MODE": "true",
    }
    return _launch(wishes, args=args, own=own, patience=PLAIN)


def _render_custom(wishes: Wishes) -> Launch:
    has_cache = wishes.source is not None and wishes.source.cache is not None
    own = {"HF_HOME": cache_folder(wishes)} if has_cache else {}
    args = wishes.engine.serve_args
    return _launch(wishes, args=args, own=own, patience=PLAIN, writable=(_TMP,))


def _launch(
    wishes: Wishes,
    *,
    args: tuple[str, ...],
    own: Mapping[str, str],
    patience: Patience,
    command: tuple[str, ...] = (),
    writable: tuple[str, ...] = (_TMP, SCRATCH),
) -> Launch:
    degrees = wishes.parallelism
    return Launch(
        command=() if wishes.by_runtime else wishes.engine.command or command,
        args=args,
        env=environment(wishes, own),
        port=wishes.port,
        startup=startup_probe(wishes, patience),
        readiness=readiness_probe(wishes, patience),
        liveness=liveness_probe(wishes, patience),
        grace_seconds=patience.grace,
        shares_memory=degrees.tp * degrees.pp * degrees.dp > 1,
        writable_paths=writable,
    )


_RENDERERS: Mapping[str, Callable[[Wishes], Launch]] = {
    "vllm": _render_vllm,
    "sglang": _render_sglang,
    "llamacpp": _render_llamacpp,
    "mock": _render_mock,
    "custom": _render_custom,
}

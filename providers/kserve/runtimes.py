"""Whether a runtime that serves the model of a request is there, before KServe looks for it.

KServe takes one of the namespace before one of the cluster, and says what it lacks only after the
object was admitted. What we may not list is unknown, never a fault.
"""

from collections.abc import Iterable, Sequence
from functools import partial
from itertools import chain

import msgspec

from providers.contract.checks import Check, Result
from providers.contract.protocols import Deadline
from providers.contract.request import DeployRequest
from providers.contract.target import ClusterTarget
from providers.contract.template import ServingRuntime
from providers.kserve.model import RUNTIME_PORT
from providers.kserve.naming import CONTAINER
from providers.kube.bounded import run_all
from providers.kube.client import client_for
from providers.kube.lists import Read, Selection, read_list
from providers.kube.resources import CLUSTER_SERVING_RUNTIMES, SERVING_RUNTIMES
from providers.workload.objects import Item, Part, present
from providers.workload.objects.use import ListeningContainer

_NAME, _FORMAT = "spec.serving_runtime.name", "spec.serving_runtime.format"
_PORT = "spec.engine.port"


class Format(Part, kw_only=True, frozen=True):
    name: str | None = None
    version: str | None = None
    auto_select: bool | None = None


class Hooks(Part, kw_only=True, frozen=True):
    """What is done around a container; of how, only the names are looked at."""

    pre_stop: dict[str, msgspec.Raw] | None = None


class RuntimeContainer(ListeningContainer, kw_only=True, frozen=True):
    lifecycle: Hooks | None = None


class RuntimeSpec(Part, kw_only=True, frozen=True):
    disabled: bool | None = None
    multi_model: bool | None = None
    worker_spec: dict[str, msgspec.Raw] | None = None
    supported_model_formats: list[Format | None] | None = None
    containers: list[RuntimeContainer | None] | None = None


class Runtime(Item, kw_only=True, frozen=True):
    """A runtime of a namespace, or of the cluster."""

    spec: RuntimeSpec | None = None

    @property
    def is_disabled(self) -> bool:
        return bool(self.spec and self.spec.disabled)

    @property
    def is_pickable(self) -> bool:
        """Tell whether KServe looks at it where none is named: it serves one model in one pod."""
        spec = self.spec or RuntimeSpec()
        return not (spec.disabled or spec.multi_model or spec.worker_spec is not None)

    @property
    def formats(self) -> tuple[Format, ...]:
        return present(self.spec.supported_model_formats if self.spec else None)

    @property
    def engine(self) -> RuntimeContainer:
        """Return the container that the template's is laid over."""
        every = present(self.spec.containers if self.spec else None)
        named = (one for one in every if one.name == CONTAINER)
        return next(named, next(iter(every), RuntimeContainer()))

    @property
    def ports(self) -> tuple[int, ...]:
        return tuple(one.container_port or 0 for one in present(self.engine.ports))

    @property
    def stops_otherwise(self) -> bool:
        """Tell whether it has a hook of another sort than ours before its container stops."""
        hooks = self.engine.lifecycle or Hooks()
        return bool((hooks.pre_stop or {}).keys() - {"sleep"})

    def takes(self, wanted: ServingRuntime, *, unasked: bool = False) -> bool:
        """Tell whether it serves the format; `unasked`: also where nobody named the runtime."""
        return any(
            one.name == wanted.format
            and (not wanted.version or one.version == wanted.version)
            and (bool(one.auto_select) or not unasked)
            for one in self.formats
        )


Runtimes = Read[Runtime]


def check_runtime(
    request: DeployRequest, target: ClusterTarget, *, deadline: Deadline
) -> tuple[Check, ...]:
    """Return one line about the runtime of a model by its format, none for any other."""
    wanted = request.spec.serving_runtime
    if wanted is None:
        return ()
    client = client_for(target, deadline=deadline)
    place = Selection(namespace=request.namespace)
    own, shared = run_all(
        client.threads,
        [
            partial(read_list, client, kind, Runtime, place, deadline=deadline)
            for kind in (SERVING_RUNTIMES, CLUSTER_SERVING_RUNTIMES)
        ],
    )
    return (judge(wanted, own, shared, port=request.spec.engine.port or RUNTIME_PORT),)


def judge(
    wanted: ServingRuntime, own: Runtimes, shared: Runtimes, *, port: int = RUNTIME_PORT
) -> Check:
    """Return what the runtimes of the namespace and those of the cluster mean for a model.

    `port` is where the template takes the engine to listen.
    """
    if own.missing and shared.missing:
        return _unknown("this cluster knows no serving runtimes; is KServe installed?")
    if wanted.name:
        return _named(wanted, own, shared, port)
    return _picked(wanted, own, shared)


def _named(wanted: ServingRuntime, own: Runtimes, shared: Runtimes, port: int) -> Check:
    """Judge the runtime of that name: the first that KServe would find."""
    for read in (own, shared):
        found = next((one for one in read.items if one.name == wanted.name), None)
        if found is not None:
            return _fit(wanted, found, port)
        if read.trouble:
            return _unknown(f"whether serving runtime {wanted.name} is there: {read.trouble}")
    there = _names(chain(own.items, shared.items))
    message = f"there is no serving runtime {wanted.name}, in the namespace or for all; {there}"
    return Check(code="RuntimeMissing", result=Result.FAIL, message=message, field=_NAME)


def _fit(wanted: ServingRuntime, found: Runtime, port: int) -> Check:
    if found.is_disabled:
        message = f"serving runtime {found.name} is disabled; name another one"
        return Check(code="RuntimeDisabled", result=Result.FAIL, message=message, field=_NAME)
    if not found.takes(wanted):
        message = f"serving runtime {found.name} takes {_formats(found)}, not {_words(wanted)}"
        return _unsupported(message)
    if found.stops_otherwise:
        message = (
            f"serving runtime {found.name} has a preStop hook, which cannot stand beside the pause "
            "that every pod takes before it stops; name another one"
        )
        return Check(code="RuntimeUnfit", result=Result.FAIL, message=message, field=_NAME)
    if found.ports and port not in found.ports:
        listens = " and ".join(map(str, found.ports))
        message = f"serving runtime {found.name} listens on {listens}, and {port} is expected"
        return Check(code="RuntimePort", result=Result.WARN, message=message, field=_PORT)
    return _passed(f"serving runtime {found.name} takes {_words(wanted)}")


def _picked(wanted: ServingRuntime, own: Runtimes, shared: Runtimes) -> Check:
    """Look for any that KServe may pick by itself."""
    every = [*own.items, *shared.items]
    able = [one for one in every if one.is_pickable and one.takes(wanted, unasked=True)]
    if able:
        return _passed(f"KServe picks a serving runtime for {_words(wanted)}; {_names(able)}")
    trouble = own.trouble or shared.trouble
    if trouble:
        return _unknown(f"whether a serving runtime takes {_words(wanted)}: {trouble}")
    message = f"no serving runtime takes {_words(wanted)} unless it is named; {_names(every)}"
    return _unsupported(message)


def _words(wanted: ServingRuntime) -> str:
    return f"{wanted.format} {wanted.version}".strip()


def _formats(found: Runtime) -> str:
    told = (f"{one.name or ''} {one.version or ''}".strip() for one in found.formats)
    return ", ".join(dict.fromkeys(told)) or "no format"


def _names(found: Iterable[Runtime]) -> str:
    names: Sequence[str] = sorted({one.name for one in found})
    return f"there are {', '.join(names)}" if names else "there is none"


def _unsupported(message: str) -> Check:
    return Check(code="ModelFormatUnsupported", result=Result.FAIL, message=message, field=_FORMAT)


def _passed(message: str) -> Check:
    return Check(code="RuntimeFound", result=Result.PASS, message=message)


def _unknown(message: str) -> Check:
    return Check(code="RuntimeUnknown", result=Result.UNKNOWN, message=message, field=_NAME)

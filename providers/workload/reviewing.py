"""What is wrong with a request for any kind whose pods are made here, as far as nobody is asked.

A kind adds what concerns it alone. Faults are told each at its field; what may be meant is a
warning. An accelerator type that the cluster's row does not map fails as a check: it is the row
that lacks it.
"""

from collections.abc import Collection, Iterable, Iterator

from providers.contract.checks import Check, Result
from providers.contract.errors import InvalidRequest
from providers.contract.quantity import parse_quantity
from providers.contract.request import DeployRequest
from providers.contract.target import ClusterTarget
from providers.contract.template import Accelerator, TemplateSpec
from providers.engines import review_spec
from providers.engines.launch import Weight
from providers.workload.nvidia import is_nvidia

_RESERVED_PATHS = ("/dev", "/proc", "/sys")

Fault = tuple[str, str]


def raise_faults(faults: Iterable[Fault]) -> None:
    """Raise InvalidRequest with every fault by its field; none raises nothing."""
    fields: dict[str, tuple[str, ...]] = {}
    for path, text in faults:
        fields[path] = (*fields.get(path, ()), text)
    if fields:
        raise InvalidRequest(fields)


def faults_of(
    request: DeployRequest,
    kinds: tuple[str, ...],
    topologies: Collection[str],
    *,
    serving_runtimes: bool = False,
) -> Iterator[Fault]:
    """Yield what no implementation of these `kinds`, the first its name, can carry.

    `serving_runtimes`: it knows runtimes that bring the image.
    """
    spec = request.spec
    if spec.serving_runtime and not serving_runtimes:
        message = f"{kinds[0]} knows no serving runtimes; leave it out and name spec.engine.image"
        yield "spec.serving_runtime", message
    elif not spec.engine.image and not spec.serving_runtime:
        yield "spec.engine.image", "is required: the template must name the image to run"
    if spec.topology.kind not in topologies:
        can = " or ".join(sorted(topologies))
        message = f"{spec.topology.kind} is not what {kinds[0]} can do; use {can}"
        yield "spec.topology.kind", message
    if not any(spec.allows_kind(kind) for kind in kinds):
        allowed = ", ".join(spec.compatibility.implementation_kinds) if spec.compatibility else ""
        message = f"the template does not allow {kinds[0]}; it allows {allowed}"
        yield "implementation.kind", message
    yield from _cache_faults(request)
    yield from _refusals(request)


def warnings_of(request: DeployRequest, target: ClusterTarget) -> tuple[Check, ...]:
    """Return what a cluster's row lacks, and what may not be meant."""
    return (
        *(
            check
            for at, accelerator in _accelerators(request.spec)
            for check in _accelerator_checks(accelerator, target, at)
        ),
        *_metric_checks(request),
        *_memory_checks(request.spec),
    )


def _cache_faults(request: DeployRequest) -> Iterator[Fault]:
    cache = request.source.cache if request.source else None
    if cache is None:
        return
    path = cache.mount_path.rstrip("/")
    taken = not path or any(f"{path}/".startswith(f"{root}/") for root in _RESERVED_PATHS)
    if taken or ":" in path or ".." in path.split("/"):
        yield (
            "spec.model_source.cache.mount_path",
            f"{cache.mount_path} cannot be mounted over; give a folder of its own, like /models",
        )


def _refusals(request: DeployRequest) -> Iterator[Fault]:
    """Yield what the engine refuses; its warnings are the core's to show, for every kind alike."""
    merged = request.spec.model_copy(update={"engine_args": request.engine_args})
    findings = review_spec(merged, source=request.source, serving_name=request.serving_name)
    yield from ((f.path, f.message) for f in findings if f.weight is Weight.REFUSE)


def _accelerators(spec: TemplateSpec) -> Iterator[tuple[str, Accelerator]]:
    """Yield what pods ask for with its path: that of each role, where there are any."""
    roles = spec.topology.roles
    if not roles:
        yield "spec.accelerator.type", spec.accelerator
    for number, role in enumerate(roles):
        yield f"spec.topology.roles.{number}.accelerator.type", role.accelerator


def _accelerator_checks(
    accelerator: Accelerator, target: ClusterTarget, at: str
) -> Iterator[Check]:
    if accelerator.is_cpu or target.accelerator(accelerator.type):
        return
    unmapped = f"cluster {target.name} has no entry for {accelerator.type} in its accelerator map"
    if is_nvidia(accelerator.type):
        message = f"{unmapped}; nvidia.com/gpu is asked for, on any node that has one"
        yield _warn("AcceleratorUnmapped", message, field=at)
    else:
        message = f"{unmapped}; an admin must add it with the resource name that its nodes offer"
        yield Check(
            code="AcceleratorUnmapped",
            result=Result.FAIL,
            message=message,
            field=at,
        )


def _metric_checks(request: DeployRequest) -> Iterator[Check]:
    """Warn of a share of nothing: the autoscaler compares usage with what the pod requests."""
    metric = request.scaling.metric.type
    asked = {"cpu": request.spec.resources.cpu, "memory": request.spec.resources.memory}
    if request.scaling.has_autoscaler and metric in asked and asked[metric] is None:
        message = f"the autoscaler measures {metric} against the pod's request, and there is none"
        yield _warn("MetricWithoutRequest", message, field=f"spec.resources.{metric}")


def _memory_checks(spec: TemplateSpec) -> Iterator[Check]:
    memory, shared = spec.resources.memory, spec.resources.shm_size
    if memory and shared and parse_quantity(shared) >= parse_quantity(memory):
        message = (
            f"shared memory ({shared}) counts as memory of the pod, which requests only {memory}"
        )
        yield _warn("SharedMemoryAboveMemory", message, field="spec.resources.shm_size")


def _warn(code: str, message: str, *, field: str) -> Check:
    return Check(code=code, result=Result.WARN, message=message, field=field)

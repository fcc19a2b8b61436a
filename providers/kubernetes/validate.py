"""What is wrong with a request for `k8s-deployment`, as far as no cluster needs to be asked.

Faults of the request are raised together, each at its field; what may be meant is a warning. An
accelerator type that the cluster's row does not map fails as a check: it is the row that lacks it.
"""

from collections.abc import Iterator

from providers.contract.checks import Check, Result
from providers.contract.errors import InvalidRequest
from providers.contract.quantity import parse_quantity
from providers.contract.request import DeployRequest
from providers.contract.target import ClusterTarget
from providers.contract.template import TemplateSpec
from providers.engines import review_spec
from providers.engines.launch import Finding, Weight
from providers.kubernetes.render import KIND
from providers.workload.nvidia import is_nvidia

TOPOLOGIES = frozenset({"standard"})

_RESERVED_PATHS = ("/dev", "/proc", "/sys")

Fault = tuple[str, str]


def validate(request: DeployRequest, target: ClusterTarget) -> tuple[Check, ...]:
    """Return warnings; raises InvalidRequest with every fault of the request by its field."""
    findings = _findings(request)
    faults = [*_faults(request), *_refusals(findings)]
    if faults:
        raise InvalidRequest(_by_field(faults))
    return (
        *_engine_warnings(findings),
        *_accelerator_checks(request, target),
        *_scaling_checks(request),
        *_memory_checks(request.spec),
    )


def _findings(request: DeployRequest) -> tuple[Finding, ...]:
    merged = request.spec.model_copy(update={"engine_args": request.engine_args})
    return review_spec(merged, source=request.source, serving_name=request.serving_name)


def _faults(request: DeployRequest) -> Iterator[Fault]:
    spec = request.spec
    if not spec.engine.image:
        yield "spec.engine.image", "is required: the template must name the image to run"
    if spec.topology.kind not in TOPOLOGIES:
        yield "spec.topology.kind", f"{spec.topology.kind} is not what {KIND} can do; use standard"
    if not spec.allows_kind(KIND):
        allowed = ", ".join(spec.compatibility.implementation_kinds) if spec.compatibility else ""
        yield "implementation.kind", f"the template does not allow {KIND}; it allows {allowed}"
    yield from _cache_faults(request)


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


def _refusals(findings: tuple[Finding, ...]) -> Iterator[Fault]:
    yield from ((f.path, f.message) for f in findings if f.weight is Weight.REFUSE)


def _by_field(faults: list[Fault]) -> dict[str, tuple[str, ...]]:
    fields: dict[str, tuple[str, ...]] = {}
    for path, text in faults:
        fields[path] = (*fields.get(path, ()), text)
    return fields


def _engine_warnings(findings: tuple[Finding, ...]) -> Iterator[Check]:
    for finding in findings:
        if finding.weight is Weight.WARN:
            yield _warn("EngineWarning", finding.message, field=finding.path)


def _accelerator_checks(request: DeployRequest, target: ClusterTarget) -> Iterator[Check]:
    accelerator = request.spec.accelerator
    if accelerator.is_cpu or target.accelerator(accelerator.type):
        return
    unmapped = f"cluster {target.name} has no entry for {accelerator.type} in its accelerator map"
    if is_nvidia(accelerator.type):
        message = f"{unmapped}; nvidia.com/gpu is asked for, on any node that has one"
        yield _warn("AcceleratorUnmapped", message, field="spec.accelerator.type")
    else:
        message = f"{unmapped}; an admin must add it with the resource name that its nodes offer"
        yield Check(
            code="AcceleratorUnmapped",
            result=Result.FAIL,
            message=message,
            field="spec.accelerator.type",
        )


def _scaling_checks(request: DeployRequest) -> Iterator[Check]:
    scaling = request.scaling
    if scaling.autoscaled and not scaling.has_autoscaler:
        message = (
            f"no autoscaler is made, because min_replicas and max_replicas are both "
            f"{scaling.max_replicas}"
        )
        yield _warn("AutoscalerHasNoRoom", message, field="overrides.max_replicas")
    if scaling.has_autoscaler:
        yield from _metric_checks(request)


def _metric_checks(request: DeployRequest) -> Iterator[Check]:
    metric = request.scaling.metric.type
    at = "spec.scaling_defaults.metric.type"
    if metric == "cpu" and request.spec.accelerator.per_pod:
        message = (
            "cpu says little about how busy an accelerator is; use a pods metric, such as "
            "requests waiting, or switch autoscaling off"
        )
        yield _warn("CpuMetricOnAccelerator", message, field=at)
    resources = {"cpu": request.spec.resources.cpu, "memory": request.spec.resources.memory}
    if metric in resources and resources[metric] is None:
        message = (
            f"the autoscaler compares {metric} with what the pod requests, and it requests none; "
            f"it will not scale"
        )
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

"""What is wrong with a request for `kserve-inferenceservice`, as far as nobody is asked.

Much of it KServe itself admits and then breaks down over, silently or with other values.
"""

from collections.abc import Iterator

from providers.contract.checks import Check
from providers.contract.request import DeployRequest
from providers.contract.target import ClusterTarget
from providers.kserve.naming import LONGEST_NAME, room_in
from providers.kserve.render import KIND, scale_target
from providers.kserve.storage import storage_faults
from providers.workload.naming import MAX_NAME
from providers.workload.reviewing import Fault, faults_of, raise_faults, warnings_of

TOPOLOGIES = frozenset({"standard"})
ALIASES = ("kserve",)

METRICS = frozenset({"cpu", "memory"})
MOST_TARGET = 100
"""The highest target that KServe's webhook takes, in percent: of memory, too."""
# What the controller adds to the container, and what its webhook refuses.
_TAKEN = frozenset({"INFERENCE_SERVICE_NAME"})
_FORBIDDEN = frozenset({"PYTHONPATH"})
_FORM = "{{"
_METRIC = "spec.scaling_defaults.metric"


def validate(request: DeployRequest, target: ClusterTarget) -> tuple[Check, ...]:
    """Return warnings; raises InvalidRequest with every fault of the request by its field."""
    common = faults_of(request, (KIND, *ALIASES), TOPOLOGIES, serving_runtimes=True)
    raise_faults([*common, *_faults(request), *_scaling_faults(request, target)])
    return warnings_of(request, target)


def _faults(request: DeployRequest) -> Iterator[Fault]:
    yield from _name_faults(request)
    yield from _resource_faults(request)
    yield from _environment_faults(request)
    yield from _runtime_faults(request)


def _scaling_faults(request: DeployRequest, target: ClusterTarget) -> Iterator[Fault]:
    if not request.scaling.has_autoscaler:
        return
    metric, wanted = request.scaling.metric.type, scale_target(request, target)
    if metric not in METRICS:
        yield (
            f"{_METRIC}.type",
            (
                f"{metric} is not what KServe's autoscaler can read, which would take cpu instead; "
                "use cpu or memory"
            ),
        )
    elif wanted > MOST_TARGET:
        message = f"must be at most {MOST_TARGET} percent, since KServe refuses more"
        whose = "" if request.scaling.metric.target else " from the cluster's settings"
        yield f"{_METRIC}.target", f"{message}; {wanted} was given{whose}"


def _name_faults(request: DeployRequest) -> Iterator[Fault]:
    """A name that was made for another kind may be too long for what is added here."""
    longest = MAX_NAME - room_in(request.namespace)
    if len(request.runtime_name) > longest:
        yield (
            "target.namespace",
            (
                f"leaves {max(longest, 0)} characters for the name of the deployment's object "
                f"({LONGEST_NAME} at most), and {request.runtime_name} has "
                f"{len(request.runtime_name)}; use a shorter namespace"
            ),
        )


def _resource_faults(request: DeployRequest) -> Iterator[Fault]:
    resources = request.spec.resources
    for name, given, usual in (("cpu", resources.cpu, "1"), ("memory", resources.memory, "2Gi")):
        if given is None:
            yield (
                f"spec.resources.{name}",
                f"is required: KServe limits a container that names none to {usual}",
            )


def _environment_faults(request: DeployRequest) -> Iterator[Fault]:
    for name in request.spec.engine.env:
        if name in _TAKEN:
            yield f"spec.engine.env.{name}", "is set by KServe in every pod; use another name"
        elif name in _FORBIDDEN:
            yield f"spec.engine.env.{name}", "is refused by KServe; set it in the image"


def _runtime_faults(request: DeployRequest) -> Iterator[Fault]:
    """Yield what a serving runtime cannot be told: KServe reads all of its container as a form."""
    if request.spec.serving_runtime is None:
        return
    if request.source is not None:
        yield from storage_faults(request.source, request.engine_args)
    for path, text in _words(request):
        if _FORM in text:
            yield path, f"holds {_FORM}, which KServe takes for a place to fill in; leave it out"


def _words(request: DeployRequest) -> Iterator[tuple[str, str]]:
    engine = request.spec.engine
    yield from (("spec.engine.serve_args", word) for word in engine.serve_args)
    yield from ((f"spec.engine.env.{name}", text) for name, text in engine.env.items())
    yield from ((f"spec.engine_args.{name}", text) for name, text in request.engine_args.items())

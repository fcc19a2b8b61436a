"""What is wrong with a request for `stormservice`, as far as no cluster needs to be asked."""

import re
from collections.abc import Iterator

from providers.contract.checks import Check, Result
from providers.contract.request import DeployRequest
from providers.contract.target import ClusterTarget
from providers.stormservice.naming import longest_pod
from providers.stormservice.render import KIND
from providers.stormservice.roles import (
    DECODE,
    PREFILL,
    SGLANG_MODE,
    answering,
    has_router,
    is_half,
)
from providers.workload.naming import MAX_NAME
from providers.workload.reviewing import Fault, faults_of, raise_faults, warnings_of

TOPOLOGIES = frozenset({"standard", "multi-node", "disaggregated"})
ALIASES = ("aibrix",)

# The controller puts these before the variables of every container, and drops ours in silence.
_TAKEN = frozenset(
    {
        "STORM_SERVICE_NAME",
        "ROLESET_NAME",
        "ROLESET_INDEX",
        "ROLE_NAME",
        "ROLE_TEMPLATE_HASH",
        "ROLE_REPLICA_INDEX",
        "PODSET_NAME",
        "POD_GROUP_INDEX",
        "POD_GROUP_SIZE",
    }
)
# Engines whose ranks are told apart by flags of theirs.
_KNOWS_RANKS = frozenset({"sglang"})
# Whatever no page of an engine can offer counts as 0 for ever.
_METRIC = re.compile(r"[A-Za-z_:][A-Za-z0-9_:]*")


def validate(request: DeployRequest, target: ClusterTarget) -> tuple[Check, ...]:
    """Return warnings; raises InvalidRequest with every fault of the request by its field."""
    raise_faults([*faults_of(request, (KIND, *ALIASES), TOPOLOGIES), *_faults(request)])
    return (*warnings_of(request, target), *_warnings(request))


def _faults(request: DeployRequest) -> Iterator[Fault]:
    spec = request.spec
    for name in spec.engine.env:
        if name in _TAKEN:
            yield f"spec.engine.env.{name}", "is set by AIBrix in every pod; use another name"
    if spec.topology.nodes and not (spec.engine.type in _KNOWS_RANKS or spec.engine.command):
        yield (
            "spec.engine.command",
            (
                f"is required for {spec.engine.type} on several nodes: it must start each by its "
                "POD_GROUP_INDEX, and find the first at $(PODSET_NAME)-0.$(STORM_SERVICE_NAME)"
            ),
        )
    yield from _name_faults(request)
    yield from _role_faults(request)
    yield from _half_faults(request)
    yield from _scaling_faults(request)


def _name_faults(request: DeployRequest) -> Iterator[Fault]:
    """A change to several nodes keeps a name that may have been made for one.

    The nodes find the first by its pod's name, which the controller cuts at the front.
    """
    nodes = request.spec.topology.nodes
    length = longest_pod(request.runtime_name, nodes) if nodes else 0
    if length > MAX_NAME:
        yield (
            "spec.topology.nodes",
            (
                f"cannot be used under the name {request.runtime_name}: the names of its pods "
                f"would have {length} characters, and the nodes find one another only by whole "
                f"names of at most {MAX_NAME}; launch it anew, which gives it a shorter name"
            ),
        )


def _role_faults(request: DeployRequest) -> Iterator[Fault]:
    """Without a pod that answers a replica is never ready, and the Service leads nowhere."""
    roles = request.spec.topology.roles
    if not roles:
        return
    [chosen] = answering(request.spec).values()
    for index, role in enumerate(roles):
        if role.name == chosen and not role.replicas:
            yield (
                f"spec.topology.roles.{index}.replicas",
                f"must be at least 1: {chosen} is the role that answers",
            )


def _half_faults(request: DeployRequest) -> Iterator[Fault]:
    """Halves that are told the same part, or another one than theirs, never answer."""
    spec = request.spec
    halves = {i: role for i, role in enumerate(spec.topology.roles) if is_half(spec, role)}
    told = "is told to prefill and decode by their names; leave it out"
    if halves and SGLANG_MODE in request.engine_args:
        yield f"spec.engine_args.{SGLANG_MODE}", told
    flag = f"--{SGLANG_MODE.replace('_', '-')}"
    if halves and any(word.partition("=")[0] == flag for word in spec.engine.serve_args):
        yield "spec.engine.serve_args", f"{flag}: {told}"
    for index, role in halves.items():
        if role.engine_args.get(SGLANG_MODE, role.name) != role.name:
            yield f"spec.topology.roles.{index}.engine_args.{SGLANG_MODE}", told


def _scaling_faults(request: DeployRequest) -> Iterator[Fault]:
    """Of replicas that are several pods no metric of one pod says how many are needed."""
    topology = request.spec.topology
    if not request.scaling.has_autoscaler:
        return
    if topology.nodes:
        yield (
            "overrides.enable_auto_scaling",
            (
                "cannot be used for several nodes: only the first of them answers, and the others "
                "would count as idle; give a fixed number of replicas"
            ),
        )
    elif topology.roles and request.scaling.metric.type != "pods":
        yield (
            "spec.scaling_defaults.metric.type",
            (
                f"{request.scaling.metric.type} cannot scale replicas of several roles; use pods "
                "with the name of a metric that the engine offers"
            ),
        )
    elif topology.roles and not _METRIC.fullmatch(request.scaling.metric.name):
        yield (
            "spec.scaling_defaults.metric.name",
            (
                "must be the name of a metric as the engine's page has it: letters, digits, _ and "
                f":, with no digit first; {request.scaling.metric.name} was given"
            ),
        )


def _warnings(request: DeployRequest) -> Iterator[Check]:
    spec = request.spec
    if not spec.topology.roles:
        return
    names = {role.name for role in spec.topology.roles}
    if missing := sorted({PREFILL, DECODE} - names):
        message = f"the gateway of AIBrix looks for roles prefill and decode; no {missing[0]} here"
        yield _warn("RoleMissing", message, field="spec.topology.roles")
    if not has_router(spec):
        [chosen] = answering(spec).values()
        message = f"no role routes, so the Service leads to {chosen}: use the gateway of AIBrix"
        yield _warn("RouterMissing", message, field="spec.topology.roles")
    if request.scaling.has_autoscaler:
        message = (
            "a metric that the PodAutoscaler cannot read counts as 0, and it scales down to "
            f"{request.scaling.min_replicas}; look at the metric in the pods first"
        )
        yield _warn("UnreadableMetricCountsAsZero", message, field="spec.scaling_defaults.metric")


def _warn(code: str, message: str, *, field: str) -> Check:
    return Check(code=code, result=Result.WARN, message=message, field=field)

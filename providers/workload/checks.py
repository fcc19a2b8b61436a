"""What a launch needs, held against what a cluster has: accelerators now, quota at any time.

Accelerators that are not free now only warn, since queues and node autoscalers exist; a quota that
has no room for the fewest replicas refuses. Asks nobody: counts come in, checks go out.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from providers.contract.capacity import AcceleratorCapacity, Capacity, Quota
from providers.contract.checks import Check, Result
from providers.contract.quantity import lenient_quantity
from providers.contract.request import DeployRequest
from providers.contract.target import ClusterTarget
from providers.contract.template import Accelerator
from providers.workload.container import accelerator_mapping
from providers.workload.status.wording import count_of

TYPE_FIELD = "spec.accelerator.type"
COUNT_FIELD = "spec.accelerator.count"
MIN_FIELD = "overrides.min_replicas"
MAX_FIELD = "overrides.max_replicas"

_ONE_WORKLOAD = "count/deployments.apps"


@dataclass(frozen=True, kw_only=True, slots=True)
class PodGroup:
    """Pods of one shape: what each asks for, and how many of them make one replica."""

    accelerator: Accelerator
    per_replica: int

    @property
    def accelerators(self) -> int:
        return self.accelerator.per_pod * self.per_replica


@dataclass(frozen=True, kw_only=True, slots=True)
class MadeBeside:
    """What stands beside the pods of a deployment, by the keys that a quota uses.

    `once` counts for the whole, `each` for every replica; its controller makes some of it.
    """

    once: Mapping[str, int] = field(default_factory=dict)
    each: Mapping[str, int] = field(default_factory=dict)


_NOTHING_BESIDE = MadeBeside()


def pod_groups(request: DeployRequest) -> tuple[PodGroup, ...]:
    """Return the pods of one replica by shape: one, one per node, or those of each role."""
    spec = request.spec
    if spec.topology.roles:
        return tuple(
            PodGroup(accelerator=role.accelerator, per_replica=role.replicas)
            for role in spec.topology.roles
        )
    return (PodGroup(accelerator=spec.accelerator, per_replica=spec.topology.nodes or 1),)


def check_accelerators(
    request: DeployRequest, target: ClusterTarget, capacity: Capacity | None
) -> tuple[Check, ...]:
    """Return one check per accelerator type that the launch asks for; none asks: none returned."""
    needed: dict[str, list[PodGroup]] = {}
    for group in pod_groups(request):
        if group.accelerator.per_pod:
            needed.setdefault(group.accelerator.type.casefold(), []).append(group)
    return tuple(_check_type(groups, request, target, capacity) for groups in needed.values())


def _check_type(
    groups: list[PodGroup],
    request: DeployRequest,
    target: ClusterTarget,
    capacity: Capacity | None,
) -> Check:
    name = groups[0].accelerator.type
    if capacity is None:
        return _unknown(f"free {name} accelerators were never counted on cluster {target.name}")
    if capacity.unknown_because:
        why = capacity.unknown_because
        return _unknown(f"free {name} accelerators cannot be counted: {why}")
    counted = capacity.of_type(name)
    if counted is None:
        message = f"cluster {target.name} does not map accelerator type {name}: nobody counted it"
        return _unknown(message)
    return _check_counts(groups, request, counted)


def _unknown(message: str) -> Check:
    return Check(
        code="AcceleratorsUnknown", result=Result.UNKNOWN, message=message, field=TYPE_FIELD
    )


def _check_counts(
    groups: list[PodGroup], request: DeployRequest, counted: AcceleratorCapacity
) -> Check:
    """Check the largest pod against any single node, then all pods against all that is free."""
    largest = max(group.accelerator.per_pod for group in groups)
    wanted = sum(group.accelerators for group in groups) * request.scaling.min_replicas
    name = counted.type
    if largest > counted.total:
        message = f"one pod asks for {largest} {name}, the cluster has {counted.total} in all"
        return _warn(message, COUNT_FIELD)
    if wanted and largest > counted.largest_free_on_one_node:
        message = (
            f"one pod asks for {largest} {name}, no node has more than "
            f"{counted.largest_free_on_one_node} free now; it waits until one does"
        )
        return _warn(message, COUNT_FIELD)
    if wanted > counted.free:
        message = (
            f"{_asking(request.scaling.min_replicas)} {wanted} {name}, "
            f"{counted.free} of {counted.total} are free now; the rest waits"
        )
        return _warn(message, MIN_FIELD)
    message = f"{wanted} {name} needed, {counted.free} of {counted.total} are free"
    return Check(code="AcceleratorsFree", result=Result.PASS, message=message)


def _warn(message: str, at: str) -> Check:
    return Check(code="InsufficientAccelerator", result=Result.WARN, message=message, field=at)


def check_quotas(
    request: DeployRequest,
    target: ClusterTarget,
    quotas: Sequence[Quota],
    beside: MadeBeside = _NOTHING_BESIDE,
) -> tuple[Check, ...]:
    """Return what the quotas of the namespace say; one pass where there is room under all.

    Counts what the launch adds, so a change of a running deployment must take its own share out of
    `used` first. Only lines that the cluster enforces are given (`count_quotas`).
    """
    each = {name: Decimal(number) for name, number in beside.each.items()}
    needs = {**_needs_of_replica(request, target), **each}
    found = (
        *(check for quota in quotas for check in _check_quota(quota, request, needs)),
        *(check for quota in quotas for check in _check_once(quota, beside)),
    )
    if found or not quotas:
        return found
    names = ", ".join(sorted({quota.quota for quota in quotas}))
    return (Check(code="QuotaLeft", result=Result.PASS, message=f"quota {names} has room"),)


def _needs_of_replica(request: DeployRequest, target: ClusterTarget) -> Mapping[str, Decimal]:
    """Return what one replica counts for, by the keys that a quota uses."""
    resources = request.spec.resources
    given = {
        "cpu": resources.cpu,
        "memory": resources.memory,
        "ephemeral-storage": resources.ephemeral_storage,
    }
    groups = pod_groups(request)
    pods = Decimal(sum(group.per_replica for group in groups))
    needs = {"pods": pods, "count/pods": pods}
    for name, text in given.items():
        if text is not None:
            each = lenient_quantity(text) * pods
            needs |= {name: each, f"requests.{name}": each}
    for group in groups:
        if group.accelerators:
            resource = f"requests.{accelerator_mapping(group.accelerator, target).resource}"
            needs[resource] = needs.get(resource, Decimal(0)) + group.accelerators
    return needs


def _check_quota(
    quota: Quota, request: DeployRequest, needs: Mapping[str, Decimal]
) -> Iterator[Check]:
    if quota.resource == _ONE_WORKLOAD:
        if quota.free < 1:
            yield _fail(f"quota {quota.quota} allows no more Deployments ({_used(quota)})", "")
        return
    each = needs.get(quota.resource)
    if each is None:
        yield from _check_given(quota)
        return
    low, high = request.scaling.min_replicas, request.scaling.max_replicas
    if each * low > quota.free:
        yield _fail(_sentence(quota, each * low, low), MIN_FIELD)
    elif each * high > quota.free:
        yield Check(
            code="QuotaExceeded",
            result=Result.WARN,
            message=_sentence(quota, each * high, high),
            field=MAX_FIELD,
        )


def _check_once(quota: Quota, beside: MadeBeside) -> Iterator[Check]:
    wanted = Decimal(beside.once.get(quota.resource, 0))
    if wanted > quota.free:
        asked = f"it takes {_plain(wanted)} {quota.resource}, with what its controller makes"
        left = f"{_plain(quota.free)} left under quota {quota.quota} ({_used(quota)})"
        yield _fail(f"{asked}; {left}", "")


def _check_given(quota: Quota) -> Iterator[Check]:
    """Warn of a quota that wants a number that the template does not give: it refuses such pods.

    Only a warning, since a LimitRange of the namespace may fill the number in.
    """
    name = quota.resource.removeprefix("requests.").removeprefix("limits.")
    if name not in {"cpu", "memory", "ephemeral-storage"}:
        return
    member = name.replace("-", "_")
    limits = quota.resource.startswith("limits.")
    message = (
        f"quota {quota.quota} refuses pods without a {name} limit, and templates set none"
        if limits
        else f"quota {quota.quota} refuses pods without {quota.resource}; set resources.{member}"
    )
    field = "" if limits else f"spec.resources.{member}"
    yield Check(
        code="QuotaWantsNumbers",
        result=Result.WARN,
        message=f"{message}, unless the namespace has defaults",
        field=field,
    )


def _sentence(quota: Quota, wanted: Decimal, replicas: int) -> str:
    asked = f"{_asking(replicas)} {_plain(wanted)} {quota.resource}"
    return f"{asked}, {_plain(quota.free)} left under quota {quota.quota} ({_used(quota)})"


def _asking(replicas: int) -> str:
    return f"{count_of(replicas, 'replica')} {'asks' if replicas == 1 else 'ask'} for"


def _used(quota: Quota) -> str:
    return f"{_plain(quota.used)} of {_plain(quota.hard)} used"


def _fail(message: str, at: str) -> Check:
    return Check(code="QuotaExceeded", result=Result.FAIL, message=message, field=at)


def _plain(number: Decimal) -> str:
    """Return a number without exponent or idle zeros, bytes in the largest unit that is whole."""
    for suffix, size in (("Ti", 2**40), ("Gi", 2**30), ("Mi", 2**20)):
        if number >= size and number % size == 0:
            return f"{number // size}{suffix}"
    return f"{number.normalize():f}"

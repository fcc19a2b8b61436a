"""How this kind replaces whole replicas: what `auto` means here, and its update strategy.

A surge needs accelerators for all pods of one more replica. The controller knows no Recreate: all
replicas unavailable at once comes to the same.
"""

from collections.abc import Iterator, Mapping

from providers.contract.capacity import Capacity
from providers.contract.manifest import Manifest
from providers.contract.request import Rollout
from providers.contract.target import ClusterTarget
from providers.contract.template import Accelerator, TemplateSpec
from providers.workload.spare import quota_left

_STRATEGIES: Mapping[Rollout, tuple[int | str, int | str]] = {
    Rollout.SURGE: (1, 0),
    Rollout.REPLACE: (0, 1),
    Rollout.RECREATE: (0, "100%"),
}


def update_strategy(rollout: Rollout) -> Manifest:
    """Return `spec.updateStrategy`; without it the controller would let one be unavailable."""
    surge, unavailable = _STRATEGIES[rollout]
    return {"type": "RollingUpdate", "maxSurge": surge, "maxUnavailable": unavailable}


def resolve(
    strategy: str,
    spec: TemplateSpec,
    target: ClusterTarget,
    *,
    namespace: str,
    capacity: Capacity | None,
) -> Rollout:
    """Return surge where every pod of one more replica finds a place, or nobody knows."""
    if strategy != "auto":
        return Rollout(strategy)
    needed: dict[str, int] = {}
    for accelerator, pods in _pods(spec):
        left = quota_left(accelerator, target, namespace=namespace, capacity=capacity)
        largest, free = _free(accelerator, capacity)
        kind = accelerator.type.casefold()
        needed[kind] = needed.get(kind, 0) + accelerator.per_pod * pods
        bounds = ((largest, accelerator.per_pod), (free, needed[kind]), (left, needed[kind]))
        if any(have is not None and have < want for have, want in bounds):
            return Rollout.REPLACE
    return Rollout.SURGE


def _pods(spec: TemplateSpec) -> Iterator[tuple[Accelerator, int]]:
    """Yield the accelerators of each shape of pods, and how many of those make up a replica."""
    for role in spec.topology.roles:
        yield role.accelerator, role.replicas
    if not spec.topology.roles:
        yield spec.accelerator, spec.topology.nodes or 1


def _free(accelerator: Accelerator, capacity: Capacity | None) -> tuple[int | None, int | None]:
    """Return the most that is free on one node, and in all; None where nobody has counted."""
    if capacity is None or capacity.unknown_because or accelerator.is_cpu:
        return None, None
    counted = capacity.of_type(accelerator.type)
    return (counted.largest_free_on_one_node, counted.free) if counted else (None, None)

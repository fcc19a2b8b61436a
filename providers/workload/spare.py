"""Accelerators that a change needs beside those in use, held against what is free.

Pure arithmetic. A pod takes all of its accelerators from one node, so the largest number that is
free on one bounds each pod; a type that the old pods do not use gets nothing back from them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from providers.contract.capacity import AcceleratorCapacity, Capacity
from providers.contract.changing import Fit, Spare
from providers.contract.request import DeployRequest
from providers.contract.target import ClusterTarget
from providers.contract.template import Accelerator
from providers.workload.checks import pod_groups
from providers.workload.container import accelerator_mapping
from providers.workload.rollout import RollingPods


@dataclass(frozen=True, kw_only=True, slots=True)
class Needs:
    """A change on its way: `held` replicas of the first request run, `pods` is how they go."""

    before: DeployRequest
    after: DeployRequest
    held: int
    pods: RollingPods


@dataclass(frozen=True, kw_only=True, slots=True)
class _Replica:
    """What one replica holds of one type: its pods, the largest of them, and all together."""

    accelerator: Accelerator
    pods: int = 0
    per_pod: int = 0
    accelerators: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class _Step:
    """One type's way from old replicas to new ones."""

    old: _Replica
    new: _Replica
    needs: Needs

    @property
    def beside(self) -> int:
        """Return the most accelerators in use at a time, beyond those that are in use now.

        The most are there either when the first new pods have come beside all old ones, or when
        the last old ones wait beside all new ones.
        """
        wanted, surge = self.needs.pods.replicas, min(self._surge, self.needs.pods.replicas)
        first = surge * self.new.accelerators + self._left * self.old.accelerators
        last = wanted * self.new.accelerators + min(surge, self._left) * self.old.accelerators
        return max(0, max(first, last) - self.needs.held * self.old.accelerators)

    @property
    def pods(self) -> int:
        """Return the pods that must find a place while every old one keeps its own."""
        wanted = self.needs.pods.replicas
        kept = self.needs.held if self.old.accelerators else 0
        return max(0, wanted + min(self._surge, wanted) - kept) * self.new.pods

    @property
    def grows(self) -> bool:
        """Tell whether a new pod needs more than the place that an old one leaves."""
        return 0 < self.old.per_pod < self.new.per_pod

    @property
    def _surge(self) -> int:
        return self.needs.pods.surge if self.old.accelerators else 0

    @property
    def _left(self) -> int:
        """Return old replicas that wait for the first new ones: none if none or all go at once."""
        pods = self.needs.pods
        goes_on = bool(pods.surge or pods.unavailable) and pods.unavailable < pods.replicas
        return pods.replicas if goes_on else 0


def spare_for(
    needs: Needs, target: ClusterTarget, *, capacity: Capacity | None
) -> tuple[Spare, ...]:
    """Return what is needed beside what runs, by type; none where the change needs nothing more."""
    old = _replicas(needs.before)
    steps = [
        _Step(old=old.get(name, _Replica(accelerator=new.accelerator)), new=new, needs=needs)
        for name, new in _replicas(needs.after).items()
    ]
    return tuple(_held_against(step, target, capacity) for step in steps if step.beside)


def quota_left(
    accelerator: Accelerator, target: ClusterTarget, *, namespace: str, capacity: Capacity | None
) -> int | None:
    """Return what the tightest quota of a namespace leaves, None where no quota counts a type."""
    resource = f"requests.{accelerator_mapping(accelerator, target).resource}"
    lines = (
        line.free
        for space in (capacity.namespaces if capacity else ())
        if space.name == namespace
        for line in space.quotas
        if line.resource == resource
    )
    tightest = min(lines, default=None)
    return None if tightest is None else int(tightest)


def _replicas(request: DeployRequest) -> Mapping[str, _Replica]:
    """Return what one replica of a request holds, by type in lower case."""
    held: dict[str, _Replica] = {}
    for group in pod_groups(request):
        if group.accelerator.per_pod:
            name = group.accelerator.type.casefold()
            so_far = held.get(name, _Replica(accelerator=group.accelerator))
            held[name] = _Replica(
                accelerator=group.accelerator,
                pods=so_far.pods + group.per_replica,
                per_pod=max(so_far.per_pod, group.accelerator.per_pod),
                accelerators=so_far.accelerators + group.accelerators,
            )
    return held


def _held_against(step: _Step, target: ClusterTarget, capacity: Capacity | None) -> Spare:
    accelerator = step.new.accelerator
    counted = _counted(accelerator, capacity)
    needed = Spare(
        type=accelerator.type,
        per_pod=step.new.per_pod,
        pods=step.pods,
        accelerators=step.beside,
        free=counted.free if counted else None,
        largest_free_on_one_node=counted.largest_free_on_one_node if counted else None,
        quota_left=quota_left(
            accelerator, target, namespace=step.needs.after.namespace, capacity=capacity
        ),
    )
    return replace(needed, fit=_fit(needed, step))


def _counted(accelerator: Accelerator, capacity: Capacity | None) -> AcceleratorCapacity | None:
    if capacity is None or capacity.unknown_because:
        return None
    return capacity.of_type(accelerator.type)


def _fit(needed: Spare, step: _Step) -> Fit:
    """Return a verdict: how several pods divide among nodes no sum can tell, so that is unknown."""
    if needed.quota_left is not None and needed.quota_left < needed.accelerators:
        return Fit.SHORT
    if needed.free is None or needed.largest_free_on_one_node is None:
        return Fit.UNKNOWN
    largest = needed.largest_free_on_one_node
    least = needed.per_pod if needed.pods else needed.per_pod - step.old.per_pod
    if needed.free < needed.accelerators or largest < least:
        return Fit.SHORT
    certain = needed.per_pod == 1 or needed.pods <= largest // needed.per_pod
    return Fit.FITS if certain and not step.grows else Fit.UNKNOWN

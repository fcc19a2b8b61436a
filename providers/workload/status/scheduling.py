"""Rows 10 and 11: a pod without a node, and what the scheduler says it lacks.

Reads `0/3 nodes are available: 3 Insufficient nvidia.com/gpu, ...`; the causes count by node.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import zip_longest

from providers.contract.status import Phase
from providers.workload.capacity import pod_needs
from providers.workload.objects import Condition, Pod, condition_of, moment, present
from providers.workload.status.facts import Facts, created_at
from providers.workload.status.hits import Hit
from providers.workload.status.wording import count_of, duration, joined, short

SCHEDULER_DECIDES_WITHIN_SECONDS = 15

_INSUFFICIENT = re.compile(r"Insufficient (?P<resource>[\w./-]*\w)")
_NODES_AVAILABLE = re.compile(r"^\d+/\d+ nodes are available: ")
_COUNTED = re.compile(r"(?:^|, )(?P<nodes>\d+) ")
# What the scheduler adds about its way out, claims since Kubernetes 1.34 first.
_PREEMPTION = re.compile(
    r"\.?(?: *no new claims to deallocate,?)?(?: *preemption: .*)?$", re.DOTALL
)

_SAID_TWICE = re.compile(r"(?<= not found)\. not found$")

# What stands in the scheduler's words for each reason that concerns the kind of node; of several
# the one that shuts out most nodes counts, then the one that stands first here.
_NODE_CAUSES = (
    ("VolumeUnbound", ("volume node affinity conflict", "persistent volumes to bind")),
    ("UntoleratedTaint", ("untolerated taint", "that the pod didn't tolerate")),
    (
        "NodeSelectorMismatch",
        ("node affinity/selector", "node selector", "node affinity", "topology spread"),
    ),
)
_VOLUME_WORDS = ("unbound immediate persistentvolumeclaims", "persistentvolumeclaim")

_NEXT_STEPS = {
    "InsufficientAccelerator": "free some, add nodes or ask for fewer",
    "InsufficientCpu": "lower resources.cpu or add nodes",
    "InsufficientMemory": "lower resources.memory or add nodes",
    "UntoleratedTaint": "give the cluster's accelerator mapping a toleration",
    "NodeSelectorMismatch": "check the node selector of the cluster's accelerator mapping",
    "VolumeUnbound": "check the claim that the cache names",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Lack:
    """What a pod waits for: a reason of the table, and the resource where it is one."""

    reason: str
    resource: str = ""


def read_scheduler(message: str) -> Lack:
    """Return what the scheduler's words mean."""
    told = without_preemption(message)
    if any(word in told.casefold() for word in _VOLUME_WORDS):
        return Lack(reason="VolumeUnbound")
    return _lacking_resource(told) or _lacking_node(told) or Lack(reason="Unschedulable")


def without_preemption(message: str) -> str:
    """Return why no node fits, without what was thought of doing about it.

    Of a claim that is missing the scheduler says so twice.
    """
    return _SAID_TWICE.sub("", _PREEMPTION.sub("", message))


def _lacking_resource(told: str) -> Lack | None:
    """Return the scarcest kind of resource: an accelerator before cpu before memory."""
    resources = sorted(set(_INSUFFICIENT.findall(told)))
    accelerator = next((name for name in resources if "/" in name), "")
    if accelerator:
        return Lack(reason="InsufficientAccelerator", resource=accelerator)
    for resource, reason in (("cpu", "InsufficientCpu"), ("memory", "InsufficientMemory")):
        if resource in resources:
            return Lack(reason=reason, resource=resource)
    return None


def _lacking_node(told: str) -> Lack | None:
    causes = _NODES_AVAILABLE.sub("", told)
    counted = [(_nodes_shut_out(causes, words), reason) for reason, words in _NODE_CAUSES]
    most, reason = max(counted, key=lambda pair: pair[0])
    return Lack(reason=reason) if most else None


def _nodes_shut_out(causes: str, words: tuple[str, ...]) -> int:
    starts = [*_COUNTED.finditer(causes)]
    ends = [start.start() for start in starts[1:]]
    return sum(
        int(start["nodes"])
        for start, end in zip_longest(starts, ends)
        if any(word in causes[start.start() : end] for word in words)
    )


def find_unscheduled(seen: Facts) -> Iterator[Hit]:
    """Row 10: pods that no node takes, for longer than the scheduler needs to look."""
    found: dict[str, list[tuple[Pod, Condition, Lack]]] = {}
    for pod in seen.current:
        refused = lack_of(seen, pod)
        if refused is not None:
            condition, lack = refused
            found.setdefault(lack.reason, []).append((pod, condition, lack))
    for waiting in found.values():
        yield _unscheduled(seen, waiting)


def lack_of(seen: Facts, pod: Pod) -> tuple[Condition, Lack] | None:
    """Return what keeps a pod from a node; None while it is no fault yet."""
    condition = _unschedulable(pod)
    if condition is None or not _has_waited(seen, pod, condition):
        return None
    lack = read_scheduler(condition.message or "")
    return None if _waits_for_leaving(seen, lack) else (condition, lack)


def _unschedulable(pod: Pod) -> Condition | None:
    condition = condition_of(pod.seen.conditions, "PodScheduled")
    refused = condition is not None and condition.is_false and condition.reason == "Unschedulable"
    return condition if refused else None


def _since(pod: Pod, condition: Condition) -> datetime | None:
    return moment(condition.last_transition_time) or created_at(pod)


def _has_waited(seen: Facts, pod: Pod, condition: Condition) -> bool:
    return seen.is_older(_since(pod, condition), SCHEDULER_DECIDES_WITHIN_SECONDS)


def _waits_for_leaving(seen: Facts, lack: Lack) -> bool:
    """Tell whether a copy that is terminating still holds what is missing: no fault before that."""
    is_accelerator = lack.reason == "InsufficientAccelerator"
    return is_accelerator and any(_holds(pod, lack.resource) for pod in seen.leaving)


def _holds(pod: Pod, resource: str) -> bool:
    containers = present(pod.wanted.containers)
    return bool(pod.node_name) and any(resource in container.requests for container in containers)


def _unscheduled(seen: Facts, waiting: list[tuple[Pod, Condition, Lack]]) -> Hit:
    pod, condition, lack = waiting[0]
    reason, message = lack.reason, _sentence(waiting)
    holders = [old for old in seen.old if old.is_ready and _holds(old, lack.resource)]
    if lack.reason == "InsufficientAccelerator" and holders:
        reason = "RolloutNeedsSpareAccelerator"
        message = _held_by_old(seen, pod, lack.resource, holders)
    return stalled(
        seen,
        Hit(
            row=10,
            phase=Phase.DEGRADED if seen.serving else Phase.DEPLOYING,
            reason=reason,
            message=message,
            object=f"Pod {pod.name}",
        ),
        _since(pod, condition),
    )


def _held_by_old(seen: Facts, pod: Pod, resource: str, holders: list[Pod]) -> str:
    """Return what the new revision waits for, and the strategy that would make room for it."""
    needed = int(pod_needs(pod).get(resource, 0))
    strategy = "replace" if seen.workload is None or seen.workload.surges else "recreate"
    return (
        f"the new revision waits for {resource}, which the old one holds on "
        f"{joined(sorted({old.node_name for old in holders}))}; "
        f"free {'one' if needed == 1 else needed}, or roll out by {strategy}"
    )


def _sentence(waiting: list[tuple[Pod, Condition, Lack]]) -> str:
    _, condition, lack = waiting[0]
    told = short(without_preemption(condition.message or "the scheduler gives no reason"))
    step = _NEXT_STEPS.get(lack.reason, "")
    return f"no node takes {count_of(len(waiting), 'pod')}: {told}{'; ' + step if step else ''}"


def find_gated(seen: Facts) -> Iterator[Hit]:
    """Row 11: somebody holds the pods back from the scheduler; no event tells of it."""
    gated = [pod for pod in seen.current if pod.wanted.scheduling_gates and not pod.node_name]
    if not gated:
        return
    gates = {gate.name or "?" for pod in gated for gate in present(pod.wanted.scheduling_gates)}
    message = f"{count_of(len(gated), 'pod')} held back by scheduling gate {joined(sorted(gates))}"
    hit = Hit(
        row=11,
        phase=Phase.DEPLOYING,
        reason="SchedulingGated",
        message=message,
        object=f"Pod {gated[0].name}",
    )
    yield stalled(seen, hit, created_at(gated[0]))


def stalled(seen: Facts, hit: Hit, since: datetime | None) -> Hit:
    """Return the hit as a fault, its reason kept, once nothing has moved past the deadline."""
    age = seen.age(since)
    if age is None or age <= seen.deadline_seconds:
        return hit
    message = f"{hit.message}; nothing has moved within {duration(seen.deadline_seconds)}"
    return seen.fault(hit.row, hit.reason, message, hit.object)

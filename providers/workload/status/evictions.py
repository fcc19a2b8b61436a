"""Row 16: pods that the cluster took away: evicted, preempted, or lost with their node."""

from collections.abc import Iterator
from datetime import datetime

from providers.contract.status import Evidence, Phase
from providers.workload.objects import Event, Pod, condition_of, moment, present
from providers.workload.status.facts import Facts, created_at
from providers.workload.status.hits import Hit
from providers.workload.status.wording import short

_PREEMPTED = frozenset({"Preempting", "Preempted", "PreemptionByScheduler"})
_LOST = frozenset({"NodeLost", "NodeShutdown", "Terminated", "Shutdown", "Unknown"})
_TOLD = {
    "Evicted": "a pod was evicted",
    "Preempted": "a pod had to make room for one of higher priority",
    "NodeLost": "a node was lost",
}
_EVENT_REASONS = frozenset({"Evicted", "Preempted"})


def find_taken_pods(seen: Facts) -> Iterator[Hit]:
    """Row 16: counts until a new pod is ready in the place of the one that was taken."""
    if seen.is_full or seen.desired == 0:
        return
    for pod in _taken_pods(seen):
        yield _taken(seen, _why_taken(pod), _words(pod), f"Pod {pod.name}")
    for event in seen.events:
        if event.reason in _EVENT_REASONS and _is_gone(seen, event) and _is_recent(seen, event.at):
            where = f"Pod {event.about.name or '?'}"
            yield _taken(seen, event.reason or "", short(event.message), where)
    yield from _remembered(seen)
    yield from _lost_nodes(seen)


def note_taken(seen: Facts) -> Iterator[Evidence]:
    """Tell of pods that were taken while all is ready again: once is bad luck, often is not."""
    if not seen.is_full or seen.desired == 0:
        return
    taken = sorted(_taken_pods(seen), key=lambda pod: str(_taken_at(pod)))
    for reason in sorted({_why_taken(pod) for pod in taken}):
        lost = [pod for pod in taken if _why_taken(pod) == reason]
        counted = f", {len(lost)} times lately" if len(lost) > 1 else ""
        words = _words(lost[-1])
        message = f"{_TOLD[reason]}{counted}{': ' + words if words else ''}"
        where = f"Pod {lost[-1].name}"
        yield Evidence(reason=reason, message=message, object=where, row=16)


def _taken_pods(seen: Facts) -> list[Pod]:
    """Return the pods of the current revision that were taken and are still to be seen."""
    return [
        pod
        for pod in (*seen.finished, *seen.leaving)
        if _why_taken(pod) and _is_ours(seen, pod) and _is_recent(seen, _taken_at(pod))
    ]


def _remembered(seen: Facts) -> Iterator[Hit]:
    """Keep a preemption in mind: it leaves one normal event, which not every look reads."""
    last = seen.known.last_status
    if last is None or any(event.reason == "Preempted" for event in seen.events):
        return
    here = {f"Pod {pod.name}" for pod in seen.bundle.pods}
    for item in last.evidence:
        if item.reason == "Preempted" and item.object not in here:
            yield _hit(seen, "Preempted", item.message, item.object)


def _taken(seen: Facts, reason: str, words: str, where: str) -> Hit:
    return _hit(seen, reason, f"{_TOLD[reason]}{': ' + words if words else ''}", where)


def _hit(seen: Facts, reason: str, message: str, where: str) -> Hit:
    degraded = bool(seen.serving) or seen.known.once_full
    phase = Phase.DEGRADED if degraded else Phase.DEPLOYING
    return Hit(row=16, phase=phase, reason=reason, message=message, object=where)


def _why_taken(pod: Pod) -> str:
    reason = pod.seen.reason or ""
    target = condition_of(pod.seen.conditions, "DisruptionTarget")
    disrupted = (target.reason or "") if target and target.is_true else ""
    if reason == "Evicted" or disrupted in {"EvictionByEvictionAPI", "TerminationByKubelet"}:
        return "Evicted"
    if reason in _PREEMPTED or disrupted in _PREEMPTED:
        return "Preempted"
    lost = reason in _LOST or disrupted in {"DeletionByTaintManager", "DeletionByPodGC"}
    return "NodeLost" if lost else ""


def _words(pod: Pod) -> str:
    target = condition_of(pod.seen.conditions, "DisruptionTarget")
    return short(pod.seen.message or (target.message if target else ""))


def _taken_at(pod: Pod) -> datetime | None:
    target = condition_of(pod.seen.conditions, "DisruptionTarget")
    at = moment(target.last_transition_time) if target else None
    return at or moment(pod.meta.deletion_timestamp) or created_at(pod)


def _is_ours(seen: Facts, pod: Pod) -> bool:
    mark = seen.bundle.current
    return mark is not None and mark.is_on(pod)


def _is_recent(seen: Facts, at: datetime | None) -> bool:
    return not seen.is_older(at, seen.deadline_seconds)


def _is_gone(seen: Facts, event: Event) -> bool:
    """Tell whether an event is about a pod of the current revision that is no more."""
    name = event.about.name or ""
    if any(pod.name == name for pod in seen.bundle.pods):
        return False
    mark = seen.bundle.current
    return any(
        bool(item.name) and name.startswith(f"{item.name}-")
        for item in seen.bundle.replica_sets
        if mark is not None and mark.is_on(item)
    )


def _lost_nodes(seen: Facts) -> Iterator[Hit]:
    """Find pods that are not ready because their node is silent: the pod itself says nothing."""
    silent = {
        node.name
        for node in present(seen.bundle.nodes)
        if not node.is_ready and node.status and node.status.conditions
    }
    for pod in seen.current:
        if pod.node_name in silent and not pod.is_ready:
            words = f"node {pod.node_name} does not answer"
            yield _taken(seen, "NodeLost", words, f"Pod {pod.name}")

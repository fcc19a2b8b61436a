"""What keeps RoleSets and pods from being made, and where AIBrix's controllers say so.

A RoleSet that is refused is told by the StormService, a pod by its RoleSet. Of several nodes the
RoleSet says nothing: an event about the PodSet does, which stays for an hour. So it counts only
while that PodSet lacks a pod and none was made since.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime

from providers.stormservice.objects import LABEL_POD_SET, PodSet, RoleSet, StormService
from providers.workload.objects import Condition, Event, Pod, condition_of, moment, present
from providers.workload.shape import Carried

POD_SET = "PodSet"

# What the controller puts before each refusal of the API server, in brackets around them all.
_REFUSED_POD = "sync pod error "
_TELLING, _NOT_MADE = "ReconcileError", "failed to create pod"


def refused_of(found: StormService, sets: Sequence[RoleSet], seen: Carried) -> str:
    """Return why something cannot be made, by the object nearest to the cause that says so."""
    for item in sets:
        told = _failure(item.conditions)
        if told:
            return first_refusal(told)
    return _failure(found.conditions) or _refused_in(_below(sets, seen), seen)


def first_refusal(words: str) -> str:
    """Return the first of several refusals, as the API server put it."""
    told = [part.strip(" ,[]") for part in words.strip("[]").split(_REFUSED_POD)]
    return next((part for part in told if part), "")


def _failure(conditions: Iterable[Condition]) -> str:
    failure = condition_of(conditions, "ReplicaFailure")
    return (failure.message or failure.reason or "") if failure and failure.is_true else ""


def _below(sets: Iterable[RoleSet], seen: Carried) -> list[PodSet]:
    """Return the PodSets of these RoleSets that are to stay."""
    above = {item.uid for item in sets}
    pod_sets: tuple[PodSet, ...] = seen.further.get(POD_SET, ())
    staying = (item for item in pod_sets if not item.is_terminating)
    return [item for item in staying if item.controller and item.controller.uid in above]


def _refused_in(pod_sets: Iterable[PodSet], seen: Carried) -> str:
    for pod_set in pod_sets:
        pods = [pod for pod in seen.pods if _is_in(pod, pod_set)]
        if len(pods) < pod_set.size and (told := _newest_word(pod_set, pods, seen.events)):
            return told
    return ""


def _is_in(pod: Pod, pod_set: PodSet) -> bool:
    return pod.labels.get(LABEL_POD_SET) == pod_set.name and not pod.is_terminating


def _newest_word(pod_set: PodSet, pods: Iterable[Pod], events: Iterable[Event]) -> str:
    """Return what was last said of a pod that could not be made, unless one was made since."""
    told = [event for event in events if _is_refusal(event, pod_set)]
    newest = max(told, key=_time_of, default=None)
    made = max(present(moment(pod.meta.creation_timestamp) for pod in pods), default=None)
    if newest is None or (made and newest.at and newest.at < made):
        return ""
    return newest.message or ""


def _is_refusal(event: Event, pod_set: PodSet) -> bool:
    about = (event.about.kind, event.about.name)
    is_it = about == (POD_SET, pod_set.name) and event.reason == _TELLING
    return is_it and _NOT_MADE in (event.message or "")


def _time_of(event: Event) -> float:
    at: datetime | None = event.at
    return at.timestamp() if at else 0.0

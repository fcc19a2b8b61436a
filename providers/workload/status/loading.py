"""Rows 18 and 19: pods on their way to ready, within the time that the template gives them."""

from collections.abc import Iterator
from datetime import datetime

from providers.contract.status import Phase
from providers.workload.objects import Pod, condition_of, moment, present
from providers.workload.status.facts import Facts, scheduled_at
from providers.workload.status.hits import Hit
from providers.workload.status.scale import missing_in
from providers.workload.status.scheduling import lack_of, stalled
from providers.workload.status.wording import count_of, duration, exit_code, short

# What a container may wait for and be on its way.
_ON_ITS_WAY = frozenset({"", "ContainerCreating", "PodInitializing"})


def find_loading(seen: Facts) -> Iterator[Hit]:
    """Row 18: one hit for all pods that are on their way; loading is the furthest of them."""
    if not seen.is_watched:
        return
    loading = [pod for pod in seen.current if _is_loading(seen, pod)]
    starting = [pod for pod in seen.current if _is_starting(seen, pod)]
    pods = loading or starting
    if pods:
        told = _loading_words(seen, loading) if loading else _starting_words(seen, starting)
        yield _on_its_way(seen, told, pods[0])
    elif _awaits_first_pods(seen):
        missing = count_of(missing_in(seen), "pod")
        hit = Hit(
            row=18,
            phase=Phase.DEPLOYING,
            reason="Starting",
            message=f"{missing} not made yet",
            object=seen.where,
        )
        yield stalled(seen, hit, seen.begun_at)


def _awaits_first_pods(seen: Facts) -> bool:
    return not seen.known.once_full and not seen.old and missing_in(seen) > 0


def _on_its_way(seen: Facts, told: tuple[str, str], pod: Pod) -> Hit:
    reason, message = told
    hit = Hit(
        row=18, phase=Phase.DEPLOYING, reason=reason, message=message, object=f"Pod {pod.name}"
    )
    if not seen.was_full:
        return stalled(seen, hit, scheduled_at(pod))
    scaling = Hit(
        row=18, phase=Phase.SCALING, reason="ScalingUp", message=message, object=hit.object
    )
    late = stalled(seen, hit, running_since(pod) or _stopped_at(pod) or scheduled_at(pod))
    return scaling if late is hit else late


def _loading_words(seen: Facts, pods: list[Pod]) -> tuple[str, str]:
    """Say what is allowed rather than what has passed: a sentence that ticks is news each time."""
    allowed = duration(seen.known.startup_budget_seconds)
    again = _starting_again(pods)
    if len(again) == len(pods):
        told = f"{_again_words(again)}; {allowed} are allowed to load the model"
        return "LoadingModel", told
    told = f"{count_of(len(pods), 'pod')} loading the model, {allowed} are allowed"
    return "LoadingModel", f"{told}; {_again_words(again)}" if again else told


def _starting_again(pods: list[Pod]) -> dict[str, str]:
    """Return what ended before, by the pods of which a container is not started for the first time.

    A killed replica is told of as that, for nobody asked for more of them.
    """
    found: dict[str, str] = {}
    for pod in pods:
        for status in present(pod.seen.container_statuses):
            ended = status.now.terminated or status.before.terminated
            if ended is not None and not status.ready:
                code = exit_code(ended.exit_code, ended.signal)
                found.setdefault(pod.name, f"container {status.name} ended with {code}")
    return found


def _again_words(again: dict[str, str]) -> str:
    """Say how many pods start again, and how the container of the first of them ended."""
    first = next(iter(again.values()))
    return f"{count_of(len(again), 'pod')} starting again after {first}"


def _starting_words(seen: Facts, pods: list[Pod]) -> tuple[str, str]:
    pulling = [pod for pod in pods if _is_pulling(seen, pod)]
    if pulling:
        return "Pulling", f"{count_of(len(pulling), 'pod')} pulling the image"
    waiting = [pod for pod in pods if not pod.node_name]
    if waiting and seen.leaving:
        return "Starting", f"{count_of(len(waiting), 'pod')} waiting for the old copy to stop"
    if waiting:
        return "Starting", f"{count_of(len(waiting), 'pod')} waiting for a node"
    initial = next((name for pod in pods for name in _running_init(pod)), "")
    if initial:
        return "Starting", f"init container {initial} is running"
    again = _starting_again(pods)
    if again:
        return "Starting", _again_words(again)
    whose = "its image" if len(pods) == 1 else "their images"
    return "Starting", f"{count_of(len(pods), 'pod')} being created, {whose} pulled if need be"


def _running_init(pod: Pod) -> Iterator[str]:
    for status in present(pod.seen.init_container_statuses):
        if status.now.running is not None and not status.started:
            yield status.name or "?"


def _is_pulling(seen: Facts, pod: Pod) -> bool:
    """Tell by events, or by the last verdict where only warnings were read: a pull goes on."""
    if not seen.hears_all_of(pod):
        return seen.remembers("Pulling", f"Pod {pod.name}")
    told = [event.reason for event in seen.events_of(pod) if event.reason in {"Pulling", "Pulled"}]
    return bool(told) and told[-1] == "Pulling"


def running_since(pod: Pod) -> datetime | None:
    """Return when the last of its unready app containers began to run, None while one does not."""
    begun: list[datetime] = []
    for status in present(pod.seen.container_statuses):
        running = status.now.running
        if running is None:
            return None
        at = moment(running.started_at)
        if at is not None:
            begun.append(at)
    return max(begun, default=scheduled_at(pod) if pod.seen.container_statuses else None)


def _stopped_at(pod: Pod) -> datetime | None:
    """Return when the last run of a container ended, None where none has."""
    ends = (status.now.terminated for status in present(pod.seen.container_statuses))
    return max(present(moment(end.finished_at) for end in ends if end), default=None)


def _is_running(pod: Pod) -> bool:
    statuses = present(pod.seen.container_statuses)
    return bool(statuses) and all(status.now.running is not None for status in statuses)


def _is_loading(seen: Facts, pod: Pod) -> bool:
    if pod.is_ready or not _is_running(pod):
        return False
    return not seen.is_older(running_since(pod), seen.known.startup_budget_seconds)


def _is_starting(seen: Facts, pod: Pod) -> bool:
    """Tell whether a pod has no container up yet and none that waits for a fault."""
    if pod.is_ready or _is_running(pod) or pod.wanted.scheduling_gates:
        return False
    if lack_of(seen, pod) is not None:
        return False
    statuses = (*(pod.seen.init_container_statuses or ()), *(pod.seen.container_statuses or ()))
    waits = [status.now.waiting for status in present(statuses)]
    return all((waiting.reason or "") in _ON_ITS_WAY for waiting in present(waits))


def find_never_ready(seen: Facts) -> Iterator[Hit]:
    """Row 19: running past the budget, and the engine does not say that it is ready."""
    late = [
        pod
        for pod in seen.current
        if not pod.is_ready and _is_running(pod) and not _is_loading(seen, pod)
    ]
    if late:
        pod, allowed = late[0], duration(seen.known.startup_budget_seconds)
        message = (
            f"{count_of(len(late), 'pod')} running and still not ready, {allowed} were allowed"
            f"{_probe_words(seen, pod)}"
        )
        yield seen.fault(19, "ReadinessFailing", message, f"Pod {pod.name}")


def _probe_words(seen: Facts, pod: Pod) -> str:
    told = [event.message for event in seen.events_of(pod) if event.reason == "Unhealthy"]
    if told:
        return f": {short(told[-1])}"
    ready = condition_of(pod.seen.conditions, "Ready")
    return f": {short(ready.message)}" if ready and ready.message else ""

"""Pods in words: kubectl's word for each, and the cause beside it in one sentence.

The word is made as `kubectl get pods` makes it (printPod of Kubernetes 1.36,
pkg/printers/internalversion/printers.go), so that a reader finds the same in both.
"""

from collections.abc import Iterator

from providers.contract.observing import ContainerState
from providers.contract.pods import PodLine
from providers.workload.objects import (
    ContainerStatus,
    Pod,
    Terminated,
    condition_of,
    moment,
    present,
)
from providers.workload.objects.looked import PodInFull
from providers.workload.states.containers import CRASHES, say_containers
from providers.workload.states.said import FAIL, IDLE, OK, PROGRESS, WARN, Said, facts_of
from providers.workload.status.scheduling import without_preemption
from providers.workload.status.wording import joined, short


def say_pod(pod: PodInFull) -> Said:
    """Return how a pod is."""
    containers = say_containers(pod)
    own = [container for container in containers if not container.is_init]
    return Said(
        state=pod_word(pod),
        tone=_tone(pod, containers),
        message=_cause(pod, containers),
        facts=facts_of(
            ready=f"{sum(container.ready for container in own)} of {len(own)}",
            restarts=sum(container.restarts for container in containers) or "",
            node=pod.node_name,
            address=pod.address,
        ),
    )


def tell_pod(pod: Pod, *, is_current: bool) -> PodLine:
    """Return a pod in a line; of one that runs it is told whether it is ready."""
    containers, word = say_containers(pod), pod_word(pod)
    running = "Ready" if pod.is_ready else "Not ready"
    return PodLine(
        name=pod.name,
        state=running if word == "Running" else word,
        tone=_tone(pod, containers),
        node=pod.node_name,
        restarts=sum(container.restarts for container in containers),
        created_at=moment(pod.meta.creation_timestamp),
        current=is_current,
    )


def pod_word(pod: Pod) -> str:
    """Return the word in the column STATUS of kubectl."""
    terminating = pod.is_terminating
    if terminating and pod.seen.reason == "NodeLost":
        return "Unknown"
    if terminating and not pod.is_finished:
        return "Terminating"
    word = pod.seen.reason or pod.phase or "Unknown"
    if _is_gated(pod):
        word = "SchedulingGated"
    initial = _init_word(pod)
    initialized = condition_of(pod.seen.conditions, "Initialized")
    if initial and not (initialized and initialized.is_true):
        return initial
    return _containers_word(pod, initial or word)


def _is_gated(pod: Pod) -> bool:
    placed = condition_of(pod.seen.conditions, "PodScheduled")
    return placed is not None and placed.reason == "SchedulingGated"


def _init_word(pod: Pod) -> str:
    """Return what the first init container that is not done says, empty when all are."""
    wanted = present(pod.wanted.init_containers)
    sidecars = {item.name for item in wanted if item.restart_policy == "Always"}
    for number, status in enumerate(present(pod.seen.init_container_statuses)):
        ended, waiting = status.now.terminated, status.now.waiting
        if ended is not None and not ended.exit_code:
            continue
        if status.name in sidecars and status.started:
            continue
        if ended is not None:
            return f"Init:{_ended_word(ended)}"
        if waiting is not None and waiting.reason not in {None, "", "PodInitializing"}:
            return f"Init:{waiting.reason}"
        return f"Init:{number}/{len(wanted)}"
    return ""


def _containers_word(pod: Pod, word: str) -> str:
    statuses = present(pod.seen.container_statuses)
    told = next((found for status in statuses if (found := _container_word(status))), word)
    runs = any(status.ready and status.now.running for status in statuses)
    if told == "Completed" and runs:
        return "Running" if pod.is_ready else "NotReady"
    return told


def _container_word(status: ContainerStatus) -> str:
    waiting, ended = status.now.waiting, status.now.terminated
    if waiting is not None and waiting.reason:
        return waiting.reason
    return _ended_word(ended) if ended is not None else ""


def _ended_word(ended: Terminated) -> str:
    if ended.reason:
        return ended.reason
    return f"Signal:{ended.signal}" if ended.signal else f"ExitCode:{ended.exit_code or 0}"


def _tone(pod: Pod, containers: tuple[ContainerState, ...]) -> str:
    if pod.phase == "Failed" or (pod.seen.reason == "NodeLost" and pod.is_terminating):
        return FAIL
    if pod.phase == "Succeeded":
        return IDLE
    if pod.is_terminating:
        return PROGRESS
    if pod.is_ready:
        return OK
    if any(container.tone == FAIL for container in containers):
        return FAIL
    return WARN if _unschedulable(pod) else PROGRESS


def _cause(pod: Pod, containers: tuple[ContainerState, ...]) -> str:
    return next((sentence for sentence in _causes(pod, containers) if sentence), "")


def _causes(pod: Pod, containers: tuple[ContainerState, ...]) -> Iterator[str]:
    """Yield what explains the word, the strongest first; a ready pod needs no explanation."""
    if pod.is_terminating and pod.finalizers:
        yield f"being deleted, held by {joined(pod.finalizers)}"
    if pod.is_ready or pod.phase == "Succeeded":
        return
    yield short(pod.seen.message)
    yield _unschedulable(pod)
    if _is_gated(pod):
        gates = present(pod.wanted.scheduling_gates)
        yield f"held back by scheduling gate {joined(gate.name or '?' for gate in gates)}"
    for tone in (FAIL, PROGRESS):
        for container in containers:
            told = _told(container)
            if container.tone == tone and told:
                yield f"{container.name}: {told}"
    for container in containers:
        if container.is_init and container.tone == PROGRESS and container.has_started:
            yield f"init container {container.name} is running"
    if pod.is_terminating:
        yield "it has been asked to stop"


def _told(container: ContainerState) -> str:
    """Return the cause: of a crash not that it is in a pause, but how the last run ended."""
    return (container.last if container.state == CRASHES else "") or container.message


def _unschedulable(pod: Pod) -> str:
    placed = condition_of(pod.seen.conditions, "PodScheduled")
    if placed is None or not placed.is_false or placed.reason != "Unschedulable":
        return ""
    return short(without_preemption(placed.message or "")) or "no node takes it"

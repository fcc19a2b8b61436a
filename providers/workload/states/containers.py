"""Containers in words: what each waits for, how it runs, how its last run ended."""

import re
from collections.abc import Iterator

from providers.contract.observing import ContainerState
from providers.workload.objects import (
    Container,
    ContainerStatus,
    Pod,
    Running,
    Terminated,
    Waiting,
    moment,
    present,
)
from providers.workload.states.said import FAIL, IDLE, OK, PROGRESS, Said
from providers.workload.status.wording import exit_code, short

# What a container may wait for and be on its way.
_ON_ITS_WAY = frozenset({"", "ContainerCreating", "PodInitializing"})
CRASHES = "CrashLoopBackOff"
_BACK_OFF = re.compile(r"back-off (?P<time>\S+) restarting failed container")
_SAYS_NOTHING = frozenset({"", "Error", "Completed"})


def say_containers(pod: Pod) -> tuple[ContainerState, ...]:
    """Return every container of a pod, init containers first, as they stand in its spec."""
    spec, seen = pod.wanted, pod.seen
    first = _in_words(spec.init_containers, seen.init_container_statuses, is_init=True)
    return (*first, *_in_words(spec.containers, seen.container_statuses, is_init=False))


def _in_words(
    wanted: list[Container | None] | None,
    statuses: list[ContainerStatus | None] | None,
    *,
    is_init: bool,
) -> Iterator[ContainerState]:
    seen = {status.name: status for status in present(statuses)}
    asked = present(wanted)
    for container in asked:
        status = seen.pop(container.name, None) or ContainerStatus(name=container.name)
        yield _one(status, container.image or status.image or "", is_init=is_init)
    for status in seen.values():
        yield _one(status, status.image or "", is_init=is_init)


def _one(status: ContainerStatus, image: str, *, is_init: bool) -> ContainerState:
    now, before = status.now, status.before.terminated
    said = say_container(status, is_init=is_init)
    began = now.running.started_at if now.running else None
    return ContainerState(
        name=status.name or "?",
        image=image,
        state=said.state,
        tone=said.tone,
        message=said.message,
        is_init=is_init,
        ready=bool(status.ready),
        restarts=status.restart_count or 0,
        started_at=moment(began),
        has_started=any((now.running, now.terminated, before)),
        has_previous=before is not None,
        last=ending(before) if before else "",
        last_at=moment(before.finished_at) if before else None,
    )


def say_container(status: ContainerStatus, *, is_init: bool) -> Said:
    """Return how one container is now."""
    now = status.now
    if now.running is not None:
        return _running(now.running, status, is_init=is_init)
    if now.terminated is not None:
        return _ended(now.terminated, is_init=is_init)
    if now.waiting is not None:
        return _waiting(now.waiting)
    return Said(state="Not started", tone=IDLE)


def _running(running: Running, status: ContainerStatus, *, is_init: bool) -> Said:
    del running
    if status.ready or (is_init and status.started):
        return Said(state="Running", tone=OK)
    if is_init:
        return Said(state="Running", tone=PROGRESS)
    return Said(state="Not ready", tone=PROGRESS, message="it runs and is not ready yet")


def _ended(ended: Terminated, *, is_init: bool) -> Said:
    told = ending(ended)
    detail = short(ended.message)
    message = f"{told}: {detail}" if detail else told
    if ended.exit_code or ended.signal:
        return Said(state=ended.reason or "Error", tone=FAIL, message=message)
    if is_init:
        return Said(state="Done", tone=OK)
    return Said(state=ended.reason or "Completed", tone=IDLE, message=message)


def _waiting(waiting: Waiting) -> Said:
    reason = waiting.reason or ""
    tone = PROGRESS if reason in _ON_ITS_WAY else FAIL
    told = _BACK_OFF.match(waiting.message or "")
    pause = f"it is started again after a pause of {told['time']}" if told else ""
    message = pause or short(waiting.message)
    return Said(state=reason or "Waiting", tone=tone, message=message)


def ending(ended: Terminated) -> str:
    """Return how a run ended, as in `ended with code 137 (SIGKILL), OOMKilled`."""
    told = f"ended with {exit_code(ended.exit_code, ended.signal)}"
    reason = ended.reason or ""
    return told if reason in _SAYS_NOTHING else f"{told}, {reason}"

"""The timeline of one container, from its simulation: pulled, started, loaded, killed, restarted.

Reasons and messages are those of kubelet 1.36 (pkg/kubelet/images, kuberuntime and prober) with
containerd.
"""

from collections.abc import Callable
from itertools import count

from providers.simulation.pod_life.attempts import Attempt, attempt_of
from providers.simulation.pod_life.moments import Frame, Happening, State, Timeline
from providers.simulation.pod_life.pace import back_off_seconds, go_duration
from providers.simulation.pod_life.subject import Subject
from providers.simulation.simulate import (
    Simulation,
    Word,
    image_not_found_error,
    unauthorized_error,
)

PULL_ERRORS: dict[Word, Callable[[str], str]] = {
    Word.IMAGE_NOT_FOUND: image_not_found_error,
    Word.UNAUTHORIZED: unauthorized_error,
}


def container_timeline(subject: Subject, simulation: Simulation) -> Timeline:
    """Return what becomes of a container whose references all exist."""
    error = PULL_ERRORS.get(simulation.word)
    if error is not None:
        return _never_pulled(subject, error(subject.image))
    return _pulled_and_run(subject, attempt_of(subject, simulation))


def misconfigured_timeline(subject: Subject, problem: str) -> Timeline:
    """Return what becomes of a container that refers to a missing secret or config map."""
    yield from _pulling(subject)
    pulled_at = subject.pace.pull_seconds
    yield Frame(
        at=pulled_at, state=State.WAITING, reason="CreateContainerConfigError", message=problem
    )
    for turn in count():
        at = pulled_at + turn * subject.pace.sync_seconds
        if turn:
            yield present(subject, at)
        yield subject.tell(at, "Failed", f"Error: {problem}", "Warning")


def _pulling(subject: Subject) -> Timeline:
    yield Frame(at=0.0, state=State.WAITING, reason="ContainerCreating")
    yield subject.tell(0.0, "Pulling", f'Pulling image "{subject.image}"')
    took = f"{subject.pace.pull_seconds * 1000:.0f}ms"
    yield subject.tell(
        subject.pace.pull_seconds,
        "Pulled",
        f'Successfully pulled image "{subject.image}" in {took} ({took} including waiting). '
        "Image size: 734003200 bytes.",
    )


def present(subject: Subject, at: float) -> Happening:
    """Return that an image need not be pulled."""
    present = "already present on machine and can be accessed by the pod"
    return subject.tell(at, "Pulled", f'Container image "{subject.image}" {present}')


def _never_pulled(subject: Subject, error: str) -> Timeline:
    pace, at = subject.pace, 0.0
    yield Frame(at=0.0, state=State.WAITING, reason="ContainerCreating")
    for failures in count(1):
        yield subject.tell(at, "Pulling", f'Pulling image "{subject.image}"')
        failed_at = at + pace.pull_seconds
        yield Frame(at=failed_at, state=State.WAITING, reason="ErrImagePull", message=error)
        yield subject.tell(
            failed_at, "Failed", f'Failed to pull image "{subject.image}": {error}', "Warning"
        )
        yield subject.tell(failed_at, "Failed", "Error: ErrImagePull", "Warning")
        at = failed_at + max(pace.notice_seconds, back_off_seconds(failures) * pace.back_off_scale)
        yield from _pull_back_off(subject, error, begin=failed_at + pace.notice_seconds, end=at)


def _pull_back_off(subject: Subject, error: str, *, begin: float, end: float) -> Timeline:
    waits = f'Back-off pulling image "{subject.image}"'
    yield Frame(
        at=begin,
        state=State.WAITING,
        reason="ImagePullBackOff",
        message=f"{waits}: ErrImagePull: {error}",
    )
    for at in _repeated(begin, end, subject.pace.back_off_event_seconds):
        yield subject.tell(at, "BackOff", waits)
        yield subject.tell(at, "Failed", "Error: ImagePullBackOff", "Warning")


def _pulled_and_run(subject: Subject, attempt: Attempt) -> Timeline:
    yield from _pulling(subject)
    pace, at, last = subject.pace, subject.pace.pull_seconds, None
    for restarts in count():
        if restarts:
            yield present(subject, at)
        yield subject.tell(at, "Created", "Container created")
        yield subject.tell(at, "Started", "Container started")
        yield from attempt.moments(at, restarts=restarts, last=last)
        last = attempt.end_frame(at, restarts=restarts, last=last)
        if last is None:
            return
        yield last
        if not subject.restarts_after(last.exit_code):
            return
        at = last.at + pace.notice_seconds
        if restarts:
            restart_at = last.at + back_off_seconds(restarts) * pace.back_off_scale
            yield from crash_back_off(subject, last, begin=at, end=restart_at)
            at = max(at, restart_at)


def crash_back_off(subject: Subject, last: Frame, *, begin: float, end: float) -> Timeline:
    """Return what is seen between the end of a run that was not the first and the next start."""
    wait = go_duration(back_off_seconds(last.restarts))
    message = f"back-off {wait} restarting failed container={subject.name} pod={subject.pod_title}"
    yield Frame(
        at=begin,
        state=State.WAITING,
        reason="CrashLoopBackOff",
        message=message,
        restarts=last.restarts,
        last=last,
    )
    told = f"Back-off restarting failed container {subject.name} in pod {subject.pod_title}"
    for at in _repeated(begin, end, subject.pace.back_off_event_seconds):
        yield subject.tell(at, "BackOff", told, "Warning")


def _repeated(begin: float, end: float, every: float) -> list[float]:
    times = max(1, int((end - begin) / every) + 1)
    return [begin + turn * every for turn in range(times)]

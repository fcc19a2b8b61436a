"""Answers for a container's log, from the status that was written of it; refusals in the kubelet's
words.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from providers.contract.manifest import Manifest
from providers.simulation.pod_life.logs import run_log
from providers.simulation.pod_life.pace import Pace
from providers.simulation.simulate import Word
from tests.cluster.kubelet.pods import Care

PULL_REFUSALS = {
    "ErrImagePull": "image can't be pulled",
    "ImagePullBackOff": "trying and failing to pull image",
}


class LogUnavailable(RuntimeError):
    """There is no such log; the message says why."""


@dataclass(frozen=True, kw_only=True, slots=True)
class LogQuery:
    """The parameters of a log request that the stand-in understands."""

    container: str
    previous: bool = False
    follow: bool = False
    timestamps: bool = False
    tail_lines: int | None = None
    since: datetime | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class LogLine:
    """One line with the time it was printed."""

    at: datetime
    text: str

    def encoded(self, query: LogQuery) -> bytes:
        """Return the line as it is sent."""
        stamp = self.at.strftime("%Y-%m-%dT%H:%M:%S.%f000Z ") if query.timestamps else ""
        return f"{stamp}{self.text}\n".encode()


def log_lines(care: Care, query: LogQuery, *, pace: Pace) -> list[LogLine]:
    """Return what the container has printed so far; raise LogUnavailable where it never ran."""
    container = _container(care, query.container)
    run = _run(care, query)
    began = datetime.fromisoformat(run["startedAt"])
    ended = run.get("finishedAt")
    until = datetime.fromisoformat(ended) if ended else datetime.now(UTC)
    simulation = care.simulations[query.container]
    slow = simulation.word is Word.SLOW_LOAD
    lines = run_log(
        container,
        simulation,
        loads_after=simulation.seconds if slow else pace.load_seconds,
        seconds=(until - began).total_seconds(),
    )
    printed = [LogLine(at=began + timedelta(seconds=line.at), text=line.text) for line in lines]
    return [line for line in printed if query.since is None or line.at >= query.since]


def is_running(care: Care, name: str) -> bool:
    """Tell whether more may be printed."""
    return "running" in (_status(care, name).get("state") or {})


def _container(care: Care, name: str) -> Manifest:
    spec = care.pod["spec"]
    for container in [*(spec.get("initContainers") or []), *spec["containers"]]:
        if container["name"] == name:
            found: Manifest = container
            return found
    raise LogUnavailable(f'container "{name}" in pod "{_pod_name(care)}" is not available')


def _status(care: Care, name: str) -> Manifest:
    written = care.written
    statuses = [
        *(written.get("initContainerStatuses") or []),
        *(written.get("containerStatuses") or []),
    ]
    for status in statuses:
        if status["name"] == name:
            found: Manifest = status
            return found
    raise LogUnavailable(f'container "{name}" in pod "{_pod_name(care)}" is not available')


def _run(care: Care, query: LogQuery) -> Manifest:
    status = _status(care, query.container)
    last: Manifest | None = (status.get("lastState") or {}).get("terminated")
    told = f'container "{query.container}" in pod "{_pod_name(care)}"'
    if query.previous:
        if last is None:
            raise LogUnavailable(f"previous terminated {told} not found")
        return last
    state = status["state"]
    run: Manifest | None = state.get("running") or state.get("terminated") or last
    if run is None:
        reason = state["waiting"].get("reason", "")
        raise LogUnavailable(f"{told} is waiting to start: {PULL_REFUSALS.get(reason, reason)}")
    return run


def _pod_name(care: Care) -> str:
    return str(care.pod["metadata"]["name"])

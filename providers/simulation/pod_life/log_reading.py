"""Reads a container's log out of the status that stands of it; refusals in the kubelet's words."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from providers.contract.manifest import Manifest
from providers.simulation.pod_life.logs import run_log
from providers.simulation.pod_life.pace import Pace
from providers.simulation.simulate import HEALTHY, Simulation, Word

PULL_REFUSALS = {
    "ErrImagePull": "image can't be pulled",
    "ImagePullBackOff": "trying and failing to pull image",
}


class LogUnavailable(RuntimeError):
    """There is no such log; the message says why."""


@dataclass(frozen=True, kw_only=True, slots=True)
class LogQuery:
    """What a request for a log may ask; `tail_lines` None means all."""

    container: str
    previous: bool = False
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


def read_log(
    pod: Manifest,
    query: LogQuery,
    *,
    simulations: Mapping[str, Simulation],
    pace: Pace,
    now: datetime,
) -> list[LogLine]:
    """Return what the container has printed so far; raise LogUnavailable where it never ran."""
    container = _container(pod, query.container)
    run = _run(pod, query)
    began = datetime.fromisoformat(run["startedAt"])
    ended = run.get("finishedAt")
    until = datetime.fromisoformat(ended) if ended else now
    simulation = simulations.get(query.container, HEALTHY)
    slow = simulation.word is Word.SLOW_LOAD
    lines = run_log(
        container,
        simulation,
        loads_after=simulation.seconds if slow else pace.load_seconds,
        seconds=(until - began).total_seconds(),
    )
    printed = [LogLine(at=began + timedelta(seconds=line.at), text=line.text) for line in lines]
    return [line for line in printed if query.since is None or line.at >= query.since]


def tail_of(lines: list[LogLine], query: LogQuery) -> list[LogLine]:
    """Return the last lines, as many as were asked for."""
    if query.tail_lines is None:
        return lines
    return lines[-query.tail_lines :] if query.tail_lines else []


def is_running(pod: Manifest, name: str) -> bool:
    """Tell whether more may be printed."""
    return "running" in (_status(pod, name).get("state") or {})


def number_of_run(pod: Manifest, query: LogQuery) -> int:
    """Return how many runs came before the one asked for; raise LogUnavailable where none did."""
    _run(pod, query)
    status = _status(pod, query.container)
    # A container that waits shows its last run as the current one and as the previous one.
    goes_back = query.previous and "waiting" not in status["state"]
    return int(status["restartCount"]) - goes_back


def _container(pod: Manifest, name: str) -> Manifest:
    spec = pod["spec"]
    for container in [*(spec.get("initContainers") or []), *spec["containers"]]:
        if container["name"] == name:
            found: Manifest = container
            return found
    raise LogUnavailable(f"{_titled(pod, name)} is not available")


def _status(pod: Manifest, name: str) -> Manifest:
    status = pod.get("status") or {}
    kinds = ("initContainerStatuses", "containerStatuses")
    for entry in (entry for kind in kinds for entry in status.get(kind) or []):
        if entry["name"] == name:
            found: Manifest = entry
            return found
    raise LogUnavailable(f"{_titled(pod, name)} is not available")


def _run(pod: Manifest, query: LogQuery) -> Manifest:
    status = _status(pod, query.container)
    last: Manifest | None = (status.get("lastState") or {}).get("terminated")
    told = _titled(pod, query.container)
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


def _titled(pod: Manifest, name: str) -> str:
    return f'container "{name}" in pod "{pod["metadata"]["name"]}"'

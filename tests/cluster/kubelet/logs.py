"""Reads a container's log from what the stand-in kubelet wrote of it last."""

from datetime import UTC, datetime

from providers.contract.manifest import Manifest
from providers.simulation.pod_life import log_reading
from providers.simulation.pod_life.log_reading import LogLine, LogQuery
from providers.simulation.pod_life.pace import Pace
from tests.cluster.kubelet.pods import Care


def log_lines(care: Care, query: LogQuery, *, pace: Pace) -> list[LogLine]:
    """Return what the container has printed so far; raise LogUnavailable where it never ran."""
    if care.processes:
        return care.processes.log_lines(_as_written(care), query)
    return log_reading.read_log(
        _as_written(care), query, simulations=care.simulations, pace=pace, now=datetime.now(UTC)
    )


def is_running(care: Care, name: str) -> bool:
    """Tell whether more may be printed."""
    return log_reading.is_running(_as_written(care), name)


def _as_written(care: Care) -> Manifest:
    return care.pod | {"status": care.written}

"""Which processes of ours run on this machine, and what each takes of it."""

import fcntl
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from prometheus_client import Gauge, Metric
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from prometheus_client.process_collector import ProcessCollector
from prometheus_client.registry import Collector, CollectorRegistry

_ENROLLED = "slipway_process_info"
_PREFIX = "slipway"
_FILES = "*.db"

# A registry of its own: the client's global one would also answer for the asking process alone.
PROCESS_REGISTRY = CollectorRegistry()
PROCESSES = Gauge(
    _ENROLLED,
    "The processes of the console on this machine, always 1.",
    ["role"],
    multiprocess_mode="liveall",
    registry=PROCESS_REGISTRY,
)


def enrol(role: str, folder: Path) -> None:
    """Count this process among ours; `role` is `web` or `worker`.

    Who comes first after all have ended forgets what they left behind.
    """
    with _locked(folder):
        if not live_processes(folder):
            for file in folder.glob(_FILES):
                file.unlink(missing_ok=True)
        PROCESSES.labels(role).set(1)


def live_processes(folder: Path) -> list[int]:
    """Return the numbers of our processes that run, and forget those that have ended."""
    found = {_number(file) for file in folder.glob(f"gauge_liveall_{_FILES}")}
    ended = {number for number in found if not Path(f"/proc/{number}").exists()}
    for number in ended:
        mark_process_dead(number, path=str(folder))  # type: ignore[no-untyped-call]
    return sorted(found - ended)


class ProcessesCollector(Collector):
    """CPU, memory, open files and start of each of our processes, by role and number."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def collect(self) -> Iterable[Metric]:
        """Read /proc for each process that is enrolled."""
        families: dict[str, Metric] = {}
        for pid, role in self._roles().items():
            for metric in _of_process(pid):
                family = families.setdefault(metric.name, _labelled(metric))
                family.add_metric([role, str(pid)], metric.samples[0].value)  # type: ignore[attr-defined]
        return families.values()

    def _roles(self) -> dict[int, str]:
        files = [self._folder / f"gauge_liveall_{n}.db" for n in live_processes(self._folder)]
        metrics = MultiProcessCollector.merge(  # type: ignore[no-untyped-call]
            [str(file) for file in files]
        )
        samples = (sample for metric in metrics for sample in metric.samples)
        return {
            int(sample.labels["pid"]): sample.labels["role"]
            for sample in samples
            if sample.name == _ENROLLED
        }


def _of_process(pid: int) -> Iterable[Metric]:
    return ProcessCollector(_PREFIX, lambda: pid, registry=None).collect()


def _labelled(metric: Metric) -> GaugeMetricFamily | CounterMetricFamily:
    family = CounterMetricFamily if metric.type == "counter" else GaugeMetricFamily
    return family(metric.name, metric.documentation, labels=["role", "pid"])


def _number(file: Path) -> int:
    return int(file.stem.rpartition("_")[2])


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    with (folder / ".lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield

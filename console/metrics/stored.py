"""What the database and the queue tell, counted when somebody scrapes and kept for a moment.

Ages are by the clock of the scrape. What cannot be asked is left out, and the part's `up` says
that it is: an old figure must not look like a new one.
"""

import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import DatabaseError
from django.utils import timezone
from prometheus_client import Metric
from prometheus_client.metrics_core import GaugeMetricFamily
from prometheus_client.registry import Collector

from console.health.parts import DATABASE, QUEUE, RECONCILER, State, ask_health
from console.health.queue_depth import QueueSilent, queue_depth
from deployments.figures import ClusterFigures, Figures, read_figures

# Seconds for which figures are answered again, so that no number of scrapers is a load.
KEPT_SECONDS = 5.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Counted:
    """What was counted, and which parts answered; None stands for what could not be asked."""

    up: Mapping[str, bool]
    figures: Figures | None
    queued: int | None


class StoredCollector(Collector):
    """The figures as metrics; asks at most once in `KEPT_SECONDS`, whoever scrapes."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: Counted | None = None
        self._until = 0.0

    def collect(self) -> Iterable[Metric]:
        """Yield what is known now."""
        counted, now = self._counted(), timezone.now()
        yield gauge("slipway_up", "Whether a part answers.", ["part"], _zero_or_one(counted.up))
        if counted.queued is not None:
            waiting = [((), float(counted.queued))]
            yield gauge("slipway_queue_messages", "Messages nobody has taken.", [], waiting)
        if counted.figures is not None:
            yield from _of_deployments(counted.figures, now)
            yield from _of_clusters(counted.figures.clusters, now)
            yield from _of_work(counted.figures, now)

    def _counted(self) -> Counted:
        with self._lock:
            if self._kept is None or time.monotonic() > self._until:
                self._kept, self._until = count(), time.monotonic() + KEPT_SECONDS
            return self._kept


def count() -> Counted:
    """Ask database and queue; a part that is silent is asked nothing more than whether it is."""
    # How the background work is, its age tells; the others answer or do not.
    parts = (part for part in ask_health().parts if part.name != RECONCILER)
    up = {part.name: part.state is State.OK for part in parts}
    return Counted(
        up=up,
        figures=_figures() if up[DATABASE] else None,
        queued=_queued() if up[QUEUE] else None,
    )


Sample = tuple[Sequence[str], float]


def gauge(
    name: str, documentation: str, labels: Sequence[str], samples: Iterable[Sample]
) -> GaugeMetricFamily:
    """Return one family with its samples, each the values of the labels and the number."""
    family = GaugeMetricFamily(name, documentation, labels=labels)
    for values, number in samples:
        family.add_metric(values, number)
    return family


def _figures() -> Figures | None:
    try:
        return read_figures()
    except DatabaseError:
        return None


def _queued() -> int | None:
    try:
        return queue_depth()
    except QueueSilent:
        return None


def _of_deployments(figures: Figures, now: datetime) -> Iterator[Metric]:
    yield gauge(
        "slipway_deployments",
        "Open deployments by their last verdict.",
        ["cluster", "phase", "reason"],
        (((one.cluster, one.phase, one.reason), one.count) for one in figures.phases),
    )
    yield gauge(
        "slipway_unfinished_operations",
        "Operations that were promised and are not done.",
        ["verb"],
        (((one.verb,), one.count) for one in figures.operations),
    )
    yield gauge(
        "slipway_oldest_unfinished_operation_age_seconds",
        "How long the oldest operation that is not done has waited.",
        ["verb"],
        (((one.verb,), _age(one.oldest_at, now)) for one in figures.operations),
    )


def _of_clusters(clusters: Sequence[ClusterFigures], now: datetime) -> Iterator[Metric]:
    yield gauge(
        "slipway_refresh_age_seconds",
        "Since when the last complete pass over a cluster is over; absent before the first.",
        ["cluster"],
        (((one.name,), _age(one.refreshed_at, now)) for one in clusters if one.refreshed_at),
    )
    yield gauge(
        "slipway_cluster_reachable",
        "Whether a cluster answered when it was asked last; absent before that.",
        ["cluster"],
        (((one.name,), one.is_reachable) for one in clusters if one.is_reachable is not None),
    )
    yield gauge(
        "slipway_failed_passes",
        "Passes over a cluster that failed in a row.",
        ["cluster"],
        (((one.name,), one.failed_passes) for one in clusters),
    )
    yield gauge(
        "slipway_orphans",
        "Objects of ours on a cluster that no record owns.",
        ["cluster"],
        (((one.name,), one.orphans) for one in clusters),
    )


def _of_work(figures: Figures, now: datetime) -> Iterator[Metric]:
    yield gauge(
        "slipway_leases_held",
        "Rows that some process acts on now, by what they are.",
        ["row"],
        (((row,), number) for row, number in figures.leases.items()),
    )
    acted = [] if figures.beat.at is None else [((), _age(figures.beat.at, now))]
    yield gauge(
        "slipway_reconciler_age_seconds",
        "Since when the background work has not acted; absent if it never did.",
        [],
        acted,
    )


def _age(at: datetime, now: datetime) -> float:
    return max(0.0, (now - at).total_seconds())


def _zero_or_one(up: Mapping[str, bool]) -> Iterator[Sample]:
    return (((name,), float(is_up)) for name, is_up in up.items())

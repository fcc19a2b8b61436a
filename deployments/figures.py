"""Figures about what is stored, for whoever watches the console: a handful of counting queries.

Their number does not grow with clusters or deployments. Nothing here asks a cluster.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import Count, Min, Q
from django.utils import timezone

from deployments.models import Cluster, Deployment, Operation
from deployments.services.heartbeat import BeatStatus, beat_status


@dataclass(frozen=True, kw_only=True, slots=True)
class PhaseCount:
    """How many open deployments of a cluster have the same verdict."""

    cluster: str
    phase: str
    reason: str
    count: int


@dataclass(frozen=True, kw_only=True, slots=True)
class ClusterFigures:
    """One enabled cluster; `refreshed_at` is when its last complete pass began, None before any.

    `is_reachable` is None until somebody asked; `next_try_at` is only set after failures. `unread`
    maps a kind that this pass could not read to why.
    """

    name: str
    is_reachable: bool | None
    refreshed_at: datetime | None
    failed_passes: int
    next_try_at: datetime | None
    orphans: int
    unread: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class OperationFigures:
    """Operations of one verb that are not finished, and since when the oldest waits."""

    verb: str
    count: int
    oldest_at: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class Figures:
    """All of them; `leases` counts, by the kind of row, those that somebody holds now."""

    phases: tuple[PhaseCount, ...]
    clusters: tuple[ClusterFigures, ...]
    operations: tuple[OperationFigures, ...]
    leases: Mapping[str, int]
    beat: BeatStatus


def read_figures() -> Figures:
    """Count what is stored now; raises DatabaseError."""
    return Figures(
        phases=_phases(),
        clusters=_clusters(),
        operations=_operations(),
        leases=_leases(),
        beat=beat_status(),
    )


def _phases() -> tuple[PhaseCount, ...]:
    rows = Deployment.objects.open().order_by().values_list("cluster__name", "phase", "reason")
    return tuple(
        PhaseCount(cluster=cluster, phase=phase, reason=reason, count=count)
        for cluster, phase, reason, count in rows.annotate(count=Count("pk"))
    )


def _clusters() -> tuple[ClusterFigures, ...]:
    columns = ("reachable", "last_pass_at", "failed_passes", "next_try_at", "orphans")
    return tuple(
        ClusterFigures(
            name=row.name,
            is_reachable=row.reachable,
            refreshed_at=row.last_pass_at,
            failed_passes=row.failed_passes,
            next_try_at=row.next_try_at,
            orphans=row.orphans,
            unread={kind: missed["why"] for kind, missed in row.unread_kinds.items()},
        )
        for row in Cluster.objects.enabled().only("name", *columns, "unread_kinds")
    )


def _operations() -> tuple[OperationFigures, ...]:
    rows = Operation.objects.unfinished().order_by().values_list("verb")
    return tuple(
        OperationFigures(verb=verb, count=count, oldest_at=oldest_at)
        for verb, count, oldest_at in rows.annotate(count=Count("pk"), oldest=Min("created_at"))
    )


def _leases() -> Mapping[str, int]:
    held = Q(lease_until__gte=timezone.now())
    return {
        "cluster": Cluster.objects.filter(held).count(),
        "deployment": Deployment.objects.filter(held).count(),
    }


def count_by_kind() -> Mapping[str, int]:
    """Return how many open deployments each kind carries, by name; raises DatabaseError."""
    rows = Deployment.objects.open().order_by("kind").values_list("kind")
    return dict(rows.annotate(count=Count("pk")))

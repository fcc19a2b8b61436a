"""What every pass over a cluster has in common: the lease that it acts under, and how it ends.

A pass writes under its lease only: one that took so long that another process has begun writes
nothing more. What it reads and keeps is told in `refreshing` and `moving`.
"""

import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import datetime

from django.utils import timezone

from deployments.models import Cluster
from deployments.services.backing_off import answered_columns, failure_columns
from deployments.services.collecting import collected_seldom
from deployments.services.deadlines import PASS_SECONDS
from deployments.services.leasing import Lease, LeaseLost, fenced, held, take_lease
from deployments.services.reports import RefreshReport, Tally
from providers.contract.errors import ProviderError

# Renewed with every write, so that only a process that is dead or stuck loses it.
LEASE_SECONDS = PASS_SECONDS + 15.0

TAKEN_OVER = "it took so long that another process has taken over"


@dataclass(frozen=True, kw_only=True, slots=True)
class Turn:
    """One pass under way: over which cluster, under which lease, begun when by our clock."""

    cluster: Cluster
    lease: Lease
    at: datetime
    began: float
    tally: Tally = field(default_factory=Tally)

    def fence(self) -> AbstractContextManager[None]:
        """Return the transaction that this pass writes in; raises LeaseLost."""
        return fenced(Cluster.objects.all(), self.lease, seconds=LEASE_SECONDS)

    def require_lease(self) -> None:
        """Raise LeaseLost when another process has taken over."""
        if not held(Cluster.objects.all(), self.lease).exists():
            raise LeaseLost


Work = Callable[[Turn], Mapping[str, object]]
"""What a pass does; returns the columns of the cluster that it found, beside that it answers."""


def run_pass(cluster: Cluster, work: Work) -> RefreshReport:
    """Do a pass under the cluster's lease; never raises for what a cluster or a provider does."""
    began = time.monotonic()
    lease = take_lease(Cluster.objects.all(), cluster.pk, seconds=LEASE_SECONDS)
    if lease is None:
        return RefreshReport(cluster=cluster.name, skipped=True)
    turn = Turn(cluster=cluster, lease=lease, at=timezone.now(), began=began)
    try:
        with collected_seldom():
            found = work(turn)
    except LeaseLost:
        return _report(turn, error=TAKEN_OVER, error_code="LeaseLost")
    except ProviderError as error:
        _end(turn, failure_columns(cluster, error, now=timezone.now()))
        return _report(turn, error=error.message, error_code=error.code)
    told = answered_columns(cluster.unread_kinds)
    _end(turn, {**told, "last_seen_at": turn.at, **found})
    return _report(turn)


def _end(turn: Turn, columns: Mapping[str, object]) -> None:
    """Write what a pass found and give the lease back, in one UPDATE."""
    rows = held(Cluster.objects.all(), turn.lease)
    if rows.update(**columns, lease_owner="", lease_until=None):
        for name, value in columns.items():
            setattr(turn.cluster, name, value)


def _report(turn: Turn, *, error: str = "", error_code: str = "") -> RefreshReport:
    counts = turn.tally.counts
    return RefreshReport(
        cluster=turn.cluster.name,
        error=error,
        error_code=error_code,
        deployments=counts["deployments"],
        problems=tuple(turn.tally.problems),
        seconds=time.monotonic() - turn.began,
        changed=counts["changed"],
        closed=counts["closed"],
        finished=counts["finished"],
        unfinished=counts["unfinished"],
        orphans=counts["orphans"],
    )

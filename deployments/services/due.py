"""Which pass a cluster is due for now, if any; asked at every turn of the clock.

What is on its way is read at every turn, everything so early that no row grows older than the
interval of full passes, and a cluster that fails only when its waiting is over.
"""

from datetime import datetime, timedelta

from django.conf import settings
from django.utils import timezone

from deployments.models import Cluster
from deployments.selectors import unfinished_operations
from deployments.services.backing_off import is_waiting
from deployments.services.moving import can_be_read_at_once, moving_deployments, refresh_moving
from deployments.services.refreshing import refresh_cluster
from deployments.services.reports import RefreshReport


def refresh_if_due(cluster: Cluster) -> RefreshReport | None:
    """Make the pass that a cluster is due for, None for none; never raises, as a full pass."""
    now = timezone.now()
    if is_waiting(cluster, now=now):
        return None
    if cluster.failed_passes or is_full_pass_due(cluster, now=now):
        return refresh_cluster(cluster)
    moving = moving_deployments(cluster)
    if not can_be_read_at_once(moving):
        return refresh_cluster(cluster)
    if moving or unfinished_operations(cluster.pk).exists():
        return refresh_moving(cluster)
    return None


def is_full_pass_due(cluster: Cluster, *, now: datetime) -> bool:
    """Tell whether the last full pass would be too old at the turn after this one.

    Half a turn is left for the clock's own jitter and for the pass itself. One that began later
    than now was told by a clock that has been set back since, and says nothing.
    """
    if cluster.last_pass_at is None:
        return True
    longest = settings.REFRESH.full_seconds - 1.5 * settings.REFRESH.moving_seconds
    age = now - cluster.last_pass_at
    return age >= timedelta(seconds=longest) or age < -timedelta(seconds=longest)

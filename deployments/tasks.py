"""What runs in the background: thin shells over services, each carries a key and reads anew.

A task may be lost, late or run twice; the services cope with all of it.
"""

from celery import shared_task
from django.conf import settings

from deployments.models import Cluster
from deployments.services.clusters import synchronise_default_cluster
from deployments.services.due import refresh_if_due
from deployments.services.heartbeat import beat
from deployments.services.idempotency import forget_expired_keys
from deployments.services.measuring import forget_old_samples
from deployments.services.reports import log_report
from deployments.services.tidying import sweep_history, sweep_load_times
from deployments.services.tokens import forget_expired_tokens


@shared_task  # type: ignore[untyped-decorator]  # celery ships no types
def refresh_everything() -> None:
    """Ask for a look at every enabled cluster, each in a task of its own: none delays another."""
    beat()
    synchronise_default_cluster()
    forget_expired_keys()
    forget_expired_tokens()
    forget_old_samples()
    # Those that fail come last: what they may cost in time, they cost nobody before them.
    rows = Cluster.objects.enabled().order_by("failed_passes", "pk")
    for key in rows.values_list("pk", flat=True):
        refresh_one.apply_async((key,), expires=settings.REFRESH.moving_seconds)


@shared_task  # type: ignore[untyped-decorator]  # celery ships no types
def refresh_one(cluster_id: int) -> None:
    """Make the pass that a cluster is due for, unless it is gone or disabled by now."""
    cluster = Cluster.objects.enabled().filter(pk=cluster_id).first()
    report = refresh_if_due(cluster) if cluster is not None else None
    if report is not None:
        log_report(report)


@shared_task  # type: ignore[untyped-decorator]  # celery ships no types
def tidy_up() -> None:
    """Sweep the history that has had its time."""
    terms = settings.RETENTION
    sweep_history(days=terms.days, failure_days=terms.failure_days, lines=terms.lines)
    sweep_load_times()

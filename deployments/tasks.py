"""What runs in the background: thin shells over services, each carries a key and reads anew.

A task may be lost, late or run twice; the services cope with all of it.
"""

from celery import shared_task

from deployments.models import Cluster
from deployments.services.clusters import synchronise_default_cluster
from deployments.services.heartbeat import beat
from deployments.services.idempotency import forget_expired_keys
from deployments.services.refreshing import refresh_cluster
from deployments.services.tokens import forget_expired_tokens

REFRESH_SECONDS = 10


@shared_task  # type: ignore[untyped-decorator]  # celery ships no types
def refresh_everything() -> None:
    """Ask for a pass over every enabled cluster, each in a task of its own: none delays another."""
    beat()
    synchronise_default_cluster()
    forget_expired_keys()
    forget_expired_tokens()
    for key in Cluster.objects.enabled().values_list("pk", flat=True):
        refresh_one.apply_async((key,), expires=REFRESH_SECONDS)


@shared_task  # type: ignore[untyped-decorator]  # celery ships no types
def refresh_one(cluster_id: int) -> None:
    """Make one pass over a cluster, unless it is gone or disabled by now."""
    cluster = Cluster.objects.enabled().filter(pk=cluster_id).first()
    if cluster is not None:
        refresh_cluster(cluster)

"""How a deployment loses its record: closed over running objects, or restored from before it."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from unittest.mock import patch

from django.utils import timezone

from deployments.models import (
    Cluster,
    Deployment,
    LoadTime,
    Operation,
    Revision,
    StatusChange,
)
from deployments.services import orphans
from deployments.services.orphan_groups import OrphanGroup, group_keys, orphan_groups
from deployments.services.refreshing import refresh_cluster
from providers.testing.memory.cluster import MemoryCluster


def close_only(deployment: Deployment) -> None:
    """Close a record as if its objects were gone: somebody may have applied them again."""
    Deployment.objects.filter(pk=deployment.pk).update(
        closed_at=timezone.now(), phase="Deleted", reason="Removed"
    )


def forget_record(deployment: Deployment) -> None:
    """Remove every row of a deployment, as a back-up that is older than it would not have them."""
    for model in (StatusChange, Operation, Revision, LoadTime):
        model._base_manager.filter(deployment=deployment).delete()
    Deployment._base_manager.filter(pk=deployment.pk).delete()


def let_time_pass(memory: MemoryCluster) -> None:
    """Let what is on the cluster be older than a create may take."""
    memory.clock = timezone.now() + timedelta(minutes=5)


def groups_after_a_pass(cluster: Cluster, memory: MemoryCluster) -> list[OrphanGroup]:
    """Return what a pass finds of objects without a record."""
    let_time_pass(memory)
    refresh_cluster(cluster)
    return orphan_groups(cluster, group_keys(cluster))


@contextmanager
def without_grace() -> Iterator[None]:
    """Let a pass list at once what a cluster with a clock of its own has made just now."""
    with patch.object(orphans, "GRACE", timedelta(0)):
        yield

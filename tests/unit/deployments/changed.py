"""What the tests of changes look at: record, revisions, and the one workload on the cluster."""

from collections.abc import Callable

from deployments.models import Deployment
from deployments.services.changing import Changed, ChangePreview
from providers.contract.manifest import Manifest
from providers.testing.memory.cluster import MemoryCluster

Change = Callable[..., Changed]
Preview = Callable[..., ChangePreview]


def again(deployment: Deployment) -> Deployment:
    """Read a record anew."""
    return Deployment.objects.get(pk=deployment.pk)


def workload(memory: MemoryCluster) -> Manifest:
    """Return the one workload as it stands on the cluster."""
    return next(m.manifest for key, m in memory.objects.items() if key.kind == "MemoryWorkload")


def outcomes(deployment: Deployment) -> list[tuple[int, str, str]]:
    """Return number, verb and outcome of every revision."""
    rows = deployment.revisions.order_by("number")
    return [(row.number, row.verb, row.outcome) for row in rows]

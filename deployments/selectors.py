"""Questions about what is deployed: the stored verdict, its age, and whether it can be trusted.

Reads rows only; whoever wants to know it from the cluster calls `services.reading`.
"""

from collections.abc import Iterator, Mapping
from datetime import datetime
from uuid import UUID

from django.db.models import Count, Max, Min, QuerySet

from deployments.exceptions import NotVisible
from deployments.models import Deployment, DeploymentQuerySet, Operation, PassedRow
from deployments.models.deployment import MOVING
from deployments.models.history import Revision
from providers.contract.status import Phase, Status, evidence_from
from providers.registry import is_carried


def snapshot_of(deployment: Deployment | PassedRow) -> Status:
    """Return the stored verdict."""
    return Status(
        phase=Phase(deployment.phase),
        reason=deployment.reason,
        message=deployment.message,
        desired_replicas=deployment.desired_replicas,
        ready_replicas=deployment.ready_replicas,
        available_replicas=deployment.available_replicas,
        observed_at=deployment.observed_at,
        evidence=evidence_from(deployment.evidence),
        notes=evidence_from(deployment.notes),
        once_full=deployment.once_full,
        closed=deployment.is_closed,
    )


def seen_at(deployment: Deployment) -> datetime | None:
    """Return when a row was last known to be true: its own read or its cluster's last pass.

    A pass over what is moving has read the row if it was moving before that pass began. None reads
    what nothing in this console carries, and the last could not read some kinds.
    """
    if not is_carried(deployment.kind):
        return deployment.observed_at
    times = (deployment.observed_at, *_passes_over(deployment))
    return max((at for at in times if at is not None), default=None)


def _passes_over(deployment: Deployment) -> Iterator[datetime | None]:
    cluster, moving_pass = deployment.cluster, deployment.cluster.last_moving_pass_at
    if missed := cluster.unread_kinds.get(deployment.kind):
        yield datetime.fromisoformat(missed["read_at"]) if missed["read_at"] else None
        return
    yield cluster.last_pass_at
    if moving_pass and deployment.phase in MOVING and deployment.updated_at < moving_pass:
        yield moving_pass


def is_stale(deployment: Deployment) -> bool:
    """Tell whether this is what was known last: the last look at it failed, or nobody looks."""
    cluster = deployment.cluster
    is_asked = cluster.enabled and is_carried(deployment.kind)
    is_read = cluster.reachable is not False and not _was_missed(deployment)
    return deployment.closed_at is None and not (is_asked and is_read)


def _was_missed(deployment: Deployment) -> bool:
    """Tell whether the last full pass could not read its kind, and nobody has read it since."""
    if deployment.kind not in deployment.cluster.unread_kinds:
        return False
    read_at, passed_at = deployment.observed_at, deployment.cluster.last_pass_at
    return read_at is None or passed_at is None or read_at < passed_at


def open_count_by_template(rows: DeploymentQuerySet) -> Mapping[UUID, int]:
    """Return how many of these are open, by the template that they were launched from."""
    pairs = rows.open().order_by().values_list("template_id").annotate(count=Count("pk"))
    return dict(pairs)


def current_revision(deployment: Deployment) -> Revision:
    """Return the revision that is wanted."""
    return deployment.revisions.get(number=deployment.revision)


def current_source(deployment: Deployment) -> Mapping[str, object] | None:
    """Return where the weights of the wanted revision come from, without its manifests and all."""
    rows = deployment.revisions.filter(number=deployment.revision)
    return rows.values_list("source", flat=True).get()


def revision_numbered(deployment: Deployment, number: int) -> Revision:
    """Return one revision with its template; raises NotVisible where there is none."""
    rows = deployment.revisions.select_related("template").filter(number=number)
    found = next(iter(rows), None)
    if found is None:
        raise no_revision(deployment, str(number))
    return found


def no_revision(deployment: Deployment, text: str) -> NotVisible:
    """Return that a deployment has no such revision, and which ones it has."""
    numbers = deployment.revisions.aggregate(first=Min("number"), last=Max("number"))
    first, last = numbers["first"], numbers["last"]
    told = f"only revision {last}" if first == last else f"revisions {first} to {last}"
    return NotVisible(f"{deployment.name} has no revision {text}; it has {told}")


def unfinished_operations(cluster_id: int) -> QuerySet[Operation]:
    """Return what was promised on a cluster and is not done, oldest first, deployments joined."""
    rows = Operation.objects.unfinished().filter(deployment__cluster_id=cluster_id)
    return rows.select_related("deployment", "deployment__cluster").order_by("created_at", "id")

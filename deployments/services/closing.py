"""The end of a record: it leaves the lists and frees its name; its history stays."""

from django.db import transaction
from django.utils import timezone

from deployments.models import Deployment, DeploymentQuerySet
from deployments.models.history import RevisionOutcome
from deployments.models.operations import OperationState, Verb
from deployments.services.auditing import Outcome, record_end
from deployments.services.snapshots import status_columns, write_verdict
from deployments.services.superseding import supersede_changes
from providers.contract.status import Phase, Status

REMOVED = Status(
    phase=Phase.DELETED, reason="Removed", message="The cluster has none of its objects any more."
)


def close_deployment(
    deployment: Deployment, *, verdict: Status = REMOVED, rows: DeploymentQuerySet | None = None
) -> bool:
    """Close a record and finish what was promised for it; False when somebody else did already."""
    now = timezone.now()
    open_rows = Deployment.objects.open() if rows is None else rows.open()
    with transaction.atomic():
        columns = {**status_columns(verdict, None), "closed_at": now}
        columns |= {"lease_owner": "", "lease_until": None}
        if not write_verdict(open_rows, deployment, columns):
            return False
        deployment.revisions.all().record_outcome(RevisionOutcome.WITHDRAWN)
        _finish_operations(deployment)
    return True


def _finish_operations(deployment: Deployment) -> None:
    supersede_changes(deployment)
    for operation in deployment.operations.unfinished().filter(verb=Verb.DELETE):
        operation.state, operation.finished_at = OperationState.DONE, timezone.now()
        operation.save(update_fields=["state", "finished_at"])
        record_end(deployment, operation, outcome=Outcome.SUCCEEDED)

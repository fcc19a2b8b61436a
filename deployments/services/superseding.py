"""Promises that something else has overtaken: nobody works on them, and the audit trail says so."""

from django.db.models import QuerySet
from django.utils import timezone

from deployments.models import Deployment, Operation
from deployments.models.operations import OperationState, Verb
from deployments.services.auditing import Outcome, record_end

BY_DELETION = "A deletion was asked for before it was done."
BY_REAPPLYING = "What runs it was gone before it was done; the wanted revision is applied anew."
BY_FORGETTING = "The record was forgotten before it was done."
BY_CHANGE = "Another change was asked for before it was done."


def supersede_changes(deployment: Deployment, *, because: str = BY_DELETION) -> None:
    """End what was to be made or changed of a deployment, in the caller's transaction."""
    _supersede(deployment, deployment.operations.unfinished().exclude(verb=Verb.DELETE), because)


def supersede_all(deployment: Deployment, *, because: str) -> None:
    """End all that was promised of a deployment, its deletion too, in the caller's transaction."""
    _supersede(deployment, deployment.operations.unfinished(), because)


def _supersede(deployment: Deployment, operations: QuerySet[Operation], because: str) -> None:
    for operation in operations:
        operation.state, operation.finished_at = OperationState.SUPERSEDED, timezone.now()
        operation.save(update_fields=["state", "finished_at"])
        record_end(deployment, operation, outcome=Outcome.SUPERSEDED, message=because)

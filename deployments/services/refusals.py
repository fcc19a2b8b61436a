"""What becomes of a stored launch that the cluster refuses: closed at once, or failed later.

Inside the request the record is closed with its evidence. Found out later, it stays open and says
so, because somebody already counts on it. What could not be undone is never forgotten.
"""

from collections.abc import Mapping

from django.db import transaction
from django.utils import timezone

from deployments.models import Deployment, Operation
from deployments.models.history import RevisionOutcome
from deployments.models.operations import OperationState, Verb
from deployments.services.applying import Task, finish
from deployments.services.auditing import Outcome, record_begin
from deployments.services.closing import close_deployment
from deployments.services.leasing import release_lease
from deployments.services.refs import apply_result_document
from deployments.services.snapshots import status_columns, write_verdict
from providers.contract.errors import NotInstalled, ProviderError, Rejected
from providers.contract.request import ApplyResult, Intent
from providers.contract.status import Evidence, Phase, Status


def settle_refused_at_once(task: Task, refusal: ProviderError) -> None:
    """Close the record; where objects were left behind, turn it into a deletion instead."""
    with transaction.atomic():
        finish(task, OperationState.REFUSED, Outcome.REFUSED, refusal.message)
        task.deployment.revisions.all().record_outcome(RevisionOutcome.REFUSED)
        task.rows.update(last_apply=_result(refusal))
        if left_behind(refusal):
            _begin_removal(task, refusal)
        else:
            verdict = _verdict(Phase.DELETED, refusal)
            close_deployment(task.deployment, verdict=verdict, rows=task.rows)


def settle_refused_later(task: Task, refusal: ProviderError) -> None:
    """Keep the record open as Failed; nobody tries again until somebody changes something."""
    columns = {
        **status_columns(_verdict(Phase.FAILED, refusal), None),
        "last_apply": _result(refusal),
        "lease_owner": "",
        "lease_until": None,
    }
    revision = task.operation.revision
    with transaction.atomic():
        if not write_verdict(task.rows.filter(revision=revision), task.deployment, columns):
            # Another change was asked for meanwhile, and tells how it is.
            release_lease(Deployment.objects.open(), task.lease)
            return
        task.deployment.revisions.filter(number=revision).record_outcome(RevisionOutcome.REFUSED)
        finish(task, OperationState.REFUSED, Outcome.REFUSED, refusal.message)


def left_behind(refusal: ProviderError) -> tuple[str, ...]:
    """Return the objects that could not be undone."""
    return refusal.left_behind if isinstance(refusal, Rejected) else ()


def _begin_removal(task: Task, refusal: ProviderError) -> None:
    now = timezone.now()
    columns = {
        **status_columns(_verdict(Phase.DELETING, refusal), None),
        "intent": Intent.DELETED.value,
        "intent_since": now,
        "lease_owner": "",
        "lease_until": None,
    }
    if not write_verdict(task.rows.exclude(intent=Intent.DELETED), task.deployment, columns):
        # Somebody has asked for the deletion meanwhile: it removes what was left behind as well.
        release_lease(Deployment.objects.open(), task.lease)
        return
    operation = Operation.objects.create(
        deployment=task.deployment,
        verb=Verb.DELETE,
        revision=task.deployment.revision,
        actor_name=task.operation.actor_name,
        created_at=now,
    )
    record_begin(task.deployment, operation, because=task.operation)


def _verdict(phase: Phase, refusal: ProviderError) -> Status:
    reason = _reason(refusal)
    seen = [Evidence(reason=reason, message=refusal.message)]
    seen += [
        Evidence(reason="LeftBehind", message=f"{name} could not be removed", object=name)
        for name in left_behind(refusal)
    ]
    said = f"The cluster refused it: {refusal.message}"
    return Status(phase=phase, reason=reason, message=said, evidence=tuple(seen))


def _reason(refusal: ProviderError) -> str:
    return "ProviderNotInstalled" if isinstance(refusal, NotInstalled) else "ApplyRejected"


def _result(refusal: ProviderError) -> Mapping[str, object]:
    result = ApplyResult(code=refusal.code, message=refusal.message, at=timezone.now())
    return apply_result_document(result)

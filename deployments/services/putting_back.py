"""What becomes of a change that the cluster refuses: the revision that ran before is wanted again.

A refusal may come after some of the objects were written. So the record goes back to the revision
that was applied last, and that one is applied again, as a promise of its own that a pass keeps if
this process does not. What somebody has removed is not: a person decides whether it is made anew.
"""

from django.db import transaction
from django.utils import timezone

from deployments.models import Deployment, Operation
from deployments.models.history import RevisionOutcome
from deployments.models.operations import OperationState, Verb
from deployments.selectors import revision_numbered
from deployments.services.answers import answer_of
from deployments.services.applying import (
    NOT_ABOUT_THE_ORDER,
    Task,
    apply_wanted,
    finish,
    settle_pending,
)
from deployments.services.auditing import Outcome, record_begin
from deployments.services.calling import ProviderFailed, calling, provider_of
from deployments.services.clusters import target_of
from deployments.services.forgetting import REMOVED_OUTSIDE
from deployments.services.leasing import held, release_lease
from deployments.services.refs import request_of
from deployments.services.refusals import settle_refused_later
from deployments.services.revision_columns import wanted_columns
from deployments.services.snapshots import own_verdict, status_columns, write_verdict
from providers.contract.checks import Check, Result
from providers.contract.errors import ProviderError
from providers.contract.protocols import Deadline, Endpoint
from providers.contract.request import Intent
from providers.contract.status import Phase

CHANGE_REFUSED = "ChangeRefused"
LABELS_REMOVED = "LabelsRemoved"


def settle_refused(task: Task, refusal: ProviderError, *, deadline: Deadline) -> bool:
    """Keep what a refusal means for a change or a later launch; tell whether it is final.

    What was never applied stays open as Failed, and so does what cannot be put back either.
    """
    if refusal.code in NOT_ABOUT_THE_ORDER:
        settle_pending(task, refusal)
        return False
    if task.operation.verb == Verb.REAPPLY or not task.deployment.applied_revision:
        settle_refused_later(task, refusal)
        return True
    restoring = _want_again(task, refusal)
    if restoring is None:
        # Nothing was written, or another act was asked for meanwhile and mends what was.
        release_lease(Deployment.objects.open(), task.lease)
        return True
    _put_back(restoring, deadline)
    return True


def is_gone(refusal: ProviderError) -> bool:
    """Tell whether a change was refused because somebody has removed what it is a change of."""
    return refusal.code == REMOVED_OUTSIDE


def is_whole(refusal: ProviderError) -> bool:
    """Tell whether it came before anything was written, so that there is nothing to put back."""
    return refusal.code in {REMOVED_OUTSIDE, LABELS_REMOVED}


def _want_again(task: Task, refusal: ProviderError) -> Task | None:
    """Store that the applied revision is wanted again, and the promise to apply what is there."""
    deployment = task.deployment
    with transaction.atomic():
        refused = deployment.revisions.filter(number=task.operation.revision)
        refused.record_outcome(RevisionOutcome.REFUSED)
        finish(task, OperationState.REFUSED, Outcome.REFUSED, refusal.message)
        running = held(Deployment.objects.open().exclude(intent=Intent.DELETED), task.lease)
        rows = running.filter(revision=task.operation.revision)
        if not write_verdict(rows, deployment, _columns(deployment, refusal)) or is_whole(refusal):
            return None
        operation = Operation.objects.create(
            deployment=deployment,
            verb=Verb.REAPPLY,
            revision=deployment.revision,
            actor_name=task.operation.actor_name,
            created_at=timezone.now(),
        )
        record_begin(deployment, operation, because=task.operation)
    return Task(deployment=deployment, operation=operation, lease=task.lease)


def _columns(deployment: Deployment, refusal: ProviderError) -> dict[str, object]:
    revision = revision_numbered(deployment, deployment.applied_revision)
    request, provider = request_of(deployment, revision), provider_of(deployment.kind)
    with calling(provider.kind, "endpoint"):
        endpoint = answer_of(Endpoint, provider.endpoint(request, target_of(deployment.cluster)))
    said = (
        f"The cluster refused revision {deployment.revision}: {refusal.message}; "
        f"revision {revision.number} is wanted again"
    )
    verdict = own_verdict(deployment, Phase.DEPLOYING, "ApplyPending", said)
    if is_gone(refusal):
        verdict = own_verdict(deployment, Phase.DELETED, REMOVED_OUTSIDE, refusal.message)
    told = Check(code=CHANGE_REFUSED, result=Result.WARN, message=said)
    return {
        **wanted_columns(deployment, revision, request, endpoint),
        **status_columns(verdict, None),
        "last_apply": {},
        # Whoever did not wait for the answer finds it here, until the next change.
        "checks": [told.as_dict()],
    }


def _put_back(task: Task, deadline: Deadline) -> None:
    try:
        refusal = apply_wanted(task, deadline=deadline)
    except ProviderFailed as error:
        settle_pending(task, error)
        return
    if refusal is not None:
        settle_refused(task, refusal, deadline=deadline)

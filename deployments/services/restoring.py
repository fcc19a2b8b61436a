"""Puts back what others changed, as far as a person has looked at it and agreed.

The promise is stored first, with what was agreed to. It makes no revision: what is wanted stays the
same. Cut short at any point, the next pass finishes it; what has come to differ since ends it.
"""

from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from deployments.access import require_change
from deployments.change_errors import ClusterDisabled
from deployments.drift_errors import ChangeUnderWay, DriftChanged, NothingToPutBack
from deployments.models import Deployment, Operation
from deployments.models.operations import OperationState, Verb
from deployments.services.answers import answer_of
from deployments.services.applying import (
    FINAL,
    NOT_ABOUT_THE_ORDER,
    Task,
    finish,
    note_failure,
)
from deployments.services.auditing import Act, Origin, Outcome, record_audit
from deployments.services.calling import calling_cluster
from deployments.services.clusters import target_of
from deployments.services.deadlines import CREATE_SECONDS, deadline_in
from deployments.services.drifting import (
    applied_manifests,
    comparer_of,
    drift_as_seen,
    refuse_uncompared,
)
from deployments.services.leasing import Lease, held, release_lease, take_lease
from deployments.services.refs import ref_of
from deployments.services.storing import LEASE_SECONDS
from deployments.services.translating import refused
from providers.contract.drifting import DriftedField, PutBack
from providers.contract.errors import ProviderError
from providers.contract.protocols import Deadline

DRIFT_CHANGED = "DriftChanged"  # the provider's code for what nobody has agreed to


@dataclass(frozen=True, kw_only=True, slots=True)
class Restored:
    """What became of it: not `done` when the cluster did not answer and a pass goes on with it.

    `left` cannot be put back, each says why.
    """

    deployment: Deployment
    fields: tuple[DriftedField, ...] = ()
    left: tuple[DriftedField, ...] = ()
    done: bool = True


def put_back_drift(
    deployment: Deployment,
    *,
    user: User,
    digest: str,
    reason: str = "",
    origin: Origin | None = None,
) -> Restored:
    """Write our values of all that a person has seen to differ (`digest`), if it still does.

    Raises NotAllowed, a conflict, ClusterRefused or ClusterUnavailable; nothing is stored then
    unless the cluster refuses half-way, which the audit trail tells.
    """
    require_change(user, deployment)
    if not deployment.cluster.enabled:
        raise ClusterDisabled(deployment.cluster.name)
    found = drift_as_seen(deployment, digest).fields
    chosen = tuple(one for one in found if one.can_be_put_back)
    left = tuple(one for one in found if not one.can_be_put_back)
    if not found:
        return Restored(deployment=deployment)
    if not chosen:
        where = f"{left[0].key} {left[0].path}".rstrip()  # an object that is gone has no path
        raise NothingToPutBack(f"{where}: {left[0].obstacle}")
    task = _store(deployment, chosen, user, reason, origin or Origin())
    refusal = restore(task, deadline=deadline_in(CREATE_SECONDS))
    if refusal is not None:
        raise DriftChanged if refusal.code == DRIFT_CHANGED else refused(refusal)
    is_done = task.operation.state == OperationState.DONE
    return Restored(deployment=deployment, fields=chosen, left=left, done=is_done)


def finish_restoring(operation: Operation, *, deadline: Deadline) -> bool:
    """Go on with what was promised; tell whether it is finished now, whichever way."""
    rows = Deployment.objects.open()
    lease = take_lease(rows, operation.deployment_id, seconds=LEASE_SECONDS)
    if lease is None:
        return False
    operation.refresh_from_db(fields=["state", "finished_at", "agreed"])
    if operation.finished_at is not None:
        release_lease(rows, lease)
        return True
    deployment = Deployment.objects.select_related("cluster").get(pk=operation.deployment_id)
    restore(Task(deployment=deployment, operation=operation, lease=lease), deadline=deadline)
    return operation.finished_at is not None


def restore(task: Task, *, deadline: Deadline) -> ProviderError | None:
    """Put back what was agreed to and keep how that ended; return a final refusal."""
    try:
        _ask(task, deadline)
    except FINAL as refusal:
        if refusal.code in NOT_ABOUT_THE_ORDER:
            _settle_pending(task, refusal)
            return None
        _settle(task, OperationState.REFUSED, Outcome.REFUSED, refusal.message)
        return refusal
    except ProviderError as error:
        _settle_pending(task, error)
        return None
    _settle(task, OperationState.DONE, Outcome.SUCCEEDED)
    return None


def _ask(task: Task, deadline: Deadline) -> None:
    deployment = task.deployment
    provider = comparer_of(deployment)
    with calling_cluster(deployment.cluster.name, deployment.kind, "put_back"):
        answer = provider.put_back(
            applied_manifests(deployment),
            ref_of(deployment),
            target_of(deployment.cluster),
            seen=frozenset(task.operation.agreed),
            deadline=deadline,
        )
        answer_of(PutBack, answer)


def _settle(task: Task, state: OperationState, outcome: Outcome, message: str = "") -> None:
    with transaction.atomic():
        if task.rows.update(lease_owner="", lease_until=None):
            finish(task, state, outcome, message)


def _settle_pending(task: Task, error: ProviderError) -> None:
    if release_lease(Deployment.objects.open(), task.lease):
        note_failure(task.operation, error.message)


def _store(
    deployment: Deployment,
    chosen: tuple[DriftedField, ...],
    user: User,
    reason: str,
    origin: Origin,
) -> Task:
    """Store the promise and take the right to keep it; raises a conflict if it has changed."""
    with transaction.atomic():
        lease = _require_lease(deployment)
        now = held(Deployment.objects.open(), lease).get()
        refuse_uncompared(now)
        if now.revision != deployment.revision:
            raise DriftChanged
        operation = Operation.objects.create(
            deployment=deployment,
            verb=Verb.PUT_BACK,
            revision=deployment.revision,
            agreed=[one.fingerprint for one in chosen],
            actor_name=user.get_username(),
            created_at=timezone.now(),
        )
        record_audit(_act(deployment, operation, chosen, reason, origin), actor=user)
    return Task(deployment=deployment, operation=operation, lease=lease)


def _require_lease(deployment: Deployment) -> Lease:
    lease = take_lease(Deployment.objects.open(), deployment.pk, seconds=LEASE_SECONDS)
    if lease is None:
        raise ChangeUnderWay(deployment.name)
    return lease


def _act(
    deployment: Deployment,
    operation: Operation,
    chosen: tuple[DriftedField, ...],
    reason: str,
    origin: Origin,
) -> Act:
    return Act(
        action=f"deployment.{Verb.PUT_BACK}",
        object_type="deployment",
        object_id=str(deployment.pk),
        object_name=deployment.name,
        outcome=Outcome.ACCEPTED,
        before={one.name: one.theirs for one in chosen},
        after={one.name: one.ours for one in chosen},
        reason=reason,
        operation_id=str(operation.pk),
        origin=origin,
    )

"""Makes anew what somebody has removed from the cluster: the revision that is wanted, unchanged.

It is never done by itself, since whoever removed it may have meant it. What was refused when it was
to be made is tried again the same way.
"""

from dataclasses import dataclass, replace

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from deployments.access import require_change
from deployments.change_errors import RemovedOutside
from deployments.ending_errors import NotRemoved
from deployments.exceptions import ClusterRefused, ClusterUnavailable
from deployments.models import Deployment, Operation
from deployments.models.operations import Verb
from deployments.services.answers import checks_of
from deployments.services.applying import Task, apply_revision
from deployments.services.auditing import Act, Origin, Outcome, record_audit
from deployments.services.backing_off import note_answer
from deployments.services.calling import calling_cluster
from deployments.services.capacity import stored_capacity
from deployments.services.change_bases import Base, read_base
from deployments.services.deadlines import CREATE_SECONDS, deadline_in
from deployments.services.forgetting import REMOVED_OUTSIDE
from deployments.services.leasing import take_lease
from deployments.services.putting_back import settle_refused
from deployments.services.reading import read_deployment
from deployments.services.snapshots import own_verdict, status_columns, write_verdict
from deployments.services.storing import LEASE_SECONDS
from deployments.services.superseding import BY_REAPPLYING, supersede_changes
from deployments.services.translating import refused, translating
from providers.contract.checks import Result
from providers.contract.protocols import Deadline
from providers.contract.request import Intent
from providers.contract.status import Phase, Status

PENDING = "Not applied again yet; the console goes on with it by itself"
CHANGED = "it was changed just now; look again"


@dataclass(frozen=True, kw_only=True, slots=True)
class _Ask:
    user: User
    reason: str
    origin: Origin


def reapply_deployment(
    deployment: Deployment, *, user: User, reason: str = "", origin: Origin | None = None
) -> Deployment:
    """Apply the wanted revision anew and return its record, which may still wait for the cluster.

    Raises NotAllowed, NotRemoved where there is nothing to make anew, RecordClosed, DeletionAsked,
    ClusterDisabled, ClusterRefused or ClusterUnavailable.
    """
    require_change(user, deployment)
    base = read_base(deployment, expected=None)
    require_removed(base.deployment)
    deadline = deadline_in(CREATE_SECONDS)
    _require_preflight(base, deadline)
    ask = _Ask(user=user, reason=reason, origin=origin or Origin())
    with transaction.atomic():
        task = _store(base, ask)
    if task is not None:
        _apply(task, base, deadline)
    return base.deployment


def is_removed(deployment: Deployment, status: Status) -> bool:
    """Tell whether there is something to make anew: it was removed, or its making was refused."""
    if deployment.is_closed or deployment.is_deleting:
        return False
    if deployment.applied_revision:
        return status.reason == REMOVED_OUTSIDE and status.phase is Phase.DELETED
    return not deployment.operations.unfinished().exists()


def is_known_removed(deployment: Deployment) -> bool:
    """Tell whether the record says that it was removed outside."""
    return deployment.phase == Phase.DELETED and deployment.reason == REMOVED_OUTSIDE


def refuse_removed(deployment: Deployment) -> None:
    """Raise RemovedOutside for what a change would make anew.

    The cluster is asked once more, so that what has come back meanwhile can be changed.
    """
    if not is_known_removed(deployment):
        return
    if is_removed(deployment, read_deployment(deployment).status):
        raise RemovedOutside(deployment.name)


def refuse_seen_removed(deployment: Deployment) -> None:
    """Raise RemovedOutside where the looks that working a change out takes have found it gone."""
    if is_known_removed(deployment):
        raise RemovedOutside(deployment.name)


def require_removed(deployment: Deployment) -> None:
    """Ask the cluster whether it is gone; raises NotRemoved, or ClusterUnavailable."""
    reading = read_deployment(deployment)
    if reading.stale:
        raise ClusterUnavailable(reading.cause, code=reading.cause_code)
    if not is_removed(deployment, reading.status):
        raise NotRemoved(deployment.name, reading.status.message)


def _require_preflight(base: Base, deadline: Deadline) -> None:
    """Ask the cluster whether it can run again; raises ClusterRefused before anything is stored."""
    with translating(), calling_cluster(base.target.name, base.provider.kind, "preflight"):
        answer = base.provider.preflight(
            base.request,
            base.target,
            capacity=stored_capacity(base.deployment.cluster),
            deadline=deadline,
        )
        checks = checks_of(answer)
    note_answer(base.deployment.cluster)
    failed = [check for check in checks if check.result is Result.FAIL]
    if failed:
        raise ClusterRefused.by_checks(checks, failed)


def _store(base: Base, ask: _Ask) -> Task | None:
    """Store the promise; None where somebody is at work, after whom a pass keeps it."""
    deployment = base.deployment
    before = {"applied_revision": deployment.applied_revision, "uid": deployment.workload_uid}
    rows = Deployment.objects.open().exclude(intent=Intent.DELETED)
    if not write_verdict(
        rows.filter(revision=deployment.revision, applied_revision=deployment.applied_revision),
        deployment,
        _columns(deployment),
    ):
        raise NotRemoved(deployment.name, CHANGED)
    lease = take_lease(Deployment.objects.open(), deployment.pk, seconds=LEASE_SECONDS)
    supersede_changes(deployment, because=BY_REAPPLYING)
    operation = _operation(deployment, ask)
    act = Act(
        action=f"deployment.{Verb.REAPPLY}",
        object_type="deployment",
        object_id=str(deployment.pk),
        object_name=deployment.name,
        outcome=Outcome.ACCEPTED,
        before=before,
        after={"applied_revision": 0, "uid": ""},
        reason=ask.reason,
        operation_id=str(operation.pk),
        origin=ask.origin,
    )
    record_audit(act, actor=ask.user)
    return Task(deployment=deployment, operation=operation, lease=lease) if lease else None


def _columns(deployment: Deployment) -> dict[str, object]:
    """Return the columns of what was never applied: its objects are made, not changed."""
    verdict = own_verdict(deployment, Phase.DEPLOYING, "ApplyPending", PENDING)
    return {
        **status_columns(replace(verdict, once_full=False), None),
        "applied_revision": 0,
        "workload_uid": "",
        "pod_digest": "",
        "last_apply": {},
    }


def _operation(deployment: Deployment, ask: _Ask) -> Operation:
    return Operation.objects.create(
        deployment=deployment,
        verb=Verb.REAPPLY,
        revision=deployment.revision,
        actor_name=ask.user.get_username(),
        created_at=timezone.now(),
    )


def _apply(task: Task, base: Base, deadline: Deadline) -> None:
    refusal = apply_revision(
        task, base.request, provider=base.provider, target=base.target, deadline=deadline
    )
    if refusal is not None and settle_refused(task, refusal, deadline=deadline):
        raise refused(refusal, deployment_id=str(task.deployment.pk)) from refusal

"""Stores a change before it is applied: the next revision, the record, the promise, the audit.

One transaction, whose first write finds the record at the revision that the change starts from, or
nothing is stored. It takes the right to apply it along, unless somebody is at work just then.
"""

import uuid
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils import timezone

from deployments.models import Deployment, Operation, Revision
from deployments.models.history import RevisionOutcome
from deployments.services.auditing import Act, Origin, Outcome, record_audit
from deployments.services.change_bases import moved_on
from deployments.services.change_plans import ChangePlan
from deployments.services.leasing import Lease, take_lease
from deployments.services.revision_columns import wanted_columns
from deployments.services.snapshots import own_verdict, status_columns, write_verdict
from deployments.services.storing import LEASE_SECONDS, AlreadyStored, audited, revision_of
from deployments.services.superseding import BY_CHANGE, supersede_changes
from providers.contract.checks import Check, Result
from providers.contract.request import Intent
from providers.contract.status import Phase

PENDING = "Revision {} is not applied yet; the console goes on with it by itself"


@dataclass(frozen=True, kw_only=True, slots=True)
class Ask:
    """Who asks for a change, through which face, and under which id it is carried out."""

    user: User
    origin: Origin
    operation_id: uuid.UUID


@dataclass(frozen=True, kw_only=True, slots=True)
class Stored:
    """A change that is stored; without a lease somebody else is at work, and a pass applies it."""

    deployment: Deployment
    operation: Operation
    lease: Lease | None


def store_change(plan: ChangePlan, ask: Ask, *, checks: tuple[Check, ...]) -> Stored:
    """Store a change; raises RevisionConflict, or AlreadyStored for the same id of an operation."""
    base = plan.base
    try:
        with transaction.atomic():
            return _store(plan, ask, checks)
    except IntegrityError as error:
        if Operation.objects.filter(pk=ask.operation_id).exists():
            raise AlreadyStored from error
        raise moved_on(base.deployment, base.revision.number) from error


def _store(plan: ChangePlan, ask: Ask, checks: tuple[Check, ...]) -> Stored:
    base, deployment = plan.base, plan.base.deployment
    before, revision = audited(deployment), _revision(plan, ask.user)
    running = Deployment.objects.open().exclude(intent=Intent.DELETED)
    if not write_verdict(
        running.filter(revision=base.revision.number),
        deployment,
        _columns(plan, revision, checks),
    ):
        if Operation.objects.filter(pk=ask.operation_id).exists():
            raise AlreadyStored
        raise moved_on(deployment, base.revision.number)
    lease = take_lease(Deployment.objects.open(), deployment.pk, seconds=LEASE_SECONDS)
    supersede_changes(deployment, because=BY_CHANGE)
    deployment.revisions.all().record_outcome(RevisionOutcome.WITHDRAWN)
    revision.save()
    operation = _operation(plan, ask)
    _audit(plan, ask, before)
    # What an earlier promise has come to meanwhile counts for how this one is applied.
    deployment.refresh_from_db(fields=["applied_revision", "workload_uid", "pod_digest"])
    return Stored(deployment=deployment, operation=operation, lease=lease)


def _revision(plan: ChangePlan, user: User) -> Revision:
    wanted = plan.wanted
    revision = revision_of(plan.plan, plan.base.deployment, user=user)
    revision.verb, revision.restores = wanted.verb, wanted.restores
    revision.stopped, revision.created_at = wanted.stopped, timezone.now()
    return revision


def _columns(plan: ChangePlan, revision: Revision, checks: tuple[Check, ...]) -> dict[str, object]:
    deployment = plan.base.deployment
    verdict = own_verdict(
        deployment, Phase.DEPLOYING, "ApplyPending", PENDING.format(revision.number)
    )
    return {
        **wanted_columns(deployment, revision, plan.plan.request, plan.plan.endpoint),
        **status_columns(verdict, None),
        # How an earlier write ended says nothing about this one.
        "last_apply": {},
        "checks": [check.as_dict() for check in checks if check.result is Result.WARN],
    }


def _operation(plan: ChangePlan, ask: Ask) -> Operation:
    return Operation.objects.create(
        id=ask.operation_id,
        deployment=plan.base.deployment,
        verb=plan.wanted.verb,
        revision=plan.base.number,
        actor_name=ask.user.get_username(),
        created_at=timezone.now(),
    )


def _audit(plan: ChangePlan, ask: Ask, before: dict[str, object]) -> None:
    deployment = plan.base.deployment
    act = Act(
        action=f"deployment.{plan.wanted.verb}",
        object_type="deployment",
        object_id=str(deployment.pk),
        object_name=deployment.name,
        outcome=Outcome.ACCEPTED,
        before=before,
        after=audited(deployment),
        reason=plan.plan.draft.order.reason,
        operation_id=str(ask.operation_id),
        origin=ask.origin,
    )
    record_audit(act, actor=ask.user)

"""Changes what runs: preview says what would happen, change makes it so. Rollback is a change, too.

A change is the next revision. What is stored is then applied, and should that be cut short at any
point, the next pass over the cluster finishes it.
"""

import uuid
from dataclasses import dataclass, replace

from django.contrib.auth.models import User

from deployments.access import require_change
from deployments.change_errors import RemovedOutside
from deployments.diffing.words import IntentChange
from deployments.exceptions import ClusterRefused
from deployments.load_times import LoadTimes, load_times_of
from deployments.models import Deployment, Operation
from deployments.models.operations import OperationState
from deployments.services.applying import Task, apply_revision
from deployments.services.auditing import Origin
from deployments.services.change_bases import Base, read_base
from deployments.services.change_plans import AnyOrder, ChangePlan, effects_of, make_change_plan
from deployments.services.change_tokens import (
    ReviewedChange,
    change_token,
    read_change_token,
    refuse_another_wish,
    refuse_unless_as_reviewed,
)
from deployments.services.comparing import Comparison, compare_revisions
from deployments.services.deadlines import CREATE_SECONDS, deadline_in
from deployments.services.preflighting import preview_checks, require_preflight
from deployments.services.putting_back import is_gone, settle_refused
from deployments.services.reapplying import refuse_removed, refuse_seen_removed
from deployments.services.storing import AlreadyStored, revision_of
from deployments.services.storing_changes import Ask, Stored, store_change
from deployments.services.translating import refused
from providers.contract.changing import Effects
from providers.contract.checks import Check, Result
from providers.contract.protocols import Deadline

# What no two revisions tell: it should run, and somebody else has scaled it to nothing.
REVIVED = IntentChange(
    field="stopped",
    label="State",
    before="stopped by others",
    after="runs",
    sentence="Stopped by others → runs",
)


@dataclass(frozen=True, kw_only=True, slots=True)
class ChangePreview:
    """What a change would do; `change` is the token that carries out this very change.

    It is empty where nothing would be otherwise. `load_times` are those of the template afterwards,
    None where nothing is known or no pod is replaced.
    """

    plan: ChangePlan
    comparison: Comparison
    effects: Effects
    checks: tuple[Check, ...]
    load_times: LoadTimes | None
    change: str

    @property
    def is_change(self) -> bool:
        """Tell whether anything would be otherwise."""
        return self.plan.is_change

    @property
    def base(self) -> Base:
        """Return what it starts from."""
        return self.plan.base

    @property
    def ok(self) -> bool:
        """Tell whether nothing stands against it."""
        return all(check.result is not Result.FAIL for check in self.checks)


@dataclass(frozen=True, kw_only=True, slots=True)
class Changed:
    """The record after a change that was asked for; `is_change` is false if nothing was to do."""

    deployment: Deployment
    is_change: bool


def preview_change(order: AnyOrder, *, deployment: Deployment, user: User) -> ChangePreview:
    """Say what a change would do, without storing or making anything.

    Raises NotAllowed, InvalidOrder or a conflict; what the cluster says is among the checks.
    """
    require_change(user, deployment)
    refuse_removed(deployment)
    deadline = deadline_in(CREATE_SECONDS)
    plan = make_change_plan(order, _base_of(order, deployment), deadline=deadline)
    refuse_seen_removed(plan.base.deployment)
    asks = plan.is_change and not plan.is_stop
    effects = effects_of(plan)
    return ChangePreview(
        plan=plan,
        comparison=_compared(plan, user),
        effects=effects,
        checks=preview_checks(plan.plan, deadline=deadline) if asks else plan.plan.warnings,
        load_times=_load_times(plan) if effects.replaces_pods else None,
        change=change_token(order, plan, user=user) if plan.is_change else "",
    )


def change_deployment(
    order: AnyOrder,
    *,
    deployment: Deployment,
    user: User,
    origin: Origin | None = None,
    operation_id: uuid.UUID | None = None,
) -> Changed:
    """Change a deployment and return its record, which may still wait for the cluster.

    The id of the operation is that of the review, else the given one, else a new one; a second call
    with the same id answers what the first did. Raises NotAllowed, InvalidOrder, a conflict,
    ClusterRefused or ClusterUnavailable.
    """
    require_change(user, deployment)
    reviewed = _reviewed(order, deployment, user)
    own_id = reviewed.operation_id if reviewed else operation_id or uuid.uuid4()
    earlier = _earlier_change(own_id)
    if earlier is not None:
        if reviewed is not None:
            refuse_another_wish(order, reviewed)
        return earlier
    refuse_removed(deployment)
    deadline = deadline_in(CREATE_SECONDS)
    plan = _planned(order, deployment, reviewed, deadline)
    refuse_seen_removed(plan.base.deployment)
    if not plan.is_change:
        return Changed(deployment=plan.base.deployment, is_change=False)
    checks = plan.plan.warnings if plan.is_stop else require_preflight(plan.plan, deadline=deadline)
    ask = Ask(user=user, origin=origin or Origin(), operation_id=own_id)
    try:
        stored = store_change(plan, ask, checks=checks)
    except AlreadyStored:
        return _required(_earlier_change(own_id))
    return Changed(deployment=_apply(plan, stored, deadline), is_change=True)


def _base_of(order: AnyOrder, deployment: Deployment) -> Base:
    return read_base(deployment, expected=order.expected)


def _reviewed(order: AnyOrder, deployment: Deployment, user: User) -> ReviewedChange | None:
    if not order.change:
        return None
    return read_change_token(order.change, deployment_id=deployment.pk, user=user)


def _planned(
    order: AnyOrder, deployment: Deployment, reviewed: ReviewedChange | None, deadline: Deadline
) -> ChangePlan:
    expected = reviewed.revision if reviewed else order.expected
    base = read_base(deployment, expected=expected)
    rollout = reviewed.rollout if reviewed else None
    plan = make_change_plan(order, base, deadline=deadline, rollout=rollout)
    if reviewed is not None:
        refuse_unless_as_reviewed(plan, reviewed)
    return plan


def _compared(plan: ChangePlan, user: User) -> Comparison:
    after = revision_of(plan.plan, plan.base.deployment, user=user)
    after.stopped = plan.wanted.stopped
    found = compare_revisions(plan.base.revision, after)
    return replace(found, words=(REVIVED, *found.words)) if plan.wanted.revives else found


def _load_times(plan: ChangePlan) -> LoadTimes | None:
    template = plan.wanted.template.pk
    return load_times_of([template]).get(template)


def _apply(plan: ChangePlan, stored: Stored, deadline: Deadline) -> Deployment:
    """Apply what is stored; raises ClusterRefused after it was put back."""
    deployment = stored.deployment
    if stored.lease is None:
        return deployment
    task = Task(deployment=deployment, operation=stored.operation, lease=stored.lease)
    refusal = apply_revision(
        task,
        plan.plan.request,
        provider=plan.base.provider,
        target=plan.base.target,
        deadline=deadline,
    )
    if refusal is not None and settle_refused(task, refusal, deadline=deadline):
        gone = RemovedOutside(deployment.name) if is_gone(refusal) else None
        raise gone or refused(refusal) from refusal
    return deployment


def _earlier_change(operation_id: uuid.UUID) -> Changed | None:
    """Return what an earlier request with this id did; raises what it was refused with."""
    rows = Operation.objects.select_related("deployment", "deployment__cluster")
    found = rows.filter(pk=operation_id).first()
    if found is None:
        return None
    if found.state == OperationState.REFUSED:
        raise ClusterRefused(found.last_error)
    return Changed(deployment=found.deployment, is_change=True)


def _required(changed: Changed | None) -> Changed:
    if changed is None:
        raise AlreadyStored
    return changed

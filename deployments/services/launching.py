"""Launches a model: preview says what would happen, create makes it so.

A refusal stores nothing. What is stored is then applied, and should that be cut short at any
point, the next pass over the cluster finishes it.
"""

import uuid
from dataclasses import dataclass

from django.contrib.auth.models import User

from deployments.access import require_launch
from deployments.exceptions import ClusterRefused, LaunchUsed
from deployments.models import Cluster, Deployment
from deployments.services.applying import Task, apply_revision
from deployments.services.auditing import Origin
from deployments.services.deadlines import CREATE_SECONDS, deadline_in
from deployments.services.launch_tokens import (
    FIELD,
    Reviewed,
    launch_token,
    read_launch_token,
    refuse_unless_reviewed,
)
from deployments.services.orders import LaunchOrder
from deployments.services.plans import Plan, make_plan, template_manifests
from deployments.services.preflighting import preview_checks, require_preflight
from deployments.services.refs import apply_result_from
from deployments.services.refusals import settle_refused_at_once
from deployments.services.storing import AlreadyStored, store_launch
from deployments.services.translating import refused
from providers.contract.capacity import Capacity
from providers.contract.checks import Check, Result
from providers.contract.manifest import Manifest
from providers.contract.protocols import Deadline, Endpoint
from providers.contract.request import DeployRequest


@dataclass(frozen=True, kw_only=True, slots=True)
class Preview:
    """What a launch would do; `launch` is the token that carries this very launch out.

    `template_manifests` are those of the same launch without overrides.
    """

    deployment_id: str
    checks: tuple[Check, ...]
    manifests: tuple[Manifest, ...]
    template_manifests: tuple[Manifest, ...]
    runtime_name: str
    endpoint: Endpoint
    launch: str
    request: DeployRequest
    cluster: Cluster
    capacity: Capacity | None

    @property
    def ok(self) -> bool:
        """Tell whether nothing stands against the launch."""
        return all(check.result is not Result.FAIL for check in self.checks)


def preview_launch(order: LaunchOrder, *, user: User) -> Preview:
    """Say what a launch would do, without storing or making anything.

    Raises InvalidOrder or a conflict; what the cluster says is among the checks.
    """
    require_launch(user)
    deadline = deadline_in(CREATE_SECONDS)
    plan = make_plan(
        order, deployment_id=uuid.uuid4(), author=user.get_username(), deadline=deadline
    )
    return Preview(
        deployment_id=plan.request.id,
        checks=preview_checks(plan, deadline=deadline),
        manifests=plan.manifests,
        template_manifests=template_manifests(plan),
        runtime_name=plan.request.runtime_name,
        endpoint=plan.endpoint,
        launch=launch_token(plan, user=user),
        request=plan.request,
        cluster=plan.draft.cluster,
        capacity=plan.capacity,
    )


def create_deployment(
    order: LaunchOrder,
    *,
    user: User,
    origin: Origin | None = None,
    deployment_id: uuid.UUID | None = None,
) -> Deployment:
    """Launch a model and return its record, which may still wait for the cluster.

    The id is that of the review, else the given one, else a new one; a second call with the same
    id answers what the first did. Raises InvalidOrder, a conflict, ClusterRefused or
    ClusterUnavailable.
    """
    require_launch(user)
    reviewed = read_launch_token(order.launch, user=user) if order.launch else None
    known_id = reviewed.deployment_id if reviewed else deployment_id
    own_id = known_id or uuid.uuid4()
    earlier = _earlier_launch(known_id, user) if known_id else None
    if earlier is not None:
        return earlier
    deadline = deadline_in(CREATE_SECONDS)
    plan = _planned(order, own_id, user.get_username(), reviewed, deadline)
    checks = require_preflight(plan, deadline=deadline)
    try:
        deployment, operation, lease = store_launch(
            plan, user=user, checks=checks, origin=origin or Origin()
        )
    except AlreadyStored:
        return _required(_earlier_launch(own_id, user))
    return _apply(plan, Task(deployment=deployment, operation=operation, lease=lease), deadline)


def _planned(
    order: LaunchOrder,
    own_id: uuid.UUID,
    author: str,
    reviewed: Reviewed | None,
    deadline: Deadline,
) -> Plan:
    rollout = reviewed.rollout if reviewed else None
    plan = make_plan(order, deployment_id=own_id, author=author, deadline=deadline, rollout=rollout)
    if reviewed is not None:
        refuse_unless_reviewed(plan, reviewed)
    return plan


def _apply(plan: Plan, task: Task, deadline: Deadline) -> Deployment:
    refusal = apply_revision(
        task,
        plan.request,
        provider=plan.draft.provider,
        target=plan.draft.target,
        deadline=deadline,
    )
    if refusal is not None:
        settle_refused_at_once(task, refusal)
        raise refused(refusal, deployment_id=str(task.deployment.pk)) from refusal
    return task.deployment


def _earlier_launch(own_id: uuid.UUID, user: User) -> Deployment | None:
    """Return what an earlier request with this id made; raises what it was refused with."""
    rows = Deployment.objects.select_related("cluster", "model", "template", "created_by")
    found = rows.filter(pk=own_id).first()
    if found is None:
        return None
    if found.created_by_id != user.pk:
        raise LaunchUsed(FIELD, "this launch was carried out by somebody else")
    result = apply_result_from(found.last_apply)
    if found.is_closed and result.code and not found.applied_revision:
        raise ClusterRefused(result.message, code=result.code, deployment_id=str(found.pk))
    return found


def _required(deployment: Deployment | None) -> Deployment:
    if deployment is None:
        raise LaunchUsed(FIELD, "this launch was carried out already; review again")
    return deployment

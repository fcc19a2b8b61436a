"""Stores a launch before it is applied: record, revision 1, the promise to apply it, the audit."""

import uuid
from datetime import timedelta

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils import timezone

from deployments.models import Deployment, Operation, Revision
from deployments.models.operations import Verb
from deployments.services.auditing import Act, Origin, Outcome, record_audit
from deployments.services.leasing import Lease, new_owner
from deployments.services.plans import Plan, name_taken, refuse_taken_name
from deployments.services.refs import scaling_document
from deployments.services.revision_columns import accelerator_columns, intent_of
from deployments.services.snapshots import own_verdict, status_columns
from providers.contract.checks import Check, Result
from providers.contract.status import Phase
from templates_app.names import name_key

# Longer than a create may take, so that nobody else works on it while this request does.
LEASE_SECONDS = 15.0

PENDING = "Not applied to the cluster yet; the console goes on with it by itself"


class AlreadyStored(Exception):
    """Another request with the same id has stored this launch."""


def store_launch(
    plan: Plan, *, user: User, checks: tuple[Check, ...], origin: Origin
) -> tuple[Deployment, Operation, Lease]:
    """Store a launch in one transaction; raises NameTaken, or AlreadyStored for the same id."""
    owner = new_owner()
    try:
        with transaction.atomic():
            deployment = _store_record(plan, user, checks, owner)
            revision_of(plan, deployment, user=user).save()
            operation = _store_operation(deployment, user)
            _store_audit(deployment, operation, user, plan.draft.order.reason, origin)
    except IntegrityError as error:
        if Deployment.objects.filter(pk=plan.request.id).exists():
            raise AlreadyStored from error
        refuse_taken_name(plan.draft.cluster, plan.request)
        raise name_taken(plan.request) from error
    return deployment, operation, Lease(pk=deployment.pk, owner=owner)


def _store_record(plan: Plan, user: User, checks: tuple[Check, ...], owner: str) -> Deployment:
    deployment = record_of(plan, user=user, checks=checks)
    deployment.lease_owner, deployment.lease_fence = owner, 1
    deployment.lease_until = deployment.created_at + timedelta(seconds=LEASE_SECONDS)
    deployment.save(force_insert=True)
    return deployment


def record_of(plan: Plan, *, user: User, checks: tuple[Check, ...] = ()) -> Deployment:
    """Return the record of a plan, not stored: wanted from now on, and not applied yet."""
    draft, request, now = plan.draft, plan.request, timezone.now()
    spec, scaling = draft.spec, request.scaling
    deployment = Deployment(
        id=uuid.UUID(request.id),
        name=request.name,
        name_key=name_key(request.name),
        runtime_name=request.runtime_name,
        kind=draft.provider.kind,
        cluster=draft.cluster,
        namespace=request.namespace,
        region=draft.overrides.region or draft.cluster.region,
        model=draft.template.model,
        template=draft.template,
        template_version=draft.template.version,
        serving_name=request.serving_name,
        overrides=draft.overrides.as_document(),
        scaling=scaling_document(scaling),
        min_replicas=scaling.min_replicas,
        max_replicas=scaling.max_replicas,
        autoscaled=scaling.autoscaled,
        **accelerator_columns(spec),
        startup_budget_seconds=spec.engine.ready_timeout_seconds,
        port=plan.endpoint.port,
        endpoint=plan.endpoint.as_dict(),
        checks=[check.as_dict() for check in checks if check.result is Result.WARN],
        intent=intent_of(request).value,
        intent_since=now,
        revision=request.revision,
        desired_replicas=scaling.min_replicas,
        created_by=user,
        created_by_name=user.get_username(),
        created_at=now,
        updated_at=now,
    )
    verdict = own_verdict(deployment, Phase.DEPLOYING, "ApplyPending", PENDING)
    for name, value in status_columns(verdict, None).items():
        setattr(deployment, name, value)
    return deployment


def revision_of(plan: Plan, deployment: Deployment, *, user: User) -> Revision:
    """Return the revision that a plan amounts to, not stored."""
    request, source = plan.request, plan.request.source
    return Revision(
        deployment=deployment,
        number=request.revision,
        template=plan.draft.template,
        template_version=plan.draft.template.version,
        overrides=plan.draft.overrides.as_document(),
        spec=request.spec.as_document(),
        source=None if source is None else source.model_dump(mode="json", exclude_unset=True),
        serving_name=request.serving_name,
        engine_args=dict(request.engine_args),
        enable_multi_lora=request.enable_multi_lora,
        rollout=request.rollout.value,
        scaling=scaling_document(request.scaling),
        restart=request.restart,
        resume_at=request.resume_at,
        manifests=list(plan.manifests),
        digest=plan.digest,
        author=user,
        author_name=user.get_username(),
        reason=plan.draft.order.reason,
        created_at=deployment.created_at,
    )


def _store_operation(deployment: Deployment, user: User) -> Operation:
    return Operation.objects.create(
        deployment=deployment,
        verb=Verb.CREATE,
        revision=deployment.revision,
        actor_name=user.get_username(),
        created_at=deployment.created_at,
    )


def _store_audit(
    deployment: Deployment, operation: Operation, user: User, reason: str, origin: Origin
) -> None:
    act = Act(
        action="deployment.create",
        object_type="deployment",
        object_id=str(deployment.pk),
        object_name=deployment.name,
        outcome=Outcome.ACCEPTED,
        after=audited(deployment),
        reason=reason,
        operation_id=str(operation.pk),
        origin=origin,
    )
    record_audit(act, actor=user)


def audited(deployment: Deployment) -> dict[str, object]:
    """Return what the audit trail keeps of a deployment."""
    return {
        "cluster": deployment.cluster.name,
        "namespace": deployment.namespace,
        "model": deployment.model_id,
        "template": str(deployment.template_id),
        "template_version": deployment.template_version,
        "implementation_kind": deployment.kind,
        "overrides": deployment.overrides,
        "revision": deployment.revision,
        "intent": deployment.intent,
    }

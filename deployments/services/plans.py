"""One launch, worked out in full before anything is stored: request, manifests, warnings.

Everything that needs no cluster is judged first, so that a wrong order is told at once even while
the cluster is silent.
"""

import uuid
from dataclasses import dataclass, replace

from deployments.exceptions import InvalidOrder, NameTaken
from deployments.models import Cluster, Deployment
from deployments.services.answers import answer_of, manifests_of
from deployments.services.calling import calling
from deployments.services.capacity import capacity_of, stored_capacity
from deployments.services.deadlines import COUNT_SECONDS, sooner
from deployments.services.drafts import Draft, draft_order, provenance_of, request_from
from deployments.services.orders import LaunchOrder
from deployments.services.reviewing import review_request
from deployments.services.translating import translating
from providers.contract.capacity import Capacity
from providers.contract.checks import Check
from providers.contract.errors import InvalidRequest
from providers.contract.manifest import Manifest, digest_of
from providers.contract.overrides import Overrides, chosen_strategy, resolve_scaling
from providers.contract.protocols import Deadline, Endpoint
from providers.contract.request import DeployRequest, Rollout
from templates_app.names import name_key


@dataclass(frozen=True, kw_only=True, slots=True)
class Plan:
    """What would be stored and applied; `digest` is that of the manifests in their order."""

    draft: Draft
    request: DeployRequest
    capacity: Capacity | None
    manifests: tuple[Manifest, ...]
    digest: str
    endpoint: Endpoint
    warnings: tuple[Check, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Judged:
    """An order that is right as far as that can be told without its cluster."""

    draft: Draft
    request: DeployRequest
    warnings: tuple[Check, ...]


def make_plan(
    order: LaunchOrder,
    *,
    deployment_id: uuid.UUID,
    author: str,
    deadline: Deadline,
    rollout: Rollout | None = None,
) -> Plan:
    """Work an order out; a rollout that was reviewed is kept as it was.

    Raises InvalidOrder, a conflict, NoCluster, or ClusterUnavailable for a provider at fault.
    """
    with translating(order.path_of):
        judged = _judged(order, deployment_id, rollout)
        draft = judged.draft
        capacity = capacity_of(draft.cluster, deadline=sooner(deadline, COUNT_SECONDS))
        settled = replace(
            judged.request,
            rollout=rollout or rollout_of(draft, capacity),
            provenance=provenance_of(draft, author=author),
        )
        return rendered_plan(draft, settled, capacity, judged.warnings)


def template_manifests(plan: Plan) -> tuple[Manifest, ...]:
    """Return what the template alone would make of a plan: the same launch without overrides.

    Empty where the template leaves to the deployer what it needs.
    """
    own = replace(plan.draft, overrides=Overrides())
    try:
        request = request_from(
            own, deployment_id=uuid.UUID(plan.request.id), rollout=plan.request.rollout
        )
        request = replace(request, provenance=plan.request.provenance)
        with calling(own.provider.kind, "render"):
            return manifests_of(own.provider.render(request, own.target))
    except (InvalidOrder, InvalidRequest):
        return ()


def judge_order(order: LaunchOrder) -> Judged:
    """Judge all of an order that needs no cluster; raises what make_plan would."""
    with translating(order.path_of):
        return _judged(order, uuid.uuid4(), None)


def refuse_taken_name(cluster: Cluster, request: DeployRequest) -> None:
    """Raise NameTaken when another open deployment of the namespace bears the name."""
    same = Deployment.objects.open().filter(
        cluster=cluster, namespace=request.namespace, name_key=name_key(request.name)
    )
    if same.exclude(pk=request.id).exists():
        raise name_taken(request)


def name_taken(request: DeployRequest) -> NameTaken:
    """Return the error about a name that is in use."""
    return NameTaken(
        "name", f"{request.name} is taken in the namespace {request.namespace}; choose another name"
    )


def _judged(order: LaunchOrder, deployment_id: uuid.UUID, rollout: Rollout | None) -> Judged:
    draft = draft_order(order)
    likely = rollout or rollout_of(draft, stored_capacity(draft.cluster))
    request = request_from(draft, deployment_id=deployment_id, rollout=likely)
    refuse_taken_name(draft.cluster, request)
    return Judged(draft=draft, request=request, warnings=review_request(draft, request))


def rollout_of(draft: Draft, capacity: Capacity | None) -> Rollout:
    """Return what the strategy of a draft means now, by what is free."""
    scaling = resolve_scaling(draft.spec, draft.overrides)
    with calling(draft.provider.kind, "resolve_rollout"):
        rollout = draft.provider.resolve_rollout(
            chosen_strategy(draft.spec, draft.overrides),
            draft.spec,
            draft.target,
            namespace=draft.namespace,
            scaling=scaling,
            capacity=capacity,
        )
        return answer_of(Rollout, rollout)


def rendered_plan(
    draft: Draft, request: DeployRequest, capacity: Capacity | None, warnings: tuple[Check, ...]
) -> Plan:
    """Return the plan that a request in full amounts to."""
    with calling(draft.provider.kind, "render"):
        manifests = manifests_of(draft.provider.render(request, draft.target))
        endpoint = answer_of(Endpoint, draft.provider.endpoint(request, draft.target))
    return Plan(
        draft=draft,
        request=request,
        capacity=capacity,
        manifests=manifests,
        digest=digest_of(list(manifests)),
        endpoint=endpoint,
        warnings=warnings,
    )

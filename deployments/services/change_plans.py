"""One change, worked out in full before anything is stored: the next revision and what it renders.

Everything that needs no cluster is judged first, as for a launch. What runs already, or has run
before, is not judged anew, whatever the catalogue and the engines' notes say of it today.
"""

from dataclasses import dataclass, replace

from deployments.selectors import revision_numbered, snapshot_of
from deployments.services.answers import answer_of
from deployments.services.calling import calling
from deployments.services.capacity import capacity_of, stored_capacity
from deployments.services.change_bases import Base
from deployments.services.change_orders import ChangeOrder, RollbackOrder
from deployments.services.deadlines import COUNT_SECONDS, sooner
from deployments.services.drafts import Draft, provenance_of
from deployments.services.orders import LaunchOrder
from deployments.services.plans import Judged, Plan, rendered_plan, rollout_of
from deployments.services.refs import request_of
from deployments.services.reviewing import review_request, review_scaling
from deployments.services.translating import translating
from deployments.services.wanting import Wanted, want
from providers.contract.capacity import Capacity
from providers.contract.changing import Effects, running_as_seen
from providers.contract.protocols import Deadline
from providers.contract.request import DeployRequest, Provenance, Rollout

AnyOrder = ChangeOrder | RollbackOrder


@dataclass(frozen=True, kw_only=True, slots=True)
class ChangePlan:
    """What would be stored and applied, beside what it starts from."""

    wanted: Wanted
    plan: Plan

    @property
    def base(self) -> Base:
        """Return what it starts from."""
        return self.wanted.base

    @property
    def is_change(self) -> bool:
        """Tell whether anything would be otherwise."""
        return self.wanted.is_change or self.plan.request.rollout != self.base.request.rollout

    @property
    def is_stop(self) -> bool:
        """Tell whether nothing is to run afterwards: no cluster need be asked whether it can."""
        return self.plan.request.scaling.min_replicas == 0


def make_change_plan(
    order: AnyOrder, base: Base, *, deadline: Deadline, rollout: Rollout | None = None
) -> ChangePlan:
    """Work a change out; a rollout that was reviewed is kept as it was.

    Raises InvalidOrder, a conflict, or ClusterUnavailable for a provider at fault.
    """
    with translating():
        wanted = want(order, base)
        capacity = _capacity(wanted, deadline)
        judged = _judged(order, wanted, capacity, rollout)
        plan = rendered_plan(judged.draft, judged.request, capacity, judged.warnings)
        return ChangePlan(wanted=wanted, plan=plan)


def judge_change(order: AnyOrder, base: Base) -> None:
    """Judge all of a change that needs no cluster; raises what make_change_plan would."""
    with translating():
        wanted = want(order, base)
        _judged(order, wanted, stored_capacity(base.deployment.cluster), None)


def effects_of(plan: ChangePlan) -> Effects:
    """Return what a change would do to what runs, as the provider tells it."""
    base = plan.base
    with translating(), calling(base.provider.kind, "effects"):
        told = base.provider.effects(
            _applied_request(base),
            plan.plan.request,
            base.target,
            capacity=plan.plan.capacity,
            running=running_as_seen(snapshot_of(base.deployment)),
        )
        return answer_of(Effects, told)


def _applied_request(base: Base) -> DeployRequest:
    """Return what is on the cluster: of a deployment that never was there, what should be."""
    applied = base.deployment.applied_revision
    if applied in {0, base.revision.number}:
        return base.request
    return request_of(base.deployment, revision_numbered(base.deployment, applied))


def _judged(
    order: AnyOrder, wanted: Wanted, capacity: Capacity | None, rollout: Rollout | None
) -> Judged:
    draft = _draft(order, wanted)
    request = replace(
        wanted.request,
        rollout=rollout or _rollout(draft, wanted, capacity),
        provenance=_provenance(draft, wanted),
    )
    review = review_request if wanted.is_new else review_scaling
    return Judged(draft=draft, request=request, warnings=review(draft, request))


def _draft(order: AnyOrder, wanted: Wanted) -> Draft:
    """Return the change in the form that a launch has, so that it is judged by the same rules."""
    base, deployment = wanted.base, wanted.base.deployment
    as_launch = LaunchOrder.model_construct(
        name=deployment.name, overrides=wanted.overrides, reason=order.reason
    )
    return Draft(
        order=as_launch,
        overrides=wanted.overrides,
        template=wanted.template,
        spec=wanted.request.spec,
        provider=base.provider,
        cluster=deployment.cluster,
        target=base.target,
        namespace=deployment.namespace,
    )


def _provenance(draft: Draft, wanted: Wanted) -> Provenance:
    told = provenance_of(draft, author=wanted.base.deployment.created_by_name)
    return replace(told, stopped=wanted.stopped, restart=wanted.request.restart)


def _capacity(wanted: Wanted, deadline: Deadline) -> Capacity | None:
    """Return what is free: counted anew where that is long ago, but not to stop something."""
    cluster = wanted.base.deployment.cluster
    if wanted.request.scaling.min_replicas == 0:
        return stored_capacity(cluster)
    return capacity_of(cluster, deadline=sooner(deadline, COUNT_SECONDS))


def _rollout(draft: Draft, wanted: Wanted, capacity: Capacity | None) -> Rollout:
    """Return how pods are replaced: decided anew where they are, unless a rollback keeps it."""
    is_asked = wanted.overrides.rollout != wanted.base.overrides.rollout
    if wanted.restores is None and (wanted.touches_pods or is_asked):
        return rollout_of(draft, capacity)
    return wanted.request.rollout

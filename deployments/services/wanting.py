"""What a change amounts to: everything that the next revision is made of, before it is rendered.

What runs keeps what it was given: its source, served name and template come from its revision, not
from the catalogue of today. A cluster is asked only how many replicas it wants now, where others
may have changed that.
"""

from dataclasses import dataclass, replace

from deployments.exceptions import InvalidOrder
from deployments.models import Revision
from deployments.models.operations import Verb
from deployments.services.change_bases import Base
from deployments.services.change_orders import ChangeOrder, RollbackOrder
from deployments.services.other_templates import changed_template
from deployments.services.placing import is_in_region
from deployments.services.reading import read_deployment
from deployments.services.refs import request_of
from deployments.services.resuming import (
    REPLICAS,
    at_rest,
    replicas_now,
    resumed_overrides,
    with_replicas,
)
from deployments.services.sources import resolve_source
from providers.contract.bounds import ScalingDefaults
from providers.contract.overrides import (
    Overrides,
    check_overrides,
    merged_engine_args,
    parse_overrides,
    resolve_scaling,
)
from providers.contract.request import DeployRequest
from providers.contract.status import Phase
from providers.contract.template import ModelSource, TemplateSpec, parse_spec
from templates_app.models import ModelDeploymentTemplate

# How a deployment is told of that somebody has scaled to nothing, also under an autoscaler.
SCALED_DOWN = (Phase.STOPPED, Phase.SCALING, Phase.DEGRADED)
# What a rollback leaves as it is today, beside the replicas.
OF_TODAY = ("rollout", "region")


@dataclass(frozen=True, kw_only=True, slots=True)
class Wanted:
    """The next revision. `request` has the rollout of the revision before it.

    `stopped` tells that nothing is to run, whatever the overrides say; `restores` which revision a
    rollback takes up again; `revives` that it starts what was not stopped by us, and should run.
    """

    base: Base
    verb: Verb
    template: ModelDeploymentTemplate
    overrides: Overrides
    request: DeployRequest
    stopped: bool
    restores: int | None = None
    revives: bool = False

    @property
    def touches_pods(self) -> bool:
        """Tell whether pods may have to be others: not for what only scales, stops or starts."""
        return self._differs(restart=self.request.restart)

    @property
    def is_new(self) -> bool:
        """Tell whether pods shall run what they have not run yet, and nobody has judged."""
        restart = self.base.request.restart
        return self.restores is None and self._differs(restart=restart)

    @property
    def is_change(self) -> bool:
        """Tell whether anything is otherwise than in the revision before, or than it should be."""
        if self.revives:
            return True
        before = self.base.revision
        named = (self.template.pk, self.overrides.as_document(), self.stopped)
        was = (before.template_id, self.base.overrides.as_document(), before.stopped)
        return named != was or _plain(self.request) != _plain(self.base.request)

    def _differs(self, *, restart: str) -> bool:
        as_scaled = replace(self.request, scaling=self.base.request.scaling, restart=restart)
        return _plain(as_scaled) != _plain(self.base.request)


def want(order: ChangeOrder | RollbackOrder, base: Base) -> Wanted:
    """Work out what a change amounts to; raises InvalidOrder or InvalidRequest by field."""
    if isinstance(order, RollbackOrder):
        return _want_rollback(order, base)
    return _want_change(order, base)


def _want_change(order: ChangeOrder, base: Base) -> Wanted:
    template = changed_template(order.template, base)
    is_other = template.pk != base.revision.template_id
    spec = parse_spec(template.spec) if is_other else base.request.spec
    overrides = resumed_overrides(order, base, order.merged_into(base.overrides), spec)
    if is_other or order.touches_overrides:
        check_overrides(overrides, spec)
        _refuse_another_place(overrides, base)
    stopped = base.revision.stopped if order.stopped is None else order.stopped
    running = resolve_scaling(spec, overrides)
    request = replace(
        base.request,
        spec=spec,
        source=_source(base, spec, overrides, is_other=is_other),
        scaling=at_rest(running) if stopped else running,
        engine_args=merged_engine_args(spec, overrides),
        enable_multi_lora=bool(overrides.enable_multi_lora),
        restart=str(base.number) if order.redeploy else base.request.restart,
    )
    revives = _revives(order, base)
    if order.redeploy and request.scaling.min_replicas == 0:
        raise InvalidOrder.of("redeploy", "nothing runs that could restart; start it instead")
    return Wanted(
        base=base,
        verb=_verb(order, base, request, revives=revives),
        template=template,
        overrides=overrides,
        request=_numbered(request, base),
        stopped=stopped,
        revives=revives,
    )


def _want_rollback(order: RollbackOrder, base: Base) -> Wanted:
    """Return an old revision with the replicas of today.

    It ran as it was, so neither its template's status nor that one's bounds are asked about again.
    """
    old = _revision_to_restore(order.revision, base)
    earlier = request_of(base.deployment, old)
    request = replace(
        earlier,
        scaling=replace(base.request.scaling, metric=earlier.scaling.metric),
        rollout=base.request.rollout,
        restart=base.request.restart,
    )
    return Wanted(
        base=base,
        verb=Verb.ROLLBACK,
        template=old.template,
        overrides=_with_those_of_today(parse_overrides(old.overrides), earlier.spec, base),
        request=_numbered(request, base),
        stopped=base.revision.stopped,
        restores=old.number,
    )


def _source(
    base: Base, spec: TemplateSpec, overrides: Overrides, *, is_other: bool
) -> ModelSource | None:
    """Return the source as it was resolved, unless the change is about it."""
    if is_other or overrides.model_version != base.overrides.model_version:
        return resolve_source(base.deployment.model, spec, overrides)
    return base.request.source


def _numbered(request: DeployRequest, base: Base) -> DeployRequest:
    """Return the request under the next number, with what a start from 0 needs to know."""
    stops = request.scaling.min_replicas == 0
    resume_at = base.request.resume_at if base.is_stopped else replicas_now(base) if stops else 0
    return replace(request, revision=base.number, resume_at=resume_at)


def _revives(order: ChangeOrder, base: Base) -> bool:
    """Tell whether a start is asked for of what somebody else has scaled to nothing."""
    if order.stopped is not False or base.is_stopped:
        return False
    status = read_deployment(base.deployment).status
    return status.desired_replicas == 0 and status.phase in SCALED_DOWN


def _verb(order: ChangeOrder, base: Base, request: DeployRequest, *, revives: bool) -> Verb:
    """Return what a change is called: a stop that changes more than that is an update."""
    same_pods = replace(request, scaling=base.request.scaling, restart=base.request.restart)
    if _plain(same_pods) != _plain(base.request) or order.template:
        return Verb.UPDATE
    stops = request.scaling.min_replicas == 0
    if stops != base.is_stopped or revives:
        return Verb.STOP if stops else Verb.START
    return Verb.REDEPLOY if request.restart != base.request.restart else Verb.UPDATE


def _plain(request: DeployRequest) -> DeployRequest:
    """Return a request without what every revision has of its own."""
    return replace(request, revision=0, resume_at=0, provenance=None)


def _refuse_another_place(overrides: Overrides, base: Base) -> None:
    cluster = base.deployment.cluster
    if overrides.region and not is_in_region(cluster, overrides.region):
        raise InvalidOrder.of(
            "overrides.region",
            f"{cluster.name} is in the region {cluster.region or 'GLOBAL'}, and a deployment "
            "cannot move; launch another one there",
        )


def _revision_to_restore(number: int, base: Base) -> Revision:
    rows = base.deployment.revisions.select_related("template")
    found = rows.filter(number=number).first()
    if found is None:
        numbers = rows.order_by("-number").values_list("number", flat=True)[:10]
        raise InvalidOrder.of(
            "revision", f"there is no revision {number}; there are {', '.join(map(str, numbers))}"
        )
    return found


def _with_those_of_today(old: Overrides, spec: TemplateSpec, base: Base) -> Overrides:
    """Return old overrides with the replicas of today, spelt out where the template differs."""
    today = base.overrides
    kept = {name: getattr(today, name) for name in OF_TODAY}
    overrides = with_replicas(old, today).model_copy(update=kept)
    if _replicas(spec.scaling_defaults) == _replicas(base.request.spec.scaling_defaults):
        return overrides
    wanted = resolve_scaling(base.request.spec, today)
    numbers = (wanted.min_replicas, wanted.max_replicas, wanted.autoscaled)
    return overrides.model_copy(update=dict(zip(REPLICAS, numbers, strict=True)))


def _replicas(defaults: ScalingDefaults) -> tuple[object, ...]:
    return tuple(getattr(defaults, name) for name in REPLICAS)

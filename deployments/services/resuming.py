"""The replicas that a change means and does not name: what ran before a stop, what runs now.

Explicit 0 is a stop. Starting takes up what ran before it, and switching the autoscaler off keeps
the number that runs.
"""

from deployments.exceptions import InvalidOrder
from deployments.models.history import RevisionOutcome
from deployments.services.change_bases import Base
from deployments.services.change_orders import ChangeOrder
from deployments.services.reading import read_deployment
from providers.contract.overrides import Overrides, Scaling, parse_overrides, resolve_scaling
from providers.contract.template import TemplateSpec

REPLICAS = ("min_replicas", "max_replicas", "enable_auto_scaling")


def resumed_overrides(
    order: ChangeOrder, base: Base, merged: Overrides, spec: TemplateSpec
) -> Overrides:
    """Return the overrides of a change with the replicas that it means filled in.

    Raises InvalidOrder for an order to start with no replicas.
    """
    if order.stopped is False and _is_zero(spec, merged):
        if order.overrides.min_replicas == 0:
            raise InvalidOrder.of(
                "overrides.min_replicas", "0 stops the model; leave it out or give a number"
            )
        return with_replicas(merged, _that_ran(base, spec))
    if order.overrides.min_replicas is None and _leaves_autoscaler(base, spec, merged):
        return merged.model_copy(update={"min_replicas": replicas_now(base)})
    return merged


def with_replicas(overrides: Overrides, replicas: Overrides) -> Overrides:
    """Return overrides with the replicas of other ones, those that they leave to the template too.

    What is left to the template is none of the overrides.
    """
    return overrides.model_copy(update={name: getattr(replicas, name) for name in REPLICAS})


def replicas_now(base: Base) -> int:
    """Return how many replicas are wanted now: with an autoscaler only the cluster knows.

    While that is silent, it is the number that was seen last.
    """
    scaling = base.request.scaling
    if not scaling.has_autoscaler:
        return scaling.min_replicas
    seen = read_deployment(base.deployment).status.desired_replicas
    return max(seen, scaling.min_replicas)


def at_rest(scaling: Scaling) -> Scaling:
    """Return the scaling of what is stopped."""
    return Scaling(min_replicas=0, max_replicas=0, autoscaled=False, metric=scaling.metric)


def _that_ran(base: Base, spec: TemplateSpec) -> Overrides:
    """Return the replicas of the last revision that ran, else the fewest that the template means.

    A template that means none gets one replica.
    """
    ran = base.deployment.revisions.filter(
        scaling__min_replicas__gt=0, outcome=RevisionOutcome.APPLIED
    ).first()
    if ran is not None:
        return parse_overrides(ran.overrides)
    is_zero = spec.scaling_defaults.min_replicas == 0
    return Overrides(min_replicas=1 if is_zero else None)


def _is_zero(spec: TemplateSpec, overrides: Overrides) -> bool:
    low = overrides.min_replicas
    return (spec.scaling_defaults.min_replicas if low is None else low) == 0


def _leaves_autoscaler(base: Base, spec: TemplateSpec, merged: Overrides) -> bool:
    had_one = base.request.scaling.has_autoscaler
    return had_one and not resolve_scaling(spec, merged).autoscaled

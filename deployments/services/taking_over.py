"""Makes what others changed a part of what is wanted: a change like any other, by overrides.

Only what an override says can be taken over; of everything else it is told what makes it.
"""

from collections.abc import Sequence

from django.contrib.auth.models import User

from deployments.access import require_change
from deployments.drift_errors import NotExpressible
from deployments.models import Deployment
from deployments.services.auditing import Origin
from deployments.services.change_orders import ChangeOrder
from deployments.services.changing import Changed, change_deployment
from deployments.services.drifting import drift_as_seen
from providers.contract.drifting import Drift, DriftedField
from providers.contract.overrides import parse_overrides
from providers.contract.request import Intent


def take_over_drift(
    deployment: Deployment,
    *,
    user: User,
    digest: str,
    reason: str = "",
    origin: Origin | None = None,
) -> Changed:
    """Change a deployment to what a person has seen others make of it (`digest`).

    Raises NotAllowed, NotExpressible, and whatever a change may raise.
    """
    require_change(user, deployment)
    drift = drift_as_seen(deployment, digest)
    if not drift.fields:
        return Changed(deployment=deployment, is_change=False)
    order = order_of(drift, deployment, reason=reason)
    return change_deployment(order, deployment=deployment, user=user, origin=origin)


def order_of(drift: Drift, deployment: Deployment, *, reason: str = "") -> ChangeOrder:
    """Return the change that makes theirs ours; no replicas are a stop.

    Raises NotExpressible when no override says any of it.
    """
    taken = expressible(drift.fields)
    if not taken:
        raise NotExpressible(_why_not(drift.fields))
    document = {key: value for one in taken for key, value in one.overrides.items()}
    stops = document.get("min_replicas") == 0
    if stops:
        del document["min_replicas"]
    starts = deployment.intent == Intent.STOPPED and not stops
    return ChangeOrder(
        overrides=parse_overrides(document),
        stopped=True if stops else False if starts else None,
        reason=_reason(taken, reason),
        expected=deployment.revision,
    )


def expressible(fields: Sequence[DriftedField]) -> tuple[DriftedField, ...]:
    """Return those that an override says."""
    return tuple(one for one in fields if one.overrides)


def _reason(taken: Sequence[DriftedField], reason: str) -> str:
    told = ", ".join(f"{_name(one)} ({one.holder.who})" for one in taken)
    return f"Taken over: {told}" + (f". {reason}" if reason else "")


def _name(one: DriftedField) -> str:
    return f"{one.path} = {one.theirs}" if one.path else f"no {one.key}"


def _why_not(fields: Sequence[DriftedField]) -> str:
    if not fields:
        return "nothing differs that could be taken over"
    first = fields[0]
    named = f"{first.key} {first.path}".strip()
    if first.expressed_by:
        return f"no override says {named}; change {first.expressed_by} instead, or put it back"
    return f"nothing here says {named}; it can only be put back"

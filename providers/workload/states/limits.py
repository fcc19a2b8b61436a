"""Autoscalers and quotas in words: what they look at, what is wanted and what is there."""

from collections.abc import Iterator

from providers.contract.quantity import parse_quantity
from providers.workload.objects import ResourceQuota, condition_of, present
from providers.workload.objects.limits import ResourceQuotaStatus
from providers.workload.objects.looked import (
    AutoscalerInFull,
    AutoscalerSpecInFull,
    AutoscalerStatusInFull,
    MetricValue,
)
from providers.workload.objects.meta import Amount
from providers.workload.states.said import (
    IDLE,
    OK,
    PROGRESS,
    WARN,
    Said,
    facts_of,
    leaving,
)
from providers.workload.status.wording import count_of, joined, short

_NOTHING_WANTED = MetricValue()


def say_autoscaler(found: AutoscalerInFull) -> Said:
    """Return what an autoscaler does, and each of its metrics beside what is wanted of it."""
    spec = found.spec or AutoscalerSpecInFull()
    status = found.status or AutoscalerStatusInFull()
    said = leaving(found.finalizers) if found.is_terminating else _autoscaler(found, spec, status)
    least = 1 if spec.min_replicas is None else spec.min_replicas
    facts = {
        **facts_of(
            replicas=status.current_replicas,
            wanted=status.desired_replicas,
            allowed=f"{least} to {spec.max_replicas}",
        ),
        **dict(_metrics(spec, status)),
    }
    return Said(state=said.state, tone=said.tone, message=said.message, facts=facts)


def _autoscaler(
    found: AutoscalerInFull, spec: AutoscalerSpecInFull, status: AutoscalerStatusInFull
) -> Said:
    hindered = _hindrance(found)
    if hindered is not None:
        return hindered
    limited = condition_of(found.conditions, "ScalingLimited")
    if limited is not None and limited.is_true and limited.reason == "TooManyReplicas":
        message = f"it would want more than its maximum of {spec.max_replicas}"
        return Said(state="At its maximum", tone=WARN, message=message)
    now, wanted = status.current_replicas or 0, status.desired_replicas or 0
    if now != wanted:
        return Said(state="Scaling", tone=PROGRESS, message=f"from {now} to {wanted} replicas")
    return Said(state="Active", tone=OK, message=f"{count_of(now, 'replica')}, as wanted")


def _hindrance(found: AutoscalerInFull) -> Said | None:
    """Return why it scales nothing now, None where it does."""
    able = condition_of(found.conditions, "AbleToScale")
    if able is not None and able.is_false:
        return Said(state="Cannot scale", tone=WARN, message=short(able.message))
    active = condition_of(found.conditions, "ScalingActive")
    if active is None:
        return Said(state="Waiting", tone=PROGRESS, message="it has read no metric yet")
    if active.is_false and active.reason == "ScalingDisabled":
        return Said(state="Disabled", tone=IDLE, message="nothing is scaled while at zero")
    if active.is_false:
        return Said(state="Blind", tone=WARN, message=short(active.message))
    return None


def _metrics(
    spec: AutoscalerSpecInFull, status: AutoscalerStatusInFull
) -> Iterator[tuple[str, str]]:
    current = {metric.name: metric for metric in present(status.current_metrics)}
    for metric in present(spec.metrics):
        seen = current.get(metric.name)
        now = _value(seen.source.current if seen else None) or "unknown"
        yield metric.name, f"{now}, wanted {_value(metric.source.target) or '?'}"


def _value(value: MetricValue | None) -> str:
    told = value or _NOTHING_WANTED
    if told.average_utilization is not None:
        return f"{told.average_utilization} %"
    amount = told.average_value if told.average_value is not None else told.value
    return "" if amount is None else str(amount)


def say_quota(quota: ResourceQuota) -> Said:
    """Return what a quota has left."""
    status = quota.status or ResourceQuotaStatus()
    hard, used = status.hard or {}, status.used or {}
    facts = {name: f"{used.get(name) or 0} of {most} used" for name, most in sorted(hard.items())}
    if not hard:
        return Said(state="Not counted", tone=PROGRESS, message="nothing has been counted yet")
    full = [name for name in sorted(hard) if _is_full(used.get(name), hard[name])]
    if full:
        message = f"nothing is left of {joined(full)}"
        return Said(state="Used up", tone=WARN, message=message, facts=facts)
    return Said(state="Has room", tone=OK, facts=facts)


def _is_full(used: Amount, hard: Amount) -> bool:
    """Tell whether all is taken; not of what nobody may have, nor of what nobody can read."""
    try:
        return parse_quantity(str(used or 0)) >= parse_quantity(str(hard)) > 0
    except ValueError:
        return False

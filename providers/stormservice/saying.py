"""StormServices and what stands below them in words: how far each has come."""

from providers.stormservice.objects import (
    PodAutoscaler,
    PodSet,
    RoleSet,
    RoleStatus,
    StormService,
    StormServiceStatus,
)
from providers.stormservice.refusing import first_refusal
from providers.workload.objects import condition_of, present
from providers.workload.states.said import FAIL, IDLE, OK, PROGRESS, WARN, Said, facts_of, leaving
from providers.workload.status.refusals import read_refusal
from providers.workload.status.wording import count_of, joined, short


def say_storm_service(found: StormService) -> Said:
    """Return how far a StormService has come, by what its controller has counted."""
    said = _storm_service(found)
    strategy = found.spec.update_strategy if found.spec else None
    facts = facts_of(
        wanted=found.spec.replicas if found.spec else "",
        ready=(found.status.ready_replicas if found.status else 0) or 0,
        strategy=(strategy.type if strategy else "") or "",
        roles=joined(f"{role.name} {role.replicas}" for role in found.roles),
    )
    return Said(state=said.state, tone=said.tone, message=said.message, facts=facts)


def _storm_service(found: StormService) -> Said:
    if found.is_terminating:
        return leaving(found.finalizers)
    seen = found.status.observed_generation if found.status else None
    if (seen or 0) < (found.meta.generation or 0):
        message = "its controller has not seen the latest change yet"
        return Said(state="Waiting", tone=PROGRESS, message=message)
    failure = condition_of(found.conditions, "ReplicaFailure")
    if failure is not None and failure.is_true:
        words = failure.message or failure.reason or ""
        return Said(state="Refused", tone=FAIL, message=read_refusal(words).message)
    if found.spec is not None and found.spec.paused:
        message = "its rollout is paused: changes wait until it is resumed"
        return Said(state="Paused", tone=WARN, message=message)
    return _counted(found)


def _counted(found: StormService) -> Said:
    """Its readiness counts replicas of before as well, which a change that fails never replaces."""
    wanted = (found.spec.replicas if found.spec else 0) or 0
    status = found.status or StormServiceStatus()
    ready, updated = status.ready_replicas or 0, status.updated_ready_replicas or 0
    if not wanted:
        return Said(state="Stopped", tone=IDLE, message="no replica is wanted")
    told = f"{ready} of {count_of(wanted, 'replica')} ready"
    if ready < wanted:
        return Said(state="Not ready", tone=PROGRESS, message=told)
    if updated < wanted:
        message = f"{told}, {updated} of them as wanted now"
        return Said(state="Rolling out", tone=PROGRESS, message=message)
    return Said(state="Complete", tone=OK, message=told)


def say_role_set(found: RoleSet, *, is_current: bool) -> Said:
    """Return how a RoleSet is, counted from its roles: its own sentences go stale."""
    said = leaving(found.finalizers) if found.is_terminating else _role_set(found, is_current)
    facts = facts_of(revision=found.revision)
    return Said(state=said.state, tone=said.tone, message=said.message, facts=facts)


def _role_set(found: RoleSet, is_current: bool) -> Said:  # noqa: FBT001 - handed through
    failure = condition_of(found.conditions, "ReplicaFailure")
    if failure is not None and failure.is_true:
        words = first_refusal(failure.message or failure.reason or "")
        return Said(state="Refused", tone=FAIL, message=read_refusal(words).message)
    roles = present(found.status.roles if found.status else None)
    told = joined(_role(role, found) for role in roles)
    if not is_current:
        return Said(state="Earlier", tone=PROGRESS, message=told)
    ready = condition_of(found.conditions, "Ready")
    tone = OK if ready is not None and ready.is_true else PROGRESS
    return Said(state="Current", tone=tone, message=told)


def _role(role: RoleStatus, found: RoleSet) -> str:
    wanted = next((item.replicas or 0 for item in found.roles if item.name == role.name), 0)
    return f"{role.name} {role.ready_replicas or 0} of {wanted} ready"


def say_pod_set(found: PodSet, *, is_current: bool) -> Said:
    """Return how many of its pods a PodSet has; why one is refused, only its events say."""
    said = leaving(found.finalizers) if found.is_terminating else _pod_set(found, is_current)
    return Said(
        state=said.state, tone=said.tone, message=said.message, facts=facts_of(pods=found.size)
    )


def _pod_set(found: PodSet, is_current: bool) -> Said:  # noqa: FBT001 - handed through
    told = f"{found.ready} of {count_of(found.size, 'pod')} ready"
    if not is_current:
        return Said(state="Earlier", tone=PROGRESS, message=told)
    if found.made < found.size:
        missing = f"{told}, {found.made} made; its events say why one is not"
        return Said(state="Incomplete", tone=WARN, message=missing)
    tone = OK if found.ready >= found.size else PROGRESS
    return Said(state="Current", tone=tone, message=told)


def say_pod_autoscaler(found: PodAutoscaler) -> Said:
    """Return how a PodAutoscaler is: its Ready tells nothing of whether it can read its metric."""
    if found.is_terminating:
        return leaving(found.finalizers)
    conditions = found.status.conditions if found.status else None
    bounds = found.spec
    facts = facts_of(
        least=bounds.min_replicas if bounds else "", most=bounds.max_replicas if bounds else ""
    )
    for kind in ("ValidSpec", "MultiPodAutoscalerConflict"):
        told = condition_of(conditions, kind)
        if told is not None and told.is_false:
            return Said(state="Refused", tone=FAIL, message=short(told.message), facts=facts)
    message = "a metric that it cannot read counts as 0"
    return Said(state="Acting", tone=OK, message=message, facts=facts)

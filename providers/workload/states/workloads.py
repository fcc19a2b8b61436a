"""Deployments and ReplicaSets in words: how far they have come with the pods that they want."""

from providers.workload.bundle import workload_of
from providers.workload.objects import REVISION_ANNOTATION, DeploymentSpec, condition_of
from providers.workload.objects.looked import (
    DeploymentInFull,
    DeploymentStatusInFull,
    ReplicaSetInFull,
)
from providers.workload.states.said import FAIL, IDLE, OK, PROGRESS, WARN, Said, facts_of, leaving
from providers.workload.status.refusals import read_refusal
from providers.workload.status.wording import count_of, short


def say_deployment(deployment: DeploymentInFull) -> Said:
    """Return how far a Deployment has come."""
    said = _deployment(deployment)
    spec, status = (
        deployment.spec or DeploymentSpec(),
        deployment.status or DeploymentStatusInFull(),
    )
    facts = facts_of(
        wanted=_wanted(spec),
        ready=status.ready_replicas or 0,
        up_to_date=status.updated_replicas or 0,
        strategy=spec.strategy.type if spec.strategy else "",
    )
    return Said(state=said.state, tone=said.tone, message=said.message, facts=facts)


def _deployment(deployment: DeploymentInFull) -> Said:
    seen = workload_of(deployment)
    if seen.is_terminating:
        return leaving(deployment.finalizers)
    if not seen.observed:
        message = "its controller has not seen the latest change yet"
        return Said(state="Waiting", tone=PROGRESS, message=message)
    if seen.refused:
        return Said(state="Refused", tone=FAIL, message=read_refusal(seen.refused).message)
    if seen.timed_out:
        return Said(state="Timed out", tone=FAIL, message=short(seen.timed_out))
    if seen.paused:
        message = "its rollout is paused: changes wait until it is resumed"
        return Said(state="Paused", tone=WARN, message=message)
    return _rollout(deployment)


def _rollout(deployment: DeploymentInFull) -> Said:
    spec, status = (
        deployment.spec or DeploymentSpec(),
        deployment.status or DeploymentStatusInFull(),
    )
    wanted, ready = _wanted(spec), status.ready_replicas or 0
    updated, standing = status.updated_replicas or 0, status.replicas or 0
    if not wanted and not standing:
        return Said(state="Stopped", tone=IDLE, message="no replica is wanted")
    told = f"{ready} of {count_of(wanted, 'replica')} ready"
    if updated < wanted or standing > updated:
        return Said(state="Rolling out", tone=PROGRESS, message=told)
    if ready < wanted:
        return Said(state="Not ready", tone=PROGRESS, message=told)
    return Said(state="Complete", tone=OK, message=told)


def _wanted(spec: DeploymentSpec) -> int:
    return 1 if spec.replicas is None else spec.replicas


def say_replica_set(found: ReplicaSetInFull, *, is_current: bool) -> Said:
    """Return how a ReplicaSet is; one of an earlier revision is only kept, or on its way out."""
    said = leaving(found.finalizers) if found.is_terminating else _replica_set(found, is_current)
    return Said(
        state=said.state,
        tone=said.tone,
        message=said.message,
        facts=facts_of(
            wanted=_asked(found), rollout=found.annotations.get(REVISION_ANNOTATION) or ""
        ),
    )


def _replica_set(found: ReplicaSetInFull, is_current: bool) -> Said:  # noqa: FBT001 - handed through
    failure = condition_of(found.conditions, "ReplicaFailure")
    if failure is not None and failure.is_true:
        words = failure.message or failure.reason or ""
        return Said(state="Refused", tone=FAIL, message=read_refusal(words).message)
    wanted, standing = _asked(found), (found.status.replicas if found.status else 0) or 0
    if not is_current:
        if wanted or standing:
            message = f"{count_of(max(wanted, standing), 'pod')} of an earlier revision left"
            return Said(state="Earlier", tone=PROGRESS, message=message)
        return Said(state="Earlier", tone=IDLE, message="kept without pods")
    ready = (found.status.ready_replicas if found.status else 0) or 0
    if not wanted:
        return Said(state="Current", tone=IDLE, message="no pod is wanted")
    tone = OK if ready >= wanted else PROGRESS
    return Said(state="Current", tone=tone, message=f"{ready} of {count_of(wanted, 'pod')} ready")


def _asked(found: ReplicaSetInFull) -> int:
    asked = found.spec.replicas if found.spec else None
    return 1 if asked is None else asked

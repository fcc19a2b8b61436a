"""Writes verdicts: a snapshot only over an older one, and a line of history when it changed."""

from collections.abc import Mapping
from datetime import datetime

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from deployments.models import Deployment, DeploymentQuerySet, StatusChange
from deployments.models.deployment import REASON_LENGTH
from deployments.selectors import snapshot_of
from providers.contract.protocols import Endpoint, Observation
from providers.contract.status import PHASES, Phase, Status


def rows_as_read(deployment: Deployment) -> DeploymentQuerySet:
    """Return the row as long as nobody changed meanwhile what a verdict rests on."""
    return Deployment.objects.open().filter(
        pk=deployment.pk,
        intent=deployment.intent,
        revision=deployment.revision,
        applied_revision=deployment.applied_revision,
    )


def store_observation(deployment: Deployment, observation: Observation) -> bool:
    """Keep what was seen if it says something new and nothing newer is kept; tell whether it was.

    The values of `deployment` follow what was seen either way.
    """
    status = observation.status
    extra = _found_columns(deployment, observation)
    is_news = not status.says_the_same(snapshot_of(deployment))
    if not is_news and not extra:
        return False
    seen = status.observed_at or timezone.now()
    older = Q(observed_at=None) | Q(observed_at__lt=seen)
    columns = {**status_columns(status, seen), **extra} if is_news else extra
    return write_verdict(rows_as_read(deployment).filter(older), deployment, columns)


def write_verdict(
    rows: DeploymentQuerySet, deployment: Deployment, columns: Mapping[str, object]
) -> bool:
    """Write columns to the one row if it is still among `rows`, history with it."""
    now = timezone.now()
    with transaction.atomic():
        if not rows.filter(pk=deployment.pk).update(**columns, updated_at=now):
            return False
        for name, value in columns.items():
            setattr(deployment, name, value)
        deployment.updated_at = now
        if "phase" in columns:
            _append_change(deployment, now)
    return True


def status_columns(status: Status, seen: datetime | None) -> dict[str, object]:
    """Return the columns of a verdict; `seen` None leaves alone when the cluster was seen last."""
    columns: dict[str, object] = {
        "phase": status.phase.value,
        "reason": status.reason[:REASON_LENGTH],
        "message": status.message,
        "desired_replicas": status.desired_replicas,
        "ready_replicas": status.ready_replicas,
        "available_replicas": status.available_replicas,
        "once_full": status.once_full,
        "evidence": [evidence.as_dict() for evidence in status.evidence],
        "notes": [note.as_dict() for note in status.notes],
        "rank": PHASES[status.phase].rank,
    }
    return columns if seen is None else {**columns, "observed_at": seen}


def own_verdict(deployment: Deployment, phase: Phase, reason: str, message: str) -> Status:
    """Return a verdict of the console itself, which keeps the replicas as they were last seen."""
    last = snapshot_of(deployment)
    return Status(
        phase=phase,
        reason=reason,
        message=message,
        desired_replicas=last.desired_replicas,
        ready_replicas=last.ready_replicas,
        available_replicas=last.available_replicas,
        once_full=last.once_full,
    )


def endpoint_from(document: Mapping[str, str]) -> Endpoint:
    """Read a stored endpoint back."""
    return Endpoint(
        url=document.get("url", ""),
        external_url=document.get("external_url", ""),
        port_forward=document.get("port_forward", ""),
    )


def _found_columns(deployment: Deployment, observation: Observation) -> dict[str, object]:
    columns: dict[str, object] = {}
    endpoint = observation.endpoint.as_dict()
    if any(endpoint.values()) and endpoint != deployment.endpoint:
        columns["endpoint"] = endpoint
    if observation.workload_uid and not deployment.workload_uid:
        columns["workload_uid"] = observation.workload_uid
    return columns


def _append_change(deployment: Deployment, now: datetime) -> None:
    StatusChange.objects.create(
        deployment=deployment,
        phase=deployment.phase,
        reason=deployment.reason,
        message=deployment.message,
        desired_replicas=deployment.desired_replicas,
        ready_replicas=deployment.ready_replicas,
        available_replicas=deployment.available_replicas,
        evidence=deployment.evidence,
        at=now,
    )

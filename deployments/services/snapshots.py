"""Writes verdicts: a snapshot only over an older one, and a line of history when it changed."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from deployments.models import Deployment, DeploymentQuerySet, PassedRow, StatusChange
from deployments.models.deployment import REASON_LENGTH
from deployments.selectors import snapshot_of
from deployments.services.load_times import keep_load_times
from providers.contract.protocols import Endpoint, Observation
from providers.contract.status import PHASES, Phase, Status, evidence_from, noted_in
from providers.engines.signatures import BY_CODE

# What history keeps of a verdict.
TOLD = (
    "phase",
    "reason",
    "message",
    "desired_replicas",
    "ready_replicas",
    "available_replicas",
    "evidence",
)

# No pass is at work for so long: a verdict that is newer by more was seen before the cluster's
# clock was set back, and holds no other off.
LONGEST = timedelta(minutes=10)

# What makes it another verdict.
DECISIVE = ("phase", "reason", "desired_replicas", "ready_replicas")


def rows_as_read(deployment: Deployment, observation: Observation) -> DeploymentQuerySet:
    """Return the row unless it has a newer verdict, or what a verdict rests on was changed."""
    seen = observation.status.observed_at or timezone.now()
    return Deployment.objects.open().filter(
        Q(observed_at=None) | Q(observed_at__lt=seen) | Q(observed_at__gt=seen + LONGEST),
        pk=deployment.pk,
        intent=deployment.intent,
        revision=deployment.revision,
        applied_revision=deployment.applied_revision,
    )


def store_observation(deployment: Deployment, observation: Observation) -> bool:
    """Keep what was seen if it is news and nothing newer is kept; tell whether it was kept."""
    columns = news_of(deployment, observation)
    if not columns:
        return False
    if not write_verdict(rows_as_read(deployment, observation), deployment, columns):
        return False
    keep_load_times([(deployment, observation)])
    return True


def is_end(deployment: Deployment | PassedRow, observation: Observation) -> bool:
    """Tell whether a deletion that was asked for has come to its end."""
    return observation.status.closed and deployment.is_deleting


def is_news(deployment: Deployment | PassedRow, observation: Observation) -> bool:
    """Tell whether an observation is to be kept: it ends the deployment or changes a column."""
    return is_end(deployment, observation) or bool(news_of(deployment, observation))


def news_of(deployment: Deployment | PassedRow, observation: Observation) -> dict[str, object]:
    """Return the columns that an observation would change; none when it says nothing new."""
    status, columns = observation.status, _found_columns(deployment, observation)
    if status.words == _words_of(deployment) and _has_notes_of(deployment, status):
        return columns
    return {**status_columns(status, status.observed_at or timezone.now()), **columns}


def _has_notes_of(row: Deployment | PassedRow, status: Status) -> bool:
    """Tell whether the stored verdict has the same notes, of 10,000 that mostly have none."""
    if not (status.notes or row.notes):
        return True
    return noted_in(status.notes) == noted_in(evidence_from(row.notes))


def _words_of(row: Deployment | PassedRow) -> tuple[object, ...]:
    """Return the words of the stored verdict without making one, of 10,000 rows."""
    counts = (row.desired_replicas, row.ready_replicas, row.available_replicas)
    return (row.phase, row.reason, row.message, counts, row.once_full, row.is_closed)


def write_verdict(
    rows: DeploymentQuerySet, deployment: Deployment, columns: Mapping[str, object]
) -> bool:
    """Write columns to the one row if it is still among `rows`, history with it."""
    now = timezone.now()
    with transaction.atomic():
        if not rows.filter(pk=deployment.pk).update(**columns, updated_at=now):
            return False
        if is_turn(deployment, columns):
            tell_changes([change_of(deployment, columns, now)])
    set_columns(deployment, {**columns, "updated_at": now})
    return True


def is_turn(deployment: Deployment, columns: Mapping[str, object]) -> bool:
    """Tell whether a verdict is another one than the row had, and not the same in newer words.

    A crash loop counts its restarts in every sentence; its history would hold nothing else. A cause
    that a log has told since is worth a line, as the log is gone one day.
    """
    if any(name in columns and columns[name] != getattr(deployment, name) for name in DECISIVE):
        return True
    return bool(_causes_in(columns.get("evidence")) - _causes_in(deployment.evidence))


def _causes_in(evidence: object) -> set[str]:
    items = evidence if isinstance(evidence, list) else []
    return {str(item.get("reason")) for item in items} & BY_CODE.keys()


def set_columns(deployment: Deployment, columns: Mapping[str, object]) -> None:
    """Give a record in memory the values that its row has got."""
    for name, value in columns.items():
        setattr(deployment, name, value)


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


def _found_columns(
    deployment: Deployment | PassedRow, observation: Observation
) -> dict[str, object]:
    columns: dict[str, object] = {}
    endpoint = observation.endpoint.as_dict()
    if any(endpoint.values()) and endpoint != deployment.endpoint:
        columns["endpoint"] = endpoint
    if observation.workload_uid and not deployment.workload_uid:
        columns["workload_uid"] = observation.workload_uid
    return columns


def change_of(deployment: Deployment, columns: Mapping[str, object], now: datetime) -> StatusChange:
    """Return the line of history about a verdict in columns, not yet stored."""
    told = {name: columns[name] for name in TOLD}
    return StatusChange(deployment_id=deployment.pk, at=now, **told)


def tell_changes(changes: Sequence[StatusChange]) -> None:
    """Append lines of history of one moment, which end those before; in the caller's transaction.

    At most one line for each deployment.
    """
    if changes:
        told = [change.deployment_id for change in changes]
        StatusChange.objects.filter(deployment_id__in=told).record_end(changes[0].at)
        StatusChange.objects.bulk_create(changes)

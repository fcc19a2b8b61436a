"""The audit trail: one entry per act, written in the transaction of what it tells."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from django.utils import timezone

from deployments.access import role_name
from deployments.models import AuditEntry, Deployment, Operation
from deployments.services.tracing import current_request_id
from templates_app.access import Person

SYSTEM = "system"
Document = Mapping[str, object]


class Outcome(StrEnum):
    """How an act ended; `accepted` is followed by another entry with the same operation id."""

    ACCEPTED = "accepted"
    SUCCEEDED = "succeeded"
    REFUSED = "refused"
    SUPERSEDED = "superseded"


@dataclass(frozen=True, kw_only=True, slots=True)
class Origin:
    """Which face an act came through (`api`, `web`, `command`, `system`), and in which request."""

    source: str = "api"
    request_id: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Act:
    """What was done to an object, before and after, why, and how it ended."""

    action: str
    object_type: str
    object_id: str
    object_name: str
    outcome: Outcome
    before: Document | None = None
    after: Document | None = None
    reason: str = ""
    message: str = ""
    operation_id: str = ""
    origin: Origin = field(default_factory=Origin)


def record_audit(act: Act, *, actor: Person | None = None, actor_name: str = "") -> AuditEntry:
    """Append an entry; without a person the console itself is named, or who began the operation."""
    person = actor if actor is not None and actor.pk is not None else None
    return AuditEntry.objects.create(
        actor_id=person.pk if person else None,
        actor_name=person.get_username() if person else actor_name or SYSTEM,
        role=role_name(person) if person else "",
        action=act.action,
        object_type=act.object_type,
        object_id=act.object_id,
        object_name=act.object_name,
        before=act.before,
        after=act.after,
        reason=act.reason,
        outcome=act.outcome.value,
        message=act.message,
        source=act.origin.source,
        request_id=(act.origin.request_id or current_request_id())[:100],
        operation_id=act.operation_id,
        at=timezone.now(),
    )


def record_begin(deployment: Deployment, operation: Operation) -> None:
    """Append that the console itself has begun an operation on a deployment."""
    record_end(deployment, operation, outcome=Outcome.ACCEPTED)


def record_end(
    deployment: Deployment, operation: Operation, *, outcome: Outcome, message: str = ""
) -> None:
    """Append how an operation on a deployment ended, in the name of who began it."""
    act = Act(
        action=f"deployment.{operation.verb}",
        object_type="deployment",
        object_id=str(deployment.pk),
        object_name=deployment.name,
        outcome=outcome,
        message=message,
        operation_id=str(operation.pk),
        origin=Origin(source=SYSTEM),
    )
    record_audit(act, actor_name=operation.actor_name)

"""The audit trail: one entry per act, written in the transaction of what it tells.

An act that has two ends is told twice under one operation id, as it is accepted and as it ends; the
end bears the name and the role of who began it. What did not change is left out of before and
after, and secrets are masked here, in the one place that everything passes.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from django.utils import timezone

from deployments.access import role_name
from deployments.models import AuditEntry, Deployment, Operation
from deployments.services.differing import difference_of
from deployments.services.tracing import Source, current_request_id, current_source
from providers.contract.masking import mask_document, mask_secrets
from templates_app.access import Person

SYSTEM = "system"
Document = Mapping[str, object]


class Outcome(StrEnum):
    """How an act ended; `accepted` is followed by another entry with the same operation id.

    `unknown` ends an act whose process died before it could tell, when nobody can find out now.
    """

    ACCEPTED = "accepted"
    SUCCEEDED = "succeeded"
    REFUSED = "refused"
    SUPERSEDED = "superseded"
    UNKNOWN = "unknown"


@dataclass(frozen=True, kw_only=True, slots=True)
class Origin:
    """Through which face an act came, and in which request: those at work here unless told."""

    source: Source = field(default_factory=current_source)
    request_id: str = field(default_factory=current_request_id)


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


@dataclass(frozen=True, kw_only=True, slots=True)
class Actor:
    """Who did it: the console itself where there is no person and no name."""

    pk: int | None = None
    name: str = SYSTEM
    role: str = ""


def record_audit(act: Act, *, actor: Person | None = None) -> AuditEntry:
    """Append an entry; without a person the console itself is named."""
    return _append(act, _actor_of(actor))


def record_begin(deployment: Deployment, operation: Operation, *, because: Operation) -> None:
    """Append that the console has begun an operation, in the name of who began another one."""
    act = _act_on(deployment, operation, Outcome.ACCEPTED)
    begun = _begun(str(because.pk))
    _append(act, _same_actor(begun) if begun else Actor(name=operation.actor_name))


def record_end(
    deployment: Deployment, operation: Operation, *, outcome: Outcome, message: str = ""
) -> None:
    """Append how an operation on a deployment ended, in the name of who began it."""
    if record_finish(str(operation.pk), outcome=outcome, message=message) is None:
        act = _act_on(deployment, operation, outcome, message)
        _append(act, Actor(name=operation.actor_name))


def record_finish(operation_id: str, *, outcome: Outcome, message: str = "") -> AuditEntry | None:
    """Append how an act ended, told by the id that its beginning bears; None for an unknown one."""
    begun = _begun(operation_id)
    if begun is None:
        return None
    act = Act(
        action=begun.action,
        object_type=begun.object_type,
        object_id=begun.object_id,
        object_name=begun.object_name,
        outcome=outcome,
        message=message,
        operation_id=operation_id,
        origin=_origin_of_end(begun),
    )
    return _append(act, _same_actor(begun))


def _append(act: Act, actor: Actor) -> AuditEntry:
    before, after = difference_of(act.before, act.after)
    return AuditEntry.objects.create(
        actor_id=actor.pk,
        actor_name=actor.name,
        role=actor.role,
        action=act.action,
        object_type=act.object_type,
        object_id=act.object_id,
        object_name=act.object_name,
        before=mask_document(before),
        after=mask_document(after),
        reason=mask_secrets(act.reason),
        outcome=act.outcome.value,
        message=mask_secrets(act.message),
        source=act.origin.source,
        request_id=act.origin.request_id[:100],
        operation_id=act.operation_id,
        at=timezone.now(),
    )


def _act_on(
    deployment: Deployment, operation: Operation, outcome: Outcome, message: str = ""
) -> Act:
    return Act(
        action=f"deployment.{operation.verb}",
        object_type="deployment",
        object_id=str(deployment.pk),
        object_name=deployment.name,
        outcome=outcome,
        message=message,
        operation_id=str(operation.pk),
        origin=Origin(source=Source.RECONCILER),
    )


def _begun(operation_id: str) -> AuditEntry | None:
    rows = AuditEntry.objects.filter(operation_id=operation_id, outcome=Outcome.ACCEPTED.value)
    return rows.order_by("id").first()


def _origin_of_end(begun: AuditEntry) -> Origin:
    """Return the face that began it if its request ends it too; else the console did by itself."""
    here = Origin()
    if (begun.request_id, begun.source) == (here.request_id[:100], here.source):
        return here
    return Origin(source=Source.RECONCILER)


def _actor_of(person: Person | None) -> Actor:
    if person is None or person.pk is None:
        return Actor()
    return Actor(pk=person.pk, name=person.get_username(), role=role_name(person))


def _same_actor(begun: AuditEntry) -> Actor:
    return Actor(pk=begun.actor_id, name=begun.actor_name, role=begun.role)

"""What is left to do about a deployment that goes, or was removed: since when, by whom, which ways.

Put together from what was read and from stored rows; asks no cluster itself.
"""

from dataclasses import dataclass
from datetime import datetime

from deployments.access import can_change, is_admin
from deployments.models import AuditEntry, Deployment
from deployments.models.operations import Verb
from deployments.services.forgetting import is_forgettable
from deployments.services.reading import Reading
from deployments.services.reapplying import is_removed
from providers.registry import is_carried
from templates_app.access import Person


@dataclass(frozen=True, kw_only=True, slots=True)
class ShownEnding:
    """Who asked for its deletion, when and why, and what this person may do about it.

    `asked_at` is None where no deletion was asked for. `is_carried` tells whether its
    implementation is installed in this console.
    """

    asked_at: datetime | None
    asked_by: str
    reason: str
    was_removed: bool
    may_reapply: bool
    may_forget: bool
    is_carried: bool = True

    @property
    def is_any(self) -> bool:
        """Tell whether there is anything to say."""
        return self.asked_at is not None or self.may_reapply or self.may_forget


def show_ending(reading: Reading, user: Person) -> ShownEnding:
    """Return what the page says of the end of a deployment, empty for one that stays."""
    deployment = reading.deployment
    asked = _asked(deployment) if deployment.is_deleting else None
    was_removed = not reading.stale and is_removed(deployment, reading.status)
    return ShownEnding(
        asked_at=deployment.intent_since if deployment.is_deleting else None,
        asked_by=asked.actor_name if asked else "",
        reason=asked.reason if asked else "",
        was_removed=was_removed,
        may_reapply=was_removed and can_change(user, deployment),
        may_forget=is_admin(user) and is_forgettable(deployment),
        is_carried=is_carried(deployment.kind),
    )


def _asked(deployment: Deployment) -> AuditEntry | None:
    operation = deployment.operations.unfinished().filter(verb=Verb.DELETE).first()
    if operation is None:
        return None
    return AuditEntry.objects.acts().filter(operation_id=str(operation.pk)).first()

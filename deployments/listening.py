"""Writes the catalogue's changes into the audit trail, in the transaction that makes them."""

from typing import Any

from django.dispatch import receiver

from deployments.services.auditing import Act, Outcome, record_audit
from templates_app.signals import Change, catalogue_changed


@receiver(catalogue_changed, dispatch_uid="deployments.audit")
def keep_catalogue_change(change: Change, **_sent: Any) -> None:
    """Append one entry; a change that a command of the operator made bears the console's name."""
    act = Act(
        action=change.action,
        object_type=change.action.partition(".")[0],
        object_id=change.object_id,
        object_name=change.object_name,
        outcome=Outcome.SUCCEEDED,
        before=change.before,
        after=change.after,
    )
    record_audit(act, actor=change.by)

"""The audit trail as people read it: one line for each act, with both its ends.

Reads rows only; who may is told by `access.audit_for`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta

from deployments.models import AuditEntry


@dataclass(frozen=True, kw_only=True, slots=True)
class Deed:
    """One act: its beginning, or all that there is of it, and its end once it has one."""

    begun: AuditEntry
    ended: AuditEntry | None = None

    @property
    def outcome(self) -> str:
        """Return how it ended, `accepted` while it has not."""
        return (self.ended or self.begun).outcome

    @property
    def took(self) -> timedelta | None:
        """Return how long it took, None for what has not two ends."""
        return self.ended.at - self.begun.at if self.ended else None


def deeds_of(entries: Iterable[AuditEntry]) -> Sequence[Deed]:
    """Return acts with their ends, in the order of their beginnings; one query for all ends."""
    begun = list(entries)
    ids = {entry.operation_id for entry in begun} - {""}
    ends = AuditEntry.objects.ends().filter(operation_id__in=ids).order_by("id") if ids else ()
    by_id = {entry.operation_id: entry for entry in ends}
    return [Deed(begun=entry, ended=by_id.get(entry.operation_id)) for entry in begun]

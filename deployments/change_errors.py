"""What can stand against a change of what runs, beside what can stand against a launch."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from deployments.exceptions import (
    Category,
    Change,
    ClusterUnavailable,
    FieldConflict,
    SlipwayError,
)


@dataclass(frozen=True, kw_only=True, slots=True)
class LaterRevision:
    """A revision that came after the one that a person has seen: who made it, when and why."""

    number: int
    author: str
    at: datetime
    reason: str
    outcome: str


class RevisionConflict(FieldConflict):
    """Somebody else has changed the deployment; `revisions` and `changes` tell who and what."""

    code = "conflict"

    def __init__(
        self,
        *,
        expected: int,
        current: int,
        revisions: Iterable[LaterRevision],
        changes: Iterable[Change],
    ) -> None:
        """Keep what came since the revision that was expected, and name the latest of it."""
        self.expected, self.current = expected, current
        self.revisions, self.changes = tuple(revisions), tuple(changes)
        told = f"revision {current} is wanted now, not {expected}"
        if self.revisions:
            latest = self.revisions[-1]
            told += f"; {latest.author} made revision {latest.number} at {latest.at:%H:%M:%S} UTC"
        if self.changes:
            told += f" ({', '.join(change.path for change in self.changes[:3])})"
        super().__init__("revision", f"{told}; look at what changed and decide again")


class ReviewOutdated(FieldConflict):
    """What a change would apply is no longer what was reviewed; `changes` says where."""

    code = "change_changed"

    def __init__(self, changes: Iterable[Change]) -> None:
        """Keep the differences and name the first ones."""
        self.changes = tuple(changes)
        named = ", ".join(change.path for change in self.changes[:3])
        super().__init__(
            "change", f"what would be applied has changed since the review ({named}); review again"
        )


class DeletionAsked(SlipwayError):
    """The deployment is being deleted, which is not changed any more."""

    code = "deleting"
    category = Category.CONFLICT

    def __init__(self, name: str) -> None:
        """Name it."""
        super().__init__(f"{name} is being deleted and cannot be changed any more")


class RemovedOutside(SlipwayError):
    """What runs the model was removed outside, and a change would make it anew unasked."""

    code = "removed_outside"
    category = Category.CONFLICT

    def __init__(self, name: str) -> None:
        """Name it, and say what to do first."""
        super().__init__(
            f"somebody removed {name} from its cluster; apply it again before it is changed, or "
            "delete it, which closes its record"
        )


class ClusterDisabled(ClusterUnavailable):
    """The cluster is disabled: nobody would finish what is begun on it."""

    code = "cluster_disabled"

    def __init__(self, name: str) -> None:
        """Name the cluster."""
        super().__init__(f"the cluster {name} is disabled; ask an admin to enable it first")

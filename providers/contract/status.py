"""What is going on with a deployment, in words that list, detail, API and metrics share.

One table binds each phase to its label, tone, icon and rank, so that they never drift apart.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class Phase(StrEnum):
    """The phases of a deployment; "closed" is not one of them but a time on the record."""

    DEPLOYING = "Deploying"
    READY = "Ready"
    SCALING = "Scaling"
    DEGRADED = "Degraded"
    FAILED = "Failed"
    STOPPED = "Stopped"
    DELETING = "Deleting"
    DELETED = "Deleted"


@dataclass(frozen=True, kw_only=True, slots=True)
class PhaseLook:
    """How a phase is shown: tone and icon name for the pages, rank 0 needs attention first."""

    tone: str
    icon: str
    rank: int
    moving: bool


PHASES: Mapping[Phase, PhaseLook] = {
    Phase.FAILED: PhaseLook(tone="fail", icon="octagon-x", rank=0, moving=True),
    Phase.DEGRADED: PhaseLook(tone="warn", icon="triangle-alert", rank=1, moving=True),
    Phase.DELETING: PhaseLook(tone="progress", icon="trash-2", rank=2, moving=True),
    Phase.DEPLOYING: PhaseLook(tone="progress", icon="loader-circle", rank=3, moving=True),
    Phase.SCALING: PhaseLook(tone="progress", icon="move-vertical", rank=4, moving=True),
    Phase.READY: PhaseLook(tone="ok", icon="circle-check", rank=5, moving=False),
    Phase.STOPPED: PhaseLook(tone="idle", icon="circle-pause", rank=6, moving=False),
    Phase.DELETED: PhaseLook(tone="idle", icon="circle-slash", rank=7, moving=False),
}


# Reasons of notes that tell what this look could not read; another look may read it.
OF_THE_LOOK = frozenset({"Forbidden", "Unreadable"})


@dataclass(frozen=True, kw_only=True, slots=True)
class Evidence:
    """One thing that was seen: a reason, the sentence about it, and the object it was seen on."""

    reason: str
    message: str
    object: str = ""
    row: int = 0

    def as_dict(self) -> dict[str, str | int]:
        """Return the JSON form that records keep and the API answers."""
        return {
            "reason": self.reason,
            "message": self.message,
            "object": self.object,
            "row": self.row,
        }


@dataclass(frozen=True, kw_only=True, slots=True)
class Status:
    """The verdict: counts are replicas, `observed_at` is by the API server's clock."""

    phase: Phase
    reason: str
    message: str
    desired_replicas: int = 0
    ready_replicas: int = 0
    available_replicas: int = 0
    observed_at: datetime | None = None
    evidence: tuple[Evidence, ...] = ()
    notes: tuple[Evidence, ...] = ()
    once_full: bool = False
    closed: bool = False

    def says_the_same(self, other: "Status") -> bool:
        """Tell whether a reader would see no difference, times aside."""
        return self.words == other.words

    @property
    def words(self) -> tuple[object, ...]:
        """Return what a reader sees of it, evidence and times aside."""
        counts = (self.desired_replicas, self.ready_replicas, self.available_replicas)
        return (self.phase, self.reason, self.message, counts, self.once_full, self.closed)


def noted_in(notes: Iterable[Evidence]) -> list[tuple[str, str]]:
    """Return which notes there are: not in which words, which count on, nor those on the look."""
    return sorted((one.reason, one.object) for one in notes if one.reason not in OF_THE_LOOK)


def evidence_from(rows: Iterable[Mapping[str, object]]) -> tuple[Evidence, ...]:
    """Read stored evidence back; rows that lack a member get an empty one."""
    return tuple(
        Evidence(
            reason=str(row.get("reason", "")),
            message=str(row.get("message", "")),
            object=str(row.get("object", "")),
            row=row["row"] if isinstance(row.get("row"), int) else 0,  # type: ignore[arg-type]
        )
        for row in rows
    )

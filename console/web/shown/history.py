"""The history of a deployment as its page tells it: one line each for what happened, with whose
doing or what was seen.

Put together from stored rows; nothing here asks a cluster.
"""

from dataclasses import dataclass
from datetime import datetime

from console.web.shown.acts import OUTCOMES, words_of
from console.web.shown.ages import age_in_words
from console.web.shown.revisions import deed_of
from deployments.models import AuditEntry, Revision, StatusChange
from deployments.services.auditing import SYSTEM, Outcome
from deployments.timeline import Entry
from providers.contract.status import PHASES, Evidence, Phase, evidence_from


@dataclass(frozen=True, kw_only=True, slots=True)
class ShownEntry:
    """One line: `title` and `code` name it, `sentence` tells it, `details` are said more quietly.

    `tone` and `icon` are those of the phase for a verdict, whose `evidence` can be opened;
    `revision` is the number of one, else 0.
    """

    at: datetime
    tone: str
    icon: str
    title: str
    code: str = ""
    sentence: str = ""
    details: tuple[str, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    revision: int = 0


def show_entry(entry: Entry, *, is_closed: bool, now: datetime) -> ShownEntry:
    """Return an entry in words; the verdict that a record has now lasts until it is closed."""
    if entry.change is not None:
        return _verdict(entry.change, is_closed=is_closed, now=now)
    if entry.revision is not None:
        return _revision(entry.revision)
    if entry.act is not None:
        return _act(entry.act)
    raise ValueError("an entry of nothing")


def _verdict(change: StatusChange, *, is_closed: bool, now: datetime) -> ShownEntry:
    look = PHASES[Phase(change.phase)]
    return ShownEntry(
        at=change.at,
        tone=look.tone,
        icon=look.icon,
        title=change.phase,
        code=change.reason,
        sentence=change.message,
        details=_joined(_lasted(change, is_closed=is_closed, now=now), _counts(change)),
        evidence=evidence_from(change.evidence),
    )


def _lasted(change: StatusChange, *, is_closed: bool, now: datetime) -> str:
    if change.until is not None:
        return f"for {age_in_words(change.at, now=change.until)}"
    return "" if is_closed else f"for {age_in_words(change.at, now=now)} so far"


def _counts(change: StatusChange) -> str:
    """Return the replicas, unless the sentence counts them itself."""
    counted = f"{change.ready_replicas} of {change.desired_replicas}"
    is_told = counted in change.message or not (change.desired_replicas or change.ready_replicas)
    return "" if is_told else f"{counted} ready"


def _revision(revision: Revision) -> ShownEntry:
    is_first = revision.number == 1
    return ShownEntry(
        at=revision.created_at,
        tone="accent",
        icon="rocket" if is_first else "git-commit-horizontal",
        title=deed_of(revision),
        revision=revision.number,
        sentence=revision.reason,
        details=_joined(
            f"by {revision.author_name}" if revision.author_name else "",
            "" if is_first else f"revision {revision.number}",
            f"template {revision.template_version}",
            revision.get_outcome_display().lower(),
        ),
    )


def _act(act: AuditEntry) -> ShownEntry:
    look = OUTCOMES.get(act.outcome, OUTCOMES[Outcome.ACCEPTED.value])
    return ShownEntry(
        at=act.at,
        tone=look.tone,
        icon=look.icon,
        title=f"{words_of(act.action)} {look.words}",
        sentence=act.reason or act.message,
        details=_joined(f"by {act.actor_name}" if act.actor_name != SYSTEM else ""),
    )


def _joined(*parts: str) -> tuple[str, ...]:
    return tuple(part for part in parts if part)

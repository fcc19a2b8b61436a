"""Revisions as pages show them: what was done, how it went, and what it changed, in words."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from deployments.diffing.words import IntentChange, intent_words
from deployments.models import Deployment, Revision
from deployments.models.history import RevisionOutcome
from deployments.models.operations import Verb
from deployments.services.comparing import facts_of


@dataclass(frozen=True, kw_only=True, slots=True)
class OutcomeLook:
    """How the outcome of a revision is shown: word, tone, icon."""

    word: str
    tone: str
    icon: str


OUTCOMES: Mapping[str, OutcomeLook] = {
    RevisionOutcome.PENDING: OutcomeLook(
        word="not applied yet", tone="progress", icon="circle-dashed"
    ),
    RevisionOutcome.APPLIED: OutcomeLook(word="applied", tone="ok", icon="circle-check"),
    RevisionOutcome.REFUSED: OutcomeLook(word="refused", tone="fail", icon="octagon-x"),
    RevisionOutcome.WITHDRAWN: OutcomeLook(word="overtaken", tone="idle", icon="circle-slash"),
}

_DEEDS: Mapping[str, str] = {
    Verb.CREATE: "Launched",
    Verb.UPDATE: "Changed",
    Verb.STOP: "Stopped",
    Verb.START: "Started",
    Verb.REDEPLOY: "Redeployed",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class ShownRevision:
    """One revision; `changes` are against the one before it, none for the first."""

    row: Revision
    deed: str
    look: OutcomeLook
    is_wanted: bool
    changes: tuple[IntentChange, ...] = ()


def show_revisions(
    deployment: Deployment, rows: Sequence[Revision], before: Revision | None
) -> Iterator[ShownRevision]:
    """Yield revisions, highest number first; `before` is the one that precedes the last of them."""
    for row, earlier in zip(rows, [*rows[1:], before], strict=True):
        yield show_revision(deployment, row, earlier)


def show_revision(deployment: Deployment, row: Revision, before: Revision | None) -> ShownRevision:
    """Return one revision with what it changed."""
    return ShownRevision(
        row=row,
        deed=deed_of(row),
        look=OUTCOMES[row.outcome],
        is_wanted=row.number == deployment.revision,
        changes=intent_words(facts_of(before), facts_of(row)) if before else (),
    )


def deed_of(row: Revision) -> str:
    """Return what was done in one or few words."""
    if row.restores:
        return f"Rolled back to {row.restores}"
    return _DEEDS.get(row.verb, "Changed")

"""What others changed as a page shows it: field by field, who and when, and what can be done."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlencode

from django.urls import reverse

from deployments.exceptions import SlipwayError
from deployments.models import Deployment
from deployments.services.drifting import drift_of
from providers.contract.drifting import CoManager, Drift, DriftedField, DriftKind
from providers.contract.request import Intent

_MISSING: Mapping[DriftKind, tuple[str, str]] = {
    DriftKind.CHANGED: ("", ""),
    DriftKind.REMOVED: ("", "taken away"),
    DriftKind.ADDED: ("not ours", ""),
    DriftKind.GONE: ("", "gone"),
}


@dataclass(frozen=True, kw_only=True, slots=True)
class ShownField:
    """One field; `ours` and `theirs` may be empty, then a word stands for them.

    `trace` is what the cluster keeps of who wrote it, `notes` what putting it back means, `ways`
    how it would be kept.
    """

    where: str
    path: str
    ours: str
    no_ours: str
    theirs: str
    no_theirs: str
    who: str
    trace: str
    at: datetime | None
    notes: tuple[str, ...]
    ways: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class ShownDrift:
    """The whole of it; `trouble` says why nothing could be compared, empty where it could.

    `put_back` are those that can be put back, `left` those that cannot, `taken` those that
    `take_over_url` leads to the review of. `restarts` tells that putting back replaces pods.
    """

    revision: int
    digest: str = ""
    fields: tuple[ShownField, ...] = ()
    put_back: tuple[ShownField, ...] = ()
    left: tuple[ShownField, ...] = ()
    taken: tuple[ShownField, ...] = ()
    others: tuple[CoManager, ...] = ()
    restarts: bool = False
    take_over_url: str = ""
    trouble: str = ""


def look_at_drift(deployment: Deployment) -> ShownDrift:
    """Compare now; never raises for a cluster that does not answer."""
    try:
        return show_drift(drift_of(deployment), deployment)
    except SlipwayError as error:
        return ShownDrift(revision=deployment.applied_revision, trouble=error.message)


def show_drift(drift: Drift, deployment: Deployment) -> ShownDrift:
    """Put a drift into words."""
    writable = [one for one in drift.fields if one.can_be_put_back]
    taken = [one for one in drift.fields if one.overrides]
    return ShownDrift(
        revision=deployment.applied_revision,
        digest=drift.digest,
        fields=_shown(drift.fields),
        put_back=_shown(writable),
        left=_shown(one for one in drift.fields if not one.can_be_put_back),
        taken=_shown(taken),
        others=drift.co_managers,
        restarts=any(one.restarts for one in writable),
        take_over_url=_take_over_url(deployment, taken) if taken else "",
    )


def _shown(fields: Iterable[DriftedField]) -> tuple[ShownField, ...]:
    return tuple(_shown_field(one) for one in fields)


def _shown_field(one: DriftedField) -> ShownField:
    no_ours, no_theirs = _MISSING[one.kind]
    holder = one.holder
    parts = (holder.manager, holder.operation, holder.subresource)
    return ShownField(
        where=str(one.key),
        path=one.path or "the whole object",
        ours=one.ours,
        no_ours=no_ours,
        theirs=one.theirs,
        no_theirs=no_theirs,
        who=holder.who,
        trace=" · ".join(part for part in parts if part),
        at=holder.at,
        notes=tuple(_notes(one)),
        ways=tuple(_ways(one)),
    )


def _notes(one: DriftedField) -> Iterable[str]:
    if one.obstacle:
        yield f"Cannot be put back: {one.obstacle}."
    if one.restarts:
        yield "Putting it back replaces the pods."


def _ways(one: DriftedField) -> Iterable[str]:
    if one.overrides:
        told = ", ".join(f"{name} = {_typed(value)}" for name, value in one.overrides.items())
        yield f"Taken over as {told}."
    elif one.expressed_by:
        yield f"To keep it, change {one.expressed_by}."


def _take_over_url(deployment: Deployment, taken: Sequence[DriftedField]) -> str:
    """Return the review of the change that takes it over; no replicas are a stop."""
    wanted = {name: value for one in taken for name, value in one.overrides.items()}
    query = {"base": str(deployment.revision)}
    if wanted.get("min_replicas") == 0:
        query["stopped"] = "true"
        del wanted["min_replicas"]
    elif deployment.intent == Intent.STOPPED:
        query["stopped"] = "false"
    query |= {name: _typed(value) for name, value in wanted.items()}
    address = reverse("deployment-change-review", args=[deployment.pk])
    return f"{address}?{urlencode(query)}"


def _typed(value: object) -> str:
    """Return a value as a form sends it."""
    return str(value).lower() if isinstance(value, bool) else str(value)

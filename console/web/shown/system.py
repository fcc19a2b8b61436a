"""The console's own parts in words, for the admins who keep it running.

Says what was just asked and counted; asks nothing itself.
"""

import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import django

from console.health.parts import (
    CACHE,
    DATABASE,
    QUEUE,
    RECONCILER,
    WATCHER,
    Health,
    Part,
    State,
)
from console.version import VERSION
from console.web.shown.ages import age_in_words
from deployments.figures import ClusterFigures, Figures
from providers.contract.protocols import Provider


@dataclass(frozen=True, kw_only=True, slots=True)
class StateLook:
    """How a state is shown: word, tone and icon."""

    word: str
    tone: str
    icon: str


STATES: Mapping[State, StateLook] = {
    State.OK: StateLook(word="Well", tone="ok", icon="circle-check"),
    State.LATE: StateLook(word="Late", tone="warn", icon="clock"),
    State.DOWN: StateLook(word="Down", tone="fail", icon="unplug"),
}
NOT_READ = StateLook(word="Not read", tone="warn", icon="triangle-alert")
_LABELS = {
    DATABASE: "Database",
    QUEUE: "Queue",
    CACHE: "Cache",
    RECONCILER: "Background work",
    WATCHER: "Watcher",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class PartShown:
    """One part, said."""

    label: str
    look: StateLook
    sentence: str


@dataclass(frozen=True, kw_only=True, slots=True)
class ImplementationRow:
    """A provider: how it is called, and what keeps it from being used."""

    label: str
    look: StateLook
    sentence: str


@dataclass(frozen=True, kw_only=True, slots=True)
class ClusterRow:
    """When a cluster was read in full and when it will be asked again, in words."""

    name: str
    refreshed: str
    failures: str


@dataclass(frozen=True, kw_only=True, slots=True)
class SystemShown:
    """All of it; `facts` are pairs of what is counted and how many there are."""

    parts: tuple[PartShown, ...]
    clusters: tuple[ClusterRow, ...]
    facts: tuple[tuple[str, str], ...]


def show_system(health: Health, figures: Figures, *, now: datetime) -> SystemShown:
    """Return parts, clusters and counts in words."""
    return SystemShown(
        parts=tuple(_part(part) for part in health.parts),
        clusters=tuple(_cluster(cluster, now) for cluster in figures.clusters),
        facts=(*_work(figures, now), *_versions()),
    )


def show_implementations(
    usable: Mapping[str, Provider],
    broken: Mapping[str, str],
    carried: Mapping[str, int],
    clusters: Sequence[ClusterFigures] = (),
) -> tuple[ImplementationRow, ...]:
    """Return the providers by kind that can be used, then the apps that cannot, with the cause.

    Last come kinds of which `carried` counts open deployments, and that no provider has.
    """
    lacking = {kind: count for kind, count in carried.items() if kind not in usable}
    return (
        *(
            _usable(one, [row.name for row in clusters if kind in row.unread])
            for kind, one in usable.items()
        ),
        *(_row(app, State.DOWN, f"Not available: {cause}") for app, cause in broken.items()),
        *(_row(kind, State.DOWN, _lack(count)) for kind, count in lacking.items()),
    )


def _usable(provider: Provider, unread_on: Sequence[str]) -> ImplementationRow:
    if not unread_on:
        return _row(provider.title, State.OK, provider.kind)
    sentence = f"{provider.kind}, which could not be read on {', '.join(unread_on)}."
    return ImplementationRow(label=provider.title, look=NOT_READ, sentence=sentence)


def _lack(count: int) -> str:
    carried = "1 deployment is" if count == 1 else f"{count} deployments are"
    return f"{carried} of this kind, and no provider named in SLIPWAY_PROVIDERS carries it."


def _row(label: str, state: State, sentence: str) -> ImplementationRow:
    return ImplementationRow(label=label, look=STATES[state], sentence=sentence)


def _part(part: Part) -> PartShown:
    return PartShown(label=_LABELS[part.name], look=STATES[part.state], sentence=part.sentence)


def _cluster(cluster: ClusterFigures, now: datetime) -> ClusterRow:
    age = age_in_words(cluster.refreshed_at, now=now)
    return ClusterRow(
        name=cluster.name,
        refreshed=f"{age} ago" if age else "never",
        failures=_failures(cluster, now),
    )


def _failures(cluster: ClusterFigures, now: datetime) -> str:
    if not cluster.failed_passes:
        unread = (f"{kind} could not be read: {why}" for kind, why in cluster.unread.items())
        return "; ".join(unread) or "none"
    passes = "1 pass" if cluster.failed_passes == 1 else f"{cluster.failed_passes} passes"
    if cluster.next_try_at is None or cluster.next_try_at <= now:
        return f"{passes} in a row; the next try is due"
    seconds = (cluster.next_try_at - now).total_seconds()
    return f"{passes} in a row; the next try comes in {seconds:.0f} s"


def _work(figures: Figures, now: datetime) -> tuple[tuple[str, str], ...]:
    unfinished = sum(one.count for one in figures.operations)
    oldest = min((one.oldest_at for one in figures.operations), default=None)
    since = f", the oldest for {age_in_words(oldest, now=now)}" if oldest else ""
    return (
        ("Unfinished operations", f"{unfinished}{since}"),
        ("Being worked on now", str(sum(figures.leases.values()))),
    )


def _versions() -> tuple[tuple[str, str], ...]:
    return (
        ("Slipway", VERSION),
        ("Python", platform.python_version()),
        ("Django", django.get_version()),
    )

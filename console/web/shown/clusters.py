"""A cluster in words and cells: whether it answers, what is free on it, what its quotas leave.

Reads the row and the count that is stored in it; never asks the cluster.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings

from console.web.shown.ages import age_in_words
from console.web.shown.figures import in_unit
from deployments.models import Cluster
from deployments.services.backing_off import is_waiting
from deployments.services.capacity import stored_capacity
from deployments.services.clusters import kinds_on, unseen_kinds
from providers.contract.capacity import AcceleratorCapacity, Capacity, Quota
from providers.registry import title_of

# When so many full passes did not come, something is wrong with us.
MISSED = 3
# More cells than that nobody counts; then each stands for several.
MOST_CELLS = 128
COLUMNS = 32
STEP = 12


@dataclass(frozen=True, kw_only=True, slots=True)
class ClusterLook:
    """Whether a cluster answers: a word, its tone and icon, and one sentence."""

    word: str
    tone: str
    icon: str
    sentence: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Cell:
    """One cell of a drawing, at a place in units of the drawing; `state` is used or free."""

    x: int
    y: int
    state: str


@dataclass(frozen=True, kw_only=True, slots=True)
class AcceleratorCells:
    """The accelerators of one type as cells that can be counted; each stands for `each` of them."""

    type: str
    resource: str
    sentence: str
    each: int
    width: int
    height: int
    cells: tuple[Cell, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class QuotaRow:
    """One line of a quota; `tone` is empty while there is room."""

    namespace: str
    quota: str
    resource: str
    used: str
    hard: str
    free: str
    tone: str


@dataclass(frozen=True, kw_only=True, slots=True)
class ClusterShown:
    """One cluster, said.

    `kinds` are those that were found, `missing_kinds` those that were not, `unseen_kinds` those of
    which that could not be seen.
    """

    cluster: Cluster
    look: ClusterLook
    accelerators: tuple[AcceleratorCells, ...] = ()
    uncounted: str = ""
    quotas: tuple[QuotaRow, ...] = ()
    kinds: tuple[str, ...] = ()
    missing_kinds: tuple[str, ...] = ()
    unseen_kinds: tuple[str, ...] = ()
    counted_at: datetime | None = None


def show_cluster(cluster: Cluster, *, now: datetime) -> ClusterShown:
    """Return a cluster in words and cells."""
    counted, kinds = stored_capacity(cluster), kinds_on(cluster)
    return ClusterShown(
        cluster=cluster,
        look=look_of(cluster, now=now),
        accelerators=tuple(_cells(one) for one in counted.accelerators) if counted else (),
        uncounted=_uncounted(counted),
        quotas=tuple(_quota_rows(counted)) if counted else (),
        kinds=tuple(title_of(kind) for kind, installed in kinds.items() if installed),
        missing_kinds=tuple(title_of(kind) for kind, installed in kinds.items() if not installed),
        unseen_kinds=tuple(title_of(kind) for kind in unseen_kinds(cluster)),
        counted_at=cluster.capacity_at if counted else None,
    )


def look_of(cluster: Cluster, *, now: datetime) -> ClusterLook:
    """Say whether a cluster answers, in one sentence."""
    seen = age_in_words(cluster.last_seen_at, now=now)
    if not cluster.enabled:
        sentence = "Nothing is launched or read here until an admin switches it on."
        return ClusterLook(word="Switched off", tone="idle", icon="power-off", sentence=sentence)
    if cluster.reachable is None:
        sentence = "Nobody has asked it yet; the next pass will."
        return ClusterLook(word="Not asked yet", tone="idle", icon="clock", sentence=sentence)
    if not cluster.reachable:
        last = f"It answered last {seen} ago" if seen else "It has never answered"
        sentence = f"{last}; {_next_try(cluster, now)}."
        return ClusterLook(word="Does not answer", tone="fail", icon="unplug", sentence=sentence)
    if cluster.last_seen_at and now - cluster.last_seen_at > _lately():
        since = f"It answered {seen} ago, and nobody has asked since: is the worker running?"
        return ClusterLook(word="Not asked lately", tone="warn", icon="clock", sentence=since)
    sentence = f"Seen {seen} ago." if seen else "It answered the last time it was asked."
    return ClusterLook(word="Answers", tone="ok", icon="circle-check", sentence=sentence)


def _lately() -> timedelta:
    return timedelta(seconds=MISSED * settings.REFRESH.full_seconds)


def _next_try(cluster: Cluster, now: datetime) -> str:
    wait = age_in_words(now, now=cluster.next_try_at) if cluster.next_try_at else ""
    if not is_waiting(cluster, now=now):
        return "the next pass asks again"
    return f"after {cluster.failed_passes} failed passes it is asked again in {wait}"


def _uncounted(counted: Capacity | None) -> str:
    if counted is None:
        return "Nobody has counted its accelerators yet."
    if counted.unknown_because:
        return f"Its accelerators cannot be counted: {counted.unknown_because}."
    return "" if counted.accelerators else "It has no accelerators of a type that is mapped."


def _cells(counted: AcceleratorCapacity) -> AcceleratorCells:
    each = max(1, -(-counted.total // MOST_CELLS))
    cells, free = -(-counted.total // each), counted.free // each
    columns = max(1, min(cells, COLUMNS))
    return AcceleratorCells(
        type=counted.type,
        resource=counted.resource,
        sentence=(
            f"{counted.free} of {counted.total} free, "
            f"at most {counted.largest_free_on_one_node} on one node"
        ),
        each=each,
        width=columns * STEP,
        height=max(1, -(-cells // columns)) * STEP,
        cells=tuple(
            Cell(
                x=number % columns * STEP + 1,
                y=number // columns * STEP + 1,
                state="used" if number < cells - free else "free",
            )
            for number in range(cells)
        ),
    )


def _quota_rows(counted: Capacity) -> Iterator[QuotaRow]:
    for namespace in counted.namespaces:
        for quota in namespace.quotas:
            yield _quota_row(namespace.name, quota)


def _quota_row(namespace: str, quota: Quota) -> QuotaRow:
    return QuotaRow(
        namespace=namespace,
        quota=quota.quota,
        resource=quota.resource,
        used=in_unit(quota.used, quota.resource),
        hard=in_unit(quota.hard, quota.resource),
        free=in_unit(quota.free, quota.resource),
        tone="" if quota.free > 0 else "warn",
    )

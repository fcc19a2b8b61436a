"""What the list of deployments shows: what it is narrowed by, how many of which phase, one page.

Knows addresses and stored rows; never asks a cluster, and takes as many queries for a thousand
rows as for one.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from django.core.paginator import Page, Paginator
from django.db.models import Count, QuerySet
from django.http import HttpRequest, QueryDict
from django.urls import reverse

from console.filters import DeploymentFilter
from deployments.access import deployments_for
from deployments.models import Deployment, DeploymentQuerySet
from providers.contract.status import PHASES, Phase
from providers.registry import title_of

PAGE_SIZE = 50
MOVING_SECONDS, REST_SECONDS = 5, 30
CLOSED = "closed"
# What an address may narrow the list by; the rest of it is left out of our own links.
NARROWED_BY = (
    "scope",
    "search",
    "cluster",
    "namespace",
    "model_id",
    "implementation_kind",
    "created_by",
    "status",
)


@dataclass(frozen=True, kw_only=True, slots=True)
class PhaseCount:
    """How many deployments are in a phase; an empty phase stands for all of them."""

    phase: str
    count: int
    address: str
    is_current: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class Choices:
    """What occurs among the deployments, to choose from: values with their labels."""

    clusters: Mapping[str, str] = field(default_factory=dict)
    namespaces: Mapping[str, str] = field(default_factory=dict)
    models: Mapping[str, str] = field(default_factory=dict)
    kinds: Mapping[str, str] = field(default_factory=dict)
    people: Mapping[str, str] = field(default_factory=lambda: {"me": "By me"})


@dataclass(frozen=True, kw_only=True, slots=True)
class Listing:
    """One page of the list. `poll` is in seconds, 0 for never; `unknown` are values that cannot be.

    The choices are asked for where they are shown, which a fragment does not.
    """

    narrowing: "Narrowing"
    choices: Callable[[], Choices]
    phases: tuple[PhaseCount, ...]
    page: Page[Deployment]
    poll: int
    unknown: tuple[str, ...]

    @property
    def said(self) -> str:
        """Return how many were found, to be read out."""
        count = self.page.paginator.count
        return f"{count} deployment{'' if count == 1 else 's'} found"

    @property
    def here(self) -> str:
        """Return the address of this very page of the list."""
        return self._address(self.page.number)

    @property
    def previous(self) -> str:
        """Return the address of the page before, empty on the first."""
        return self._address(self.page.number - 1) if self.page.has_previous() else ""

    @property
    def next(self) -> str:
        """Return the address of the page after, empty on the last."""
        return self._address(self.page.number + 1) if self.page.has_next() else ""

    def _address(self, number: int) -> str:
        return self.narrowing.address(page=str(number) if number > 1 else "")


class Narrowing:
    """What an address asks for, and the addresses that ask for something else."""

    def __init__(self, query: QueryDict) -> None:
        """Keep what is known and not empty; blanks around a value mean nothing."""
        found = {name: query.get(name, "").strip() for name in NARROWED_BY}
        self.values = {name: value for name, value in found.items() if value}

    @property
    def is_closed(self) -> bool:
        """Tell whether history is asked for, and not what runs."""
        return self.values.get("scope") == CLOSED

    @property
    def is_any(self) -> bool:
        """Tell whether anything is left out."""
        return bool(set(self.values) - {"scope"})

    @property
    def values_but_status(self) -> dict[str, str]:
        """Return what narrows the list before phases are counted."""
        return {k: value for k, value in self.values.items() if k not in {"status", "scope"}}

    def address(self, **changes: str) -> str:
        """Return the query of these values with some changed; an empty one leaves a value out."""
        merged = {**self.values, **changes}
        asked = urlencode({name: value for name, value in merged.items() if value})
        return f"{reverse('deployments')}?{asked}" if asked else reverse("deployments")


def list_deployments(request: HttpRequest) -> Listing:
    """Return what an address of the list asks for."""
    narrowing = Narrowing(request.GET)
    everything = deployments_for(request.user)
    rows = everything.closed() if narrowing.is_closed else everything.open()
    narrowed = DeploymentFilter(narrowing.values_but_status, queryset=rows, request=request).qs
    counts = count_phases(narrowed)
    status, unknown = known_status(narrowing.values.get("status", ""))
    found = narrowed.with_phase(status) if status else narrowed
    total = counts.get(status, 0) if status else sum(counts.values())
    page = page_of(found, narrowing, total=total, number=request.GET.get("page"))
    return Listing(
        narrowing=narrowing,
        choices=partial(choices_among, rows),
        phases=tuple(links_of(counts, narrowing, status)),
        page=page,
        poll=0 if narrowing.is_closed else poll_seconds(row.phase for row in page),
        unknown=unknown,
    )


def known_status(word: str) -> tuple[str, tuple[str, ...]]:
    """Return a word that is a phase, or none and the word as unknown."""
    is_known = not word or word in set(Phase)
    return (word, ()) if is_known else ("", (word,))


if TYPE_CHECKING:
    _Paginator = Paginator[Deployment]
else:
    _Paginator = Paginator  # generic in its stubs only


class CountedPaginator(_Paginator):
    """A paginator that was told how many there are, so that it need not ask."""

    def __init__(self, rows: DeploymentQuerySet, *, size: int, total: int) -> None:
        super().__init__(rows, size)
        self._total = total

    @property
    def count(self) -> int:
        """Return how many there are."""
        return self._total


def count_phases(rows: QuerySet[Deployment]) -> dict[str, int]:
    """Return how many rows there are of each phase, in one query."""
    found = rows.order_by().values_list("phase").annotate(Count("pk"))
    return {str(phase): int(number) for phase, number in found}


def links_of(counts: Mapping[str, int], narrowing: Narrowing, current: str) -> Iterable[PhaseCount]:
    """Return a link for each phase, worst first, after the one for all of them.

    Few records are open and deleted (by someone else), and few are closed and anything else: such a
    word comes only with them.
    """
    yield _count("", sum(counts.values()), narrowing, current)
    for phase in PHASES:
        is_usual = not narrowing.is_closed and phase is not Phase.DELETED
        if is_usual or counts.get(phase) or phase == current:
            yield _count(phase.value, counts.get(phase, 0), narrowing, current)


def page_of(
    rows: DeploymentQuerySet, narrowing: Narrowing, *, total: int, number: str | None
) -> Page[Deployment]:
    """Return a page of rows: what needs attention first, or of history the newest."""
    ordered = rows.order_by("-closed_at", "-id") if narrowing.is_closed else rows.attention_first()
    return CountedPaginator(ordered.for_list(), size=PAGE_SIZE, total=total).get_page(number)


def choices_among(rows: DeploymentQuerySet) -> Choices:
    """Return what can be chosen from, in one query."""
    found = list(
        rows.order_by()
        .values_list("cluster__name", "namespace", "model_id", "model__name", "kind")
        .distinct()
    )
    return Choices(
        clusters=_in_order((row[0], row[0]) for row in found),
        namespaces=_in_order((row[1], row[1]) for row in found),
        models=_in_order((row[2], row[3]) for row in found),
        kinds=_in_order((row[4], title_of(row[4])) for row in found),
    )


def poll_seconds(phases: Iterable[str]) -> int:
    """Return how often a page asks again: soon while anything on it moves."""
    return MOVING_SECONDS if any(PHASES[Phase(phase)].moving for phase in phases) else REST_SECONDS


def _count(phase: str, count: int, narrowing: Narrowing, current: str) -> PhaseCount:
    return PhaseCount(
        phase=phase,
        count=count,
        address=narrowing.address(status=phase),
        is_current=phase == current,
    )


def _in_order(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    return dict(sorted(set(pairs), key=lambda pair: (pair[1].casefold(), pair)))

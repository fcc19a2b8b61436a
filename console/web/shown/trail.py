"""The audit trail as its page shows it: one line for each act, which opens to both its ends.

Put together from stored rows; the same number of queries for a full page as for a single line.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlencode

from django.core.paginator import Page, Paginator
from django.http import HttpRequest, QueryDict
from django.urls import reverse

from console.filters import ActFilter
from console.web.launch.telling import ToldFault
from console.web.shown.acts import OUTCOMES, SOURCES, OutcomeLook, words_of
from console.web.shown.ages import age_in_words
from deployments.access import audit_for
from deployments.models import AuditEntry
from deployments.services.auditing import SYSTEM, Outcome
from deployments.trail import Deed, deeds_of
from providers.contract.manifest import canonical_json

PAGE_SIZE = 50
# More values of one act are in the answer of the API.
MOST_VALUES = 40
NARROWED_BY = tuple(ActFilter.base_filters)

# What a field is called on the page, where that is another word than in its address.
_DAYS = ("since", "until")
_LABELS = {"since": "From", "until": "To", "source": "Origin"}
UNDER_WAY = OutcomeLook(words="under way", tone="progress", icon="loader-circle")


@dataclass(frozen=True, kw_only=True, slots=True)
class ShownValue:
    """One value that differs, by its path; None where there was none, or is none now."""

    path: str
    before: str | None
    after: str | None


@dataclass(frozen=True, kw_only=True, slots=True)
class ShownEnd:
    """One entry of the trail: what it is in the life of its act, and through which face it came."""

    title: str
    at: datetime
    source: str
    request_id: str
    text: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class ShownAct:
    """One line, and what it opens to. `address` leads to the object, empty where nothing does."""

    key: int
    at: datetime
    actor: str
    role: str
    what: str
    action: str
    object_type: str
    object_name: str
    address: str
    look: OutcomeLook
    reason: str
    message: str
    operation_id: str
    ends: tuple[ShownEnd, ...]
    values: tuple[ShownValue, ...]
    left_out: int


@dataclass(frozen=True, kw_only=True, slots=True)
class ShownTrail:
    """One page of the trail and what it is narrowed by; `faults` say why that cannot be."""

    asked: Mapping[str, str]
    faults: tuple[ToldFault, ...]
    page: Page[AuditEntry]
    acts: tuple[ShownAct, ...]

    @property
    def said(self) -> str:
        """Return how many were found, to be read out."""
        if self.faults:
            return "; ".join(f"{fault.label}: {fault.text}" for fault in self.faults)
        count = self.page.paginator.count
        return f"{count} act{'' if count == 1 else 's'} found"

    @property
    def narrowing(self) -> str:
        """Return the query that narrows the list, without the page."""
        return urlencode(self.asked)

    @property
    def address(self) -> str:
        """Return the address of what is asked for, without what is empty."""
        path = reverse("audit")
        return f"{path}?{self.narrowing}" if self.asked else path


def show_trail(request: HttpRequest) -> ShownTrail:
    """Return what an address of the trail asks for; nothing where it asks for what cannot be."""
    asked = _asked(request.GET)
    rows = audit_for(request.user).acts()
    narrowing = ActFilter(asked, queryset=rows, request=request)
    faults = tuple(_faults(narrowing))
    found = rows.none() if faults else narrowing.qs
    page = Paginator(found.order_by("-at", "-id"), PAGE_SIZE).get_page(request.GET.get("page"))
    return ShownTrail(
        asked=asked,
        faults=faults,
        page=page,
        acts=tuple(_shown(deed) for deed in deeds_of(page)),
    )


def _faults(narrowing: ActFilter) -> Iterator[ToldFault]:
    if not narrowing.is_valid():
        for name, texts in narrowing.errors.items():
            yield _fault(name, str(texts[0]).rstrip("."))
        return
    first, last = (narrowing.form.cleaned_data[name] for name in _DAYS)
    if first and last and last < first:
        yield _fault("until", f"is before “{_LABELS['since']}”; choose a later day")


def _fault(name: str, text: str) -> ToldFault:
    label = _LABELS.get(name, name.capitalize())
    return ToldFault(label=label, text=text, anchor=name if name in _DAYS else "")


def _asked(query: QueryDict) -> dict[str, str]:
    given = {name: query.get(name, "").strip() for name in NARROWED_BY}
    return {name: value for name, value in given.items() if value}


def _shown(deed: Deed) -> ShownAct:
    begun = deed.begun
    values = list(_values(begun.before, begun.after))
    return ShownAct(
        key=begun.pk,
        at=begun.at,
        actor="the console" if begun.actor_name == SYSTEM else begun.actor_name,
        role=begun.role,
        what=words_of(begun.action),
        action=begun.action,
        object_type=begun.object_type.replace("_", " "),
        object_name=begun.object_name or begun.object_id,
        address=_address(begun),
        look=_look(deed),
        reason=begun.reason,
        message=(deed.ended or begun).message,
        operation_id=begun.operation_id,
        ends=tuple(_ends(deed)),
        values=tuple(values[:MOST_VALUES]),
        left_out=max(0, len(values) - MOST_VALUES),
    )


def _look(deed: Deed) -> OutcomeLook:
    if deed.outcome == Outcome.ACCEPTED and deed.begun.operation_id:
        return UNDER_WAY
    return OUTCOMES.get(deed.outcome, OUTCOMES[Outcome.ACCEPTED.value])


def _address(entry: AuditEntry) -> str:
    if entry.object_type == "deployment":
        return reverse("deployment", args=[entry.object_id])
    return reverse("clusters") if entry.object_type == "cluster" else ""


def _ends(deed: Deed) -> Iterator[ShownEnd]:
    if deed.ended is None:
        yield _end("Intended" if deed.begun.operation_id else "Done", deed.begun)
        return
    yield _end("Intended", deed.begun)
    took = age_in_words(deed.begun.at, now=deed.ended.at)
    yield _end("Finished", deed.ended, f"after {took}")


def _end(title: str, entry: AuditEntry, text: str = "") -> ShownEnd:
    source = SOURCES.get(entry.source, entry.source)
    return ShownEnd(title=title, at=entry.at, source=source, request_id=entry.request_id, text=text)


def _values(before: object, after: object) -> Iterator[ShownValue]:
    """Yield what differs, by path; `before` and `after` hold nothing else."""
    old, new = dict(_leaves(before, "")), dict(_leaves(after, ""))
    for path in dict.fromkeys((*old, *new)):
        yield ShownValue(path=path, before=old.get(path), after=new.get(path))


def _leaves(value: object, path: str) -> Iterable[tuple[str, str]]:
    if isinstance(value, Mapping):
        for name, member in value.items():
            yield from _leaves(member, f"{path}.{name}" if path else str(name))
    elif isinstance(value, list) and any(isinstance(item, Mapping) for item in value):
        for place, item in enumerate(value):
            yield f"{path}[{place}]", canonical_json(item)
    elif value is not None and path:
        yield path, value if isinstance(value, str) else canonical_json(value)

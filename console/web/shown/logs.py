"""One log as its tab shows it: the lines, what was searched for in them, and where to go on.

Reads addresses and makes them; asks no cluster. Lines go to the template as text and marks, never
as markup.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from urllib.parse import urlencode

from django.http import QueryDict
from django.urls import reverse

from console.log_queries import log_query_of
from console.whole_numbers import whole_number
from deployments.exceptions import InvalidOrder
from deployments.models import Deployment
from providers.contract.observing import Log, LogLine, LogQuery, LogSource
from providers.engines.log_causes import LogCause, find_cause

LINES = (200, 500, 2_000)
USUAL = 500
# What one answer may weigh.
PAGE_BYTES = 512 * 1024
# What one follower may add to a page before it is asked to begin anew.
MOST_FOLLOWED = 5_000
_LONGEST_SEARCH = 200
_FIELDS = ("pod", "container", "previous", "tail_lines")


@dataclass(frozen=True, kw_only=True, slots=True)
class LogPlace:
    """What the address of the tab asks for; `followed` counts lines that following has added."""

    path: str
    query: LogQuery
    search: str = ""
    times: bool = False
    follow: bool = True
    followed: int = 0

    def at_its_end(self) -> "LogPlace":
        """Return the place of who begins to read, wherever the address went on from."""
        return replace(self, query=replace(self.query, since=None, known=0), followed=0)

    def onward(self) -> LogQuery:
        """Return the question for what came since: it may be more than a page begins with."""
        return replace(self.query, tail_lines=max(LINES))

    def address(self, **changes: str) -> str:
        """Return the address with some of it changed; an empty value leaves one out."""
        asked = {
            "pod": self.query.pod,
            "container": self.query.container,
            "previous": "true" if self.query.previous else "",
            "tail_lines": "" if self.query.tail_lines == USUAL else str(self.query.tail_lines),
            "search": self.search,
            "times": "true" if self.times else "",
            "follow": "" if self.follow else "off",
            **changes,
        }
        query = urlencode({name: value for name, value in asked.items() if value})
        return f"{self.path}?{query}" if query else self.path


@dataclass(frozen=True, kw_only=True, slots=True)
class Piece:
    """A part of a line; `is_hit` tells that it is what was searched for."""

    text: str
    is_hit: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class ShownLine:
    """One line in pieces; `time` is of its day, in UTC, as wide where there is none."""

    time: str
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Choice:
    """One log that may be chosen."""

    value: str
    label: str
    is_chosen: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class ShownLog:
    """A log as it is drawn. `more` asks for what comes next, empty where nobody follows it.

    `count` is of all lines that were read, of which `lines` hold what was searched for.
    """

    log: Log
    place: LogPlace
    lines: tuple[ShownLine, ...]
    count: int
    choices: Mapping[str, Sequence[Choice]]
    cause: LogCause | None
    has_previous: bool
    more: str

    @property
    def is_at_its_end(self) -> bool:
        """Tell whether following ended because a page holds no more."""
        return self.place.follow and self.place.followed >= MOST_FOLLOWED


def read_place(deployment: Deployment, asked: QueryDict) -> LogPlace:
    """Read the address; what it cannot mean is left out, as an old link still shows something."""
    path = reverse("deployment-logs", args=[deployment.pk])
    texts = {name: asked.get(name, "") for name in (*_FIELDS, "since_time")}
    pod, found, container = asked.get("source", "").partition("/")
    if found:
        texts |= {"pod": pod, "container": container}
    try:
        query = log_query_of(texts)
    except InvalidOrder as error:
        query = log_query_of({n: text for n, text in texts.items() if n not in error.fields})
    return LogPlace(
        path=path,
        query=replace(query, known=_count(asked.get("known", "")), limit_bytes=PAGE_BYTES),
        search=asked.get("search", "").strip()[:_LONGEST_SEARCH],
        times=asked.get("times") == "true",
        follow=asked.get("follow") != "off",
        followed=_count(asked.get("followed", "")),
    )


def _count(text: str) -> int:
    return min(whole_number(text) or 0, MOST_FOLLOWED)


def show_log(log: Log, place: LogPlace) -> ShownLog:
    """Return what the tab draws."""
    return ShownLog(
        log=log,
        place=place,
        lines=tuple(_lines(log.lines, place.search)),
        count=len(log.lines),
        choices=_choices(log),
        cause=find_cause([line.text for line in log.lines]),
        has_previous=any(one.has_previous for one in log.sources if _is_chosen(one, log)),
        more=_more(log, place),
    )


def _lines(lines: Sequence[LogLine], search: str) -> Iterator[ShownLine]:
    wanted = re.compile(re.escape(search), re.IGNORECASE) if search else None
    for line in lines:
        pieces = tuple(_pieces(line.text, wanted))
        if wanted is None or any(piece.is_hit for piece in pieces):
            yield ShownLine(time=_time(line.at), pieces=pieces)


def _time(at: datetime | None) -> str:
    return at.astimezone(UTC).strftime("%H:%M:%S.%f")[:-3] if at else " " * 12


def _pieces(text: str, wanted: re.Pattern[str] | None) -> Iterator[Piece]:
    at = 0
    for found in wanted.finditer(text) if wanted else ():
        if found.start() > at:
            yield Piece(text=text[at : found.start()])
        yield Piece(text=found[0], is_hit=True)
        at = found.end()
    if at < len(text):
        yield Piece(text=text[at:])


def _choices(log: Log) -> Mapping[str, Sequence[Choice]]:
    """Return the choices by their pod; pods of older revisions are told as such."""
    by_pod: dict[str, list[Choice]] = {}
    for one in log.sources:
        title = one.pod if one.current else f"{one.pod} (older revision)"
        by_pod.setdefault(title, []).append(
            Choice(
                value=f"{one.pod}/{one.container}",
                label=_label(one),
                is_chosen=_is_chosen(one, log),
            )
        )
    return by_pod


def _label(source: LogSource) -> str:
    words = [source.container]
    words += ["init"] if source.is_init else []
    words += ["failing"] if source.is_failing else []
    words += [] if source.has_started else ["not started"]
    return ", ".join(words)


def _is_chosen(source: LogSource, log: Log) -> bool:
    return (source.pod, source.container) == (log.pod, log.container)


def _more(log: Log, place: LogPlace) -> str:
    """Return the address of what comes after the last line; nothing comes after what is over."""
    followed = place.followed + len(log.lines)
    is_over = log.previous or log.note or log.is_absent
    if not place.follow or is_over or followed >= MOST_FOLLOWED:
        return ""
    last = next((line.at for line in reversed(log.lines) if line.at), place.query.since)
    known = sum(line.at == last for line in log.lines)
    if last == place.query.since:
        known += place.query.known
    return place.address(
        pod=log.pod,
        container=log.container,
        since_time=last.isoformat() if last else "",
        known=str(known) if last else "",
        followed=str(followed),
    )

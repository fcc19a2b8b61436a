"""Events in words: repeats folded into one line with its count, the newest line first.

Controllers repeat a warning with another pod's name in it, ten times in a few seconds: a quota that
refuses pods is one line here.
"""

import re
from collections.abc import Iterable
from datetime import UTC, datetime

from providers.contract.observing import EventLine
from providers.workload.objects import moment, present
from providers.workload.objects.looked import ToldEvent

LONGEST = 1000
# What is put behind a generated name, by Kubernetes' own alphabet.
_GENERATED = re.compile(r"-[bcdfghjklmnpqrstvwxz2456789]{5}\b")
_LONG_AGO = datetime.min.replace(tzinfo=UTC)


def event_lines(events: Iterable[ToldEvent]) -> tuple[EventLine, ...]:
    """Return the events as lines, newest first; those without any time come last.

    Of one second that comes first which was written last: who tells nothing finer than seconds
    stands beside who does.
    """
    folded: dict[tuple[str, ...], EventLine] = {}
    for event in sorted(events, key=_age_key, reverse=True):
        line = _line(event)
        message = _GENERATED.sub("…", line.message) if line.is_warning else line.message
        key = (line.object, event.type or "", line.reason, message)
        known = folded.get(key)
        folded[key] = line if known is None else _folded(known, line)
    return tuple(folded.values())


def _age_key(event: ToldEvent) -> tuple[datetime, int, datetime]:
    at = event.at or _LONG_AGO
    return at.replace(microsecond=0), event.version, at


def _line(event: ToldEvent) -> EventLine:
    about, at = event.about, event.at
    return EventLine(
        at=at,
        first_at=moment(event.first_timestamp) or moment(event.event_time) or at,
        count=event.times,
        is_warning=event.type == "Warning",
        reason=event.reason or "",
        message=_one_line(event.message),
        object=f"{about.kind or '?'} {about.name or '?'}",
        source=event.teller,
    )


def _folded(newer: EventLine, older: EventLine) -> EventLine:
    """Return both as one line, in the words of the newer."""
    begun = present((newer.first_at, older.first_at))
    return EventLine(
        at=newer.at,
        first_at=min(begun, default=None),
        count=older.count + newer.count,
        is_warning=newer.is_warning,
        reason=newer.reason,
        message=newer.message,
        object=newer.object,
        source=newer.source,
    )


def _one_line(text: str | None) -> str:
    line = " ".join((text or "").split())
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"

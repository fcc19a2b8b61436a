"""What the cluster said about a deployment, narrowed to warnings or to one object."""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import QueryDict
from django.urls import reverse

from deployments.models import Deployment
from providers.contract.observing import EventLine, Events

# How many lines a page has at first; all of them are one link away.
FIRST = 100
WARNINGS = "warnings"


@dataclass(frozen=True, kw_only=True, slots=True)
class Narrowed:
    """What the address asks for: a kind of events, the events of one object, or every line."""

    path: str
    only_warnings: bool
    object: str
    every_line: bool

    def address(self, **changes: str) -> str:
        """Return the address with some of it changed; an empty value leaves one out."""
        asked = {
            "only": WARNINGS if self.only_warnings else "",
            "object": self.object,
            "all": "1" if self.every_line else "",
            **changes,
        }
        query = urlencode({name: value for name, value in asked.items() if value})
        return f"{self.path}?{query}" if query else self.path


@dataclass(frozen=True, kw_only=True, slots=True)
class ShownLine:
    """One line with the address that narrows to its object."""

    line: EventLine
    icon: str
    tone: str
    address: str


@dataclass(frozen=True, kw_only=True, slots=True)
class ShownEvents:
    """The lines that are drawn, of `asked` that the address asks for; `said` counts them.

    `count` and `warnings` are those of the object that was asked for, else of all.
    """

    events: Events
    lines: tuple[ShownLine, ...]
    asked: int
    count: int
    warnings: int
    objects: Mapping[str, str]
    said: str


def read_narrowing(deployment: Deployment, query: QueryDict) -> Narrowed:
    """Read the address; what it cannot mean is left out."""
    return Narrowed(
        path=reverse("deployment-events", args=[deployment.pk]),
        only_warnings=query.get("only") == WARNINGS,
        object=query.get("object", ""),
        every_line=query.get("all") == "1",
    )


def show_events(events: Events, narrowed: Narrowed) -> ShownEvents:
    """Return what the page draws."""
    of_object = [line for line in events.lines if narrowed.object in {"", line.object}]
    warnings = [line for line in of_object if line.is_warning]
    asked = warnings if narrowed.only_warnings else of_object
    drawn = asked if narrowed.every_line else asked[:FIRST]
    return ShownEvents(
        events=events,
        lines=tuple(_line(line, narrowed) for line in drawn),
        asked=len(asked),
        count=len(of_object),
        warnings=len(warnings),
        objects={name: name for name in sorted({line.object for line in events.lines})},
        said=f"{len(of_object)} events, {len(warnings)} of them warnings",
    )


def _line(line: EventLine, narrowed: Narrowed) -> ShownLine:
    return ShownLine(
        line=line,
        icon="triangle-alert" if line.is_warning else "info",
        tone="warn" if line.is_warning else "idle",
        address=narrowed.address(object=line.object, all=""),
    )

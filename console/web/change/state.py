"""What a person wants to be otherwise, as the query string carries it from form to review.

Knows the names of the fields and nothing about what they may hold: that is the order's to judge.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from urllib.parse import urlencode

from django.http import QueryDict

from console.web.launch.state import ARGUMENT, MAX_FIELDS, MAX_LENGTH, OVERRIDES
from console.whole_numbers import whole_number

VERSION = "model_version"
FIELDS = (*(name for name in OVERRIDES if name not in {"name", "region"}), VERSION)
ON, OFF = "true", "false"

Pairs = tuple[tuple[str, str], ...]


class Deed(StrEnum):
    """What a change is called."""

    CHANGE = "change"
    ROLLBACK = "rollback"
    STOP = "stop"
    START = "start"
    REDEPLOY = "redeploy"


@dataclass(frozen=True, kw_only=True, slots=True)
class ChangeState:
    """One change in the making; what is not asked for is empty, or 0.

    `base` is the revision that the person has seen. `template` is the id of the template that shall
    run, `shown` of the one whose fields the form had. `entered` holds overrides as typed, by field
    name, and only what was sent.
    """

    base: int = 0
    template: str = ""
    shown: str = ""
    rollback: int = 0
    stopped: str = ""
    redeploy: bool = False
    reason: str = ""
    entered: Mapping[str, str] = field(default_factory=dict)

    @property
    def deed(self) -> Deed:
        """Return what it is; the form's own fields make it a change."""
        if self.rollback:
            return Deed.ROLLBACK
        if self.stopped:
            return Deed.STOP if self.stopped == ON else Deed.START
        return Deed.REDEPLOY if self.redeploy else Deed.CHANGE

    @property
    def query(self) -> str:
        """Return the query string that leads back to exactly this state."""
        return urlencode(tuple(self._pairs()))

    def on(self, base: int, entered: Mapping[str, str]) -> "ChangeState":
        """Return the same wish for another revision: only what differs from that one is entered."""
        return replace(self, base=base, shown="", entered=entered)

    def with_entered(self, **entered: str) -> "ChangeState":
        """Return the state with some fields entered otherwise."""
        return replace(self, entered={**self.entered, **entered})

    def _pairs(self) -> Iterator[tuple[str, str]]:
        numbers = {"base": self.base, "rollback": self.rollback}
        yield from ((name, str(number)) for name, number in numbers.items() if number)
        for name in ("template", "shown", "stopped", "reason"):
            if value := getattr(self, name):
                yield name, value
        if self.redeploy:
            yield "redeploy", ON
        yield from self.entered.items()


def read_change_state(given: QueryDict) -> ChangeState:
    """Read a state from a query string; what is no field of a change is left out."""
    texts = {name: _text(given[name]) for name in list(given)[:MAX_FIELDS]}
    return ChangeState(
        base=whole_number(texts.get("base", "")) or 0,
        template=texts.get("template", ""),
        shown=texts.get("shown", ""),
        rollback=whole_number(texts.get("rollback", "")) or 0,
        stopped=texts.get("stopped", "") if texts.get("stopped") in {ON, OFF} else "",
        redeploy=texts.get("redeploy") == ON,
        reason=texts.get("reason", ""),
        entered={name: text for name, text in texts.items() if _is_override(name)},
    )


def _is_override(name: str) -> bool:
    return name in FIELDS or name.startswith(ARGUMENT)


def _text(value: str | list[object]) -> str:
    # No database takes a NUL, and the order would refuse it without naming a field of the form.
    return value[:MAX_LENGTH].replace("\0", "").strip() if isinstance(value, str) else ""

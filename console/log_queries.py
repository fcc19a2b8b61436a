"""Which log a request asks for, for API and pages alike; knows no page and no answer."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from console.whole_numbers import whole_number
from deployments.exceptions import InvalidOrder
from providers.contract.observing import LogQuery

# Kubernetes' own limit of a name.
LONGEST_NAME = 253
MOST_LINES = 10_000
LIMIT_BYTES = 4 * 1024 * 1024
# Times beyond these cannot be turned from one zone to another.
_YEARS = range(1970, 9999)


def log_query_of(asked: Mapping[str, str]) -> LogQuery:
    """Return the question in `pod`, `container`, `previous`, `tail_lines` and `since_time`.

    What is left out or empty is as `LogQuery` has it. Raises InvalidOrder with every wrong field.
    """
    found: dict[str, Any] = {}
    wrong: dict[str, tuple[str, ...]] = {}
    for name, (field, read) in _READERS.items():
        text = asked.get(name, "")
        try:
            found |= {field: read(text)} if text else {}
        except ValueError as error:
            wrong[name] = (str(error),)
    if wrong:
        raise InvalidOrder.about(wrong)
    return LogQuery(**found, limit_bytes=LIMIT_BYTES)


def switch_of(asked: Mapping[str, str], name: str) -> bool:
    """Return a switch that is off unless it says true; raises InvalidOrder for anything else."""
    try:
        return bool(asked.get(name)) and _switch(asked[name])
    except ValueError as error:
        raise InvalidOrder.of(name, str(error)) from None


def _name(text: str) -> str:
    if len(text) > LONGEST_NAME:
        raise ValueError(f"must have at most {LONGEST_NAME} characters")
    return text


def _switch(text: str) -> bool:
    if text not in {"true", "false"}:
        raise ValueError("must be true or false")
    return text == "true"


def _lines(text: str) -> int:
    number = whole_number(text, least=1, most=MOST_LINES)
    if number is None:
        raise ValueError(f"must be a whole number from 1 to {MOST_LINES}")
    return number


def _moment(text: str) -> datetime:
    wanted = "must be a time with its zone, such as 2026-11-30T09:12:01Z (a + is sent as %2B)"
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise ValueError(wanted) from None
    if moment.tzinfo is None or moment.year not in _YEARS:
        raise ValueError(wanted)
    return moment


_READERS: Mapping[str, tuple[str, Callable[[str], object]]] = {
    "pod": ("pod", _name),
    "container": ("container", _name),
    "previous": ("previous", _switch),
    "tail_lines": ("tail_lines", _lines),
    "since_time": ("since", _moment),
}

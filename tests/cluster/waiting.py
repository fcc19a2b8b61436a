"""Waiting for something to become true, with an end and with words for what was waited for."""

from collections.abc import Callable
from time import monotonic, sleep
from typing import TypeVar

T = TypeVar("T")
EVERY_SECONDS = 0.05


def wait_for(
    predicate: Callable[[], T | None], seconds: float, what: str, *, every: float = EVERY_SECONDS
) -> T:
    """Return the first true answer; raise AssertionError that names `what` and the last answer."""
    deadline = monotonic() + seconds
    while not (answer := predicate()):
        if monotonic() > deadline:
            raise AssertionError(f"{what}: not after {seconds:g} s; last seen: {answer!r}")
        sleep(every)
    return answer


def read_until(read: Callable[[], T], wanted: T, seconds: float) -> T:
    """Return what is read: what is wanted as soon as it is, after that time whatever it is."""
    deadline = monotonic() + seconds
    while (found := read()) != wanted and monotonic() < deadline:
        sleep(EVERY_SECONDS)
    return found

"""Counts what a process does to the outside, and halts it by a signal at a point that was chosen.

An effect is a commit, a request that changes a cluster, a message, an answer. A point is a moment
beside one: before it, after it, and for what is sent over the network, when it is sent and not yet
answered. Knows neither Django nor the cluster.
"""

import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from itertools import count
from pathlib import Path


class Side(StrEnum):
    """Where beside an effect."""

    BEFORE = "before"
    SENT = "sent"
    AFTER = "after"


@dataclass(frozen=True, kw_only=True, slots=True)
class Point:
    """A moment beside the effect of that number, counted from 1."""

    number: int
    side: Side

    def __str__(self) -> str:
        """Return it as `parse_point` reads it."""
        return f"{self.number}-{self.side}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Step:
    """A moment that was reached, and what the effect was."""

    point: Point
    what: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Halt:
    """The order to stop at a point: SIGKILL for good, SIGSTOP until somebody sends SIGCONT."""

    at: Point
    by: signal.Signals = signal.SIGKILL

    def __str__(self) -> str:
        """Return it as `parse_halt` reads it."""
        return f"{self.at} {self.by.name}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Record:
    """What a piece of work did until its end; `halted` tells that it came to the chosen point.

    `waiting` is the process that waits for SIGCONT, if it does.
    """

    steps: Sequence[Step]
    halted: bool
    waiting: int | None = None


Try = Callable[[Point], Record]
_HALTED, _ENDED = "halted", "ended"


def parse_point(text: str) -> Point:
    """Read `NUMBER-SIDE`."""
    number, _, side = text.partition("-")
    return Point(number=int(number), side=Side(side))


def parse_halt(text: str) -> Halt | None:
    """Read `NUMBER-SIDE SIGNAL`; None for the empty text."""
    at, _, by = text.partition(" ")
    return Halt(at=parse_point(at), by=signal.Signals[by]) if text else None


class Count:
    """The effects of one piece of work; each moment is written to `record` before it may halt."""

    def __init__(self, record: Path, halt: Halt | None) -> None:
        self._record, self._halt = record, halt
        self._lock = threading.RLock()
        self._number = 0

    def begin(self, what: str) -> int:
        """Count an effect that is about to happen; returns its number."""
        with self._lock:
            self._number += 1
            self.reach(self._number, Side.BEFORE, what)
            return self._number

    def reach(self, number: int, side: Side, what: str) -> None:
        """Note a moment, and halt the process where it is the chosen one."""
        point = Point(number=number, side=side)
        with self._lock, self._record.open("a") as record:
            record.write(f"{point} {what}\n")
            record.flush()
            if self._halt and point == self._halt.at:
                record.write(f"{_HALTED} {os.getpid()} {self._halt.by.name}\n")
                record.flush()
                # To this thread, which so goes no step further; all others halt with it.
                signal.pthread_kill(threading.get_ident(), self._halt.by)

    def end(self) -> None:
        """Note that the work came to its end."""
        with self._lock, self._record.open("a") as record:
            record.write(f"{_ENDED}\n")


def read_record(path: Path) -> Record | None:
    """Read what a piece of work did; None while it goes on, or has not begun."""
    if not path.exists():
        return None
    whole, _, _ = path.read_text().rpartition("\n")  # a line may be half written by now
    lines = [line.partition(" ") for line in whole.splitlines()]
    steps = [
        Step(point=parse_point(word), what=rest)
        for word, _, rest in lines
        if word not in {_HALTED, _ENDED}
    ]
    halts = [rest.split() for word, _, rest in lines if word == _HALTED]
    last = lines[-1][0] if lines else ""
    if last not in {_HALTED, _ENDED}:
        return None
    is_waiting = last == _HALTED and halts[0][1] == signal.SIGSTOP.name
    waiting = int(halts[0][0]) if is_waiting else None
    return Record(steps=steps, halted=bool(halts), waiting=waiting)


def every_point(attempt: Try) -> Iterator[Point]:
    """Let work be halted at one point after the other until it comes to its end; yield the points.

    `attempt` does the work anew, under the order to halt at the point. What is before one effect
    is after the one before it, so `before` counts only once.
    """
    if attempt(first := Point(number=1, side=Side.BEFORE)).halted:
        yield first
    for number in count(1):
        after, sent = Point(number=number, side=Side.AFTER), Point(number=number, side=Side.SENT)
        record = attempt(after)
        if not record.halted:
            return
        yield after
        if sent in [step.point for step in record.steps] and attempt(sent).halted:
            yield sent


_counts: list[Count] = []


@contextmanager
def counting(record: Path, halt: Halt | None) -> Iterator[Count]:
    """Count all effects of the process, whichever thread they are of, to the end of the block."""
    counted = Count(record, halt)
    _counts.append(counted)
    try:
        yield counted
    finally:
        _counts.remove(counted)
        counted.end()


def current() -> Count | None:
    """Return the count that runs, if any does."""
    return _counts[-1] if _counts else None


@contextmanager
def effect(what: str) -> Iterator[None]:
    """Count the block as one effect; only an effect that took place has an after."""
    counted = current()
    number = counted.begin(what) if counted else 0
    yield
    if counted:
        counted.reach(number, Side.AFTER, what)

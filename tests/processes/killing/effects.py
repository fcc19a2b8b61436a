"""Counts what a process does to the outside, and ends it with SIGKILL at a point that was chosen.

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
class Record:
    """What a piece of work did until its end, or until it was killed beside its last step."""

    steps: Sequence[Step]
    killed: bool


Kill = Callable[[Point], Record]
_KILLED, _ENDED = "killed", "ended"


def parse_point(text: str) -> Point:
    """Read `NUMBER-SIDE`."""
    number, _, side = text.partition("-")
    return Point(number=int(number), side=Side(side))


class Count:
    """The effects of one piece of work; each moment is written to `record` before it may kill."""

    def __init__(self, record: Path, kill_at: Point | None) -> None:
        self._record, self._kill_at = record, kill_at
        self._lock = threading.RLock()
        self._number = 0

    def begin(self, what: str) -> int:
        """Count an effect that is about to happen; returns its number."""
        with self._lock:
            self._number += 1
            self.reach(self._number, Side.BEFORE, what)
            return self._number

    def reach(self, number: int, side: Side, what: str) -> None:
        """Note a moment, and end the process where it is the chosen one."""
        point = Point(number=number, side=side)
        with self._lock, self._record.open("a") as record:
            record.write(f"{point} {what}\n")
            record.flush()
            if point == self._kill_at:
                record.write(f"{_KILLED}\n")
                record.flush()
                os.kill(os.getpid(), signal.SIGKILL)

    def end(self) -> None:
        """Note that the work came to its end."""
        with self._lock, self._record.open("a") as record:
            record.write(f"{_ENDED}\n")


def read_record(path: Path) -> Record | None:
    """Read what a piece of work did; None while it goes on."""
    *lines, last = path.read_text().splitlines()
    if last not in {_KILLED, _ENDED}:
        return None
    parts = [line.partition(" ") for line in lines]
    steps = [Step(point=parse_point(point), what=what) for point, _, what in parts]
    return Record(steps=steps, killed=last == _KILLED)


def every_point(kill: Kill) -> Iterator[Point]:
    """Let work be killed at one point after the other until it comes to its end; yield the points.

    `kill` does the work anew, under the order to die at the point. What is before one effect is
    after the one before it, so `before` counts only once.
    """
    if kill(first := Point(number=1, side=Side.BEFORE)).killed:
        yield first
    for number in count(1):
        after, sent = Point(number=number, side=Side.AFTER), Point(number=number, side=Side.SENT)
        record = kill(after)
        if not record.killed:
            return
        yield after
        if sent in [step.point for step in record.steps] and kill(sent).killed:
            yield sent


_counts: list[Count] = []


@contextmanager
def counting(record: Path, kill_at: Point | None) -> Iterator[Count]:
    """Count all effects of the process, whichever thread they are of, to the end of the block."""
    counted = Count(record, kill_at)
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

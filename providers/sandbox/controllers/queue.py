"""The work of all controllers in one queue by object and due time; a key waits there once.

An object that makes its controller fail is tried again later and holds up no other.
"""

import heapq
import logging
from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import count
from typing import Protocol

from providers.sandbox.clock import Clock, seconds
from providers.sandbox.store import Change, Key

logger = logging.getLogger(__name__)

LONGEST_PENALTY_SECONDS = 60.0


class Controller(Protocol):
    """Brings objects to what they ask for."""

    def concerns(self, change: Change) -> Iterable[Key]:
        """Return the objects to look at after a change."""

    def reconcile(self, key: Key) -> float | None:
        """Look at one object; return the seconds after which to look again, None for never."""


Work = tuple[int, Key]


class WorkQueue:
    """Runs controllers, one object at a time, by a clock."""

    def __init__(self, clock: Clock, controllers: Sequence[Controller]) -> None:
        self._clock, self._controllers = clock, controllers
        self._heap: list[tuple[datetime, int, Work]] = []
        self._due: dict[Work, datetime] = {}
        self._failures: dict[Work, int] = {}
        self._numbers = count()

    def hear(self, change: Change) -> None:
        """Put to work whoever a change concerns."""
        for number, controller in enumerate(self._controllers):
            try:
                for key in controller.concerns(change):
                    self._add((number, key), 0.0)
            except Exception:  # one poisoned object must not stop the others
                logger.exception("%s cannot be told of %s", type(controller).__name__, change.key)

    def next_due(self) -> datetime | None:
        """Return when there is work next."""
        while self._heap and self._due.get(self._heap[0][2]) != self._heap[0][0]:
            heapq.heappop(self._heap)
        return self._heap[0][0] if self._heap else None

    def run_one(self) -> bool:
        """Do what is due first; return whether anything was due."""
        due = self.next_due()
        if due is None or due > self._clock.now():
            return False
        _, _, work = heapq.heappop(self._heap)
        del self._due[work]
        number, key = work
        try:
            wait = self._controllers[number].reconcile(key)
        except Exception:  # one poisoned object must not stop the others
            logger.exception(
                "%s cannot reconcile %s", type(self._controllers[number]).__name__, key
            )
            self._failures[work] = self._failures.get(work, 0) + 1
            wait = min(2.0 ** self._failures[work], LONGEST_PENALTY_SECONDS)
        else:
            self._failures.pop(work, None)
        if wait is not None:
            self._add(work, wait)
        return True

    def _add(self, work: Work, wait: float) -> None:
        due = self._clock.now() + seconds(wait)
        if work not in self._due or due < self._due[work]:
            self._due[work] = due
            heapq.heappush(self._heap, (due, next(self._numbers), work))

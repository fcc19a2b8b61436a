"""A keyed queue with due times: one thread per key at a time, and no key waits twice."""

from threading import Condition
from time import monotonic


class WorkQueue:
    """Keys due now or later; adding a known key keeps the earlier of its times."""

    def __init__(self) -> None:
        self._due: dict[str, float] = {}
        self._busy: set[str] = set()
        self._changed = Condition()
        self._closed = False

    def add(self, key: str, *, after: float = 0.0) -> None:
        """Ask for a key to be worked on after some seconds."""
        at = monotonic() + after
        with self._changed:
            self._due[key] = min(at, self._due.get(key, at))
            self._changed.notify()

    def take(self) -> str | None:
        """Wait for the next key that is due and nobody works on; None once the queue is closed."""
        with self._changed:
            while not self._closed:
                key, at = self._next()
                if key is not None and at <= monotonic():
                    del self._due[key]
                    self._busy.add(key)
                    return key
                self._changed.wait(None if key is None else max(0.0, at - monotonic()))
            return None

    def done(self, key: str) -> None:
        """Say that the work on a key is over."""
        with self._changed:
            self._busy.discard(key)
            self._changed.notify()

    def close(self) -> None:
        """Let every waiting thread go home."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def _next(self) -> tuple[str | None, float]:
        waiting = [(at, key) for key, at in self._due.items() if key not in self._busy]
        if not waiting:
            return None, 0.0
        at, key = min(waiting)
        return key, at

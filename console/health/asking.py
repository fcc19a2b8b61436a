"""Asks several questions at once and waits for none of them longer than it is told.

A question that hangs keeps its one thread and is not asked again until it has ended, so that
probing a silent server piles nothing up; who asks meanwhile shares its answer.
"""

import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Generic, TypeVar

T = TypeVar("T")


class Asker(Generic[T]):
    """Keeps at most `threads` questions under way, one of each name."""

    def __init__(self, *, threads: int) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="health")
        self._lock = threading.Lock()
        self._asked: dict[str, Future[T]] = {}

    def ask(self, questions: Mapping[str, Callable[[], T]], *, seconds: float) -> dict[str, T]:
        """Return the answers that came within so many seconds, by name; raises what they raised."""
        asked = {name: self._ask(name, question) for name, question in questions.items()}
        wait(asked.values(), timeout=seconds)
        return {name: future.result() for name, future in asked.items() if future.done()}

    def _ask(self, name: str, question: Callable[[], T]) -> Future[T]:
        with self._lock:
            asked = self._asked.get(name)
            if asked is None or asked.done():
                asked = self._asked[name] = self._pool.submit(question)
            return asked

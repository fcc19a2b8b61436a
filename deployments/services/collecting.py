"""Lets Python's collector of cycles come seldom during a pass.

A pass over a big cluster makes a million objects, none of them in a cycle, and lets go of them all
at its end. The collector would walk over them again and again, for a quarter of the whole time. It
still comes: where passes over many clusters overlap, there is no end at which it could catch up.
"""

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager

# New objects that bring it about, and how often by then for it to look at older ones, too.
SELDOM = (100_000, 20, 10)

_lock = threading.Lock()
_inside = 0
_usual = gc.get_threshold()


@contextmanager
def collected_seldom() -> Iterator[None]:
    """Let the collector come seldom until the last thread that is inside has left."""
    _count(1)
    try:
        yield
    finally:
        _count(-1)


def _count(change: int) -> None:
    global _inside, _usual  # noqa: PLW0603 - the collector is the process's own, too
    with _lock:
        if not _inside:
            _usual = gc.get_threshold()
        _inside += change
        gc.set_threshold(*(SELDOM if _inside else _usual))

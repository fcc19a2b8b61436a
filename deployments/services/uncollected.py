"""Keeps Python's collector of cycles away from a pass.

A pass over a big cluster makes a million objects, none of them in a cycle, and lets go of them all
at its end. The collector would walk over them again and again, for a quarter of the whole time.
"""

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_lock = threading.Lock()
_inside = 0


@contextmanager
def uncollected() -> Iterator[None]:
    """Let no cycles be collected until the last thread that is inside has left."""
    _enter()
    try:
        yield
    finally:
        _leave()


def _enter() -> None:
    global _inside  # noqa: PLW0603 - the collector is the process's own, too
    with _lock:
        _inside += 1
        gc.disable()


def _leave() -> None:
    global _inside  # noqa: PLW0603 - the collector is the process's own, too
    with _lock:
        _inside -= 1
        if not _inside:
            gc.enable()

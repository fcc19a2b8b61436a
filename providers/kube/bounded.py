"""Work in threads: several reads at once, and a call that may hang bounded by a deadline.

Threads here only wait for the network; none of them touches a database.
"""

import queue
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, wait
from typing import TypeVar

_T = TypeVar("_T")


def run_all(threads: Executor, calls: Sequence[Callable[[], _T]]) -> list[_T]:
    """Return the results in the order of the calls, which run side by side; raises the first error.

    Every call is waited for, so that none still writes when the caller goes on. A call must not
    come here again: the threads are finite.
    """
    if len(calls) == 1:
        return [calls[0]()]
    futures = [threads.submit(call) for call in calls]
    wait(futures)
    return [future.result() for future in futures]


def run_bounded(call: Callable[[], _T], seconds: float) -> _T:
    """Return what the call returns; raises TimeoutError when it takes longer (it is abandoned)."""
    outcome: queue.SimpleQueue[tuple[_T | None, Exception | None]] = queue.SimpleQueue()

    def work() -> None:
        try:
            outcome.put((call(), None))
        except Exception as error:  # noqa: BLE001 - handed to the caller's thread and raised there
            outcome.put((None, error))

    threading.Thread(target=work, daemon=True).start()
    try:
        result, error = outcome.get(timeout=seconds)
    except queue.Empty:
        raise TimeoutError from None
    if error is not None:
        raise error
    return result  # type: ignore[return-value]  # without an error it is what the call returned

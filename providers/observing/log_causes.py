"""Reads the logs that may explain why pods fail, each run of a container once.

What was found is remembered in this process, so that a pass over a cluster in which nothing changed
reads none. A log that cannot be read never costs a verdict, nor much time: a node may hang.
"""

import threading
import time
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from providers.contract.errors import ProviderError
from providers.contract.protocols import Deadline
from providers.engines.log_causes import LINES, LogCause, find_cause
from providers.kube.bounded import run_all
from providers.kube.client import KubeClient
from providers.kube.clock import seconds_left
from providers.observing.log_reading import LogAddress, read_raw
from providers.workload.log_lines import lines_of
from providers.workload.status import LogWish

# How many logs one verb reads at most, the size of each, and the time for all of them.
MOST_AT_ONCE = 16
LIMIT_BYTES = 256 * 1024
SECONDS = 1.5
# A run that goes on may yet say more; a log that could not be read may be read later.
AGAIN_SECONDS = 60.0
_MOST_REMEMBERED = 5_000


@dataclass(frozen=True, kw_only=True, slots=True)
class _Told:
    """What a log told; `was_read` False where nobody knows. Holds until `until`, monotonic."""

    cause: LogCause | None = None
    was_read: bool = True
    until: float = float("inf")


class _Memory:
    """What logs told, the oldest forgotten first; threads may share it."""

    def __init__(self) -> None:
        self._told: OrderedDict[tuple[str, LogWish], _Told] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, host: str, wish: LogWish) -> _Told | None:
        with self._lock:
            told = self._told.get((host, wish))
        return told if told and told.until > time.monotonic() else None

    def keep(self, host: str, wish: LogWish, told: _Told) -> None:
        with self._lock:
            self._told[host, wish] = told
            self._told.move_to_end((host, wish))
            while len(self._told) > _MOST_REMEMBERED:
                self._told.popitem(last=False)

    def forget(self) -> None:
        with self._lock:
            self._told.clear()


_memory = _Memory()


def forget_causes() -> None:
    """Forget what logs told: the next verdicts read them again."""
    _memory.forget()


def read_causes(
    client: KubeClient, wishes: Sequence[LogWish], *, deadline: Deadline
) -> Mapping[LogWish, LogCause | None]:
    """Return what each log tells, None for nothing; one that could not be read is left out."""
    known = {wish: _memory.get(client.host, wish) for wish in wishes}
    unknown = [wish for wish, told in known.items() if told is None][:MOST_AT_ONCE]
    soon = Deadline(at=min(deadline.at, time.monotonic() + SECONDS))
    if unknown and seconds_left(soon) > 0:
        calls = [partial(_read, client, wish, soon) for wish in unknown]
        for wish, told in zip(unknown, run_all(client.threads, calls), strict=True):
            _memory.keep(client.host, wish, told)
            known[wish] = told
    return {wish: told.cause for wish, told in known.items() if told and told.was_read}


def _read(client: KubeClient, wish: LogWish, deadline: Deadline) -> _Told:
    later = time.monotonic() + AGAIN_SECONDS
    try:
        logs = list(_logs(client, wish, deadline))
    except ProviderError:
        return _Told(was_read=False, until=later)
    cause = next((cause for log in logs if (cause := find_cause(log))), None)
    if cause is None and (not logs or not wish.ended):
        return _Told(was_read=bool(logs), until=later)
    return _Told(cause=cause)


def _logs(client: KubeClient, wish: LogWish, deadline: Deadline) -> Iterator[list[str]]:
    """Yield the end of this run's log and then of the one before, as far as they can be read."""
    for previous in (False, True)[: 1 + wish.has_previous]:
        address = LogAddress(
            namespace=wish.namespace,
            pod=wish.pod,
            container=wish.container,
            previous=previous,
            tail_lines=LINES,
            limit_bytes=LIMIT_BYTES,
        )
        raw = read_raw(client, address, deadline=deadline)
        if not raw.note:
            yield [line.text for line in lines_of(raw.body)]

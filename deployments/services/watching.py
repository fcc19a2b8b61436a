"""Follows all clusters in one process: a thread for each cluster and kind, begun anew when it ends.

Optional beside the passes. Two of them do no harm: whoever holds the lease follows, the other one
waits for it.
"""

import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field

import structlog
from django.db import DatabaseError, connection

from deployments.models import Cluster
from deployments.services.following import follow_cluster
from deployments.services.heartbeat import WATCHING, beat, end_beat
from deployments.services.leasing import LeaseLost
from deployments.services.tracing import traced
from providers import registry
from providers.contract.errors import ProviderError

log = structlog.get_logger(__name__)

# How often new clusters are looked for.
TURN_SECONDS = 5.0
# Between two attempts: twice as long after each failure in a row.
FIRST_SECONDS, MOST_SECONDS = 1.0, 30.0
# What a thread gets to let go of its lease.
STOP_SECONDS = 1.8
_POLL_SECONDS = 0.1

Place = tuple[int, str]
"""A cluster by its key, and a kind."""


@dataclass(kw_only=True)
class Watchers:
    """The threads of one process; `on_turn` is called with every turn, so that it can be seen."""

    on_turn: Callable[[], None]
    _stop: threading.Event = field(default_factory=threading.Event)
    _threads: dict[Place, threading.Thread] = field(default_factory=dict)

    def run(self, is_stopping: Callable[[], bool]) -> None:
        """Follow whatever is enabled until told to stop, and end within two seconds then."""
        while not is_stopping():
            self._turn()
            end = time.monotonic() + TURN_SECONDS
            while time.monotonic() < end and not is_stopping():
                time.sleep(_POLL_SECONDS)
        self._stop.set()
        end = time.monotonic() + STOP_SECONDS
        for thread in self._threads.values():
            thread.join(timeout=max(0.0, end - time.monotonic()))
        with suppress(DatabaseError):
            end_beat(WATCHING)

    def _turn(self) -> None:
        """Begin what is not followed yet; without a database the next turn does."""
        self.on_turn()
        try:
            beat(WATCHING)
            places = list(_places())
        except DatabaseError as error:
            log.warning("watch_without_database", error=str(error))
            connection.close()
            return
        for place in places:
            known = self._threads.get(place)
            if known is None or not known.is_alive():
                self._threads[place] = self._begin(place)

    def _begin(self, place: Place) -> threading.Thread:
        thread = threading.Thread(target=_keep_following, args=(place, self._stop), daemon=True)
        thread.start()
        return thread


def _places() -> Iterator[Place]:
    kinds = [one.kind for one in registry.providers().values() if one.capabilities.watches]
    for key in Cluster.objects.enabled().values_list("pk", flat=True):
        yield from ((key, kind) for kind in kinds)


def _keep_following(place: Place, stop: threading.Event) -> None:
    """Follow again and again, until told to stop or until the cluster is gone or disabled."""
    failures = 0
    while not stop.is_set():
        began = time.monotonic()
        try:
            with traced():
                if not _follow(place, stop):
                    return
            failures = 0
        except (ProviderError, LeaseLost, DatabaseError) as error:
            failures = failures + 1 if time.monotonic() - began < MOST_SECONDS else 1
            log.warning("watch_failed", cluster=place[0], kind=place[1], error=str(error))
        finally:
            connection.close()
        stop.wait(_pause(failures))


def _follow(place: Place, stop: threading.Event) -> bool:
    """Follow once; False when there is no such cluster any more."""
    key, kind = place
    cluster = Cluster.objects.enabled().filter(pk=key).first()
    if cluster is None:
        return False
    if not follow_cluster(cluster, kind, stop):
        stop.wait(TURN_SECONDS)
    return True


def _pause(failures: int) -> float:
    longest = min(MOST_SECONDS, FIRST_SECONDS * (1 << min(failures, 10)))
    return longest * random.uniform(0.8, 1)  # noqa: S311 - spreads load, guards nothing

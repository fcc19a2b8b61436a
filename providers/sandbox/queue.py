"""The work of all controllers in one queue by object and due time; an object waits there once.

Every change puts to work whoever it may concern: to look once too often does no harm. An object
that makes its controller fail is tried again later and holds up no other.
"""

import heapq
import logging
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta
from itertools import count

from providers.contract.manifest import Manifest
from providers.sandbox.admission import is_finished
from providers.sandbox.desk import COLLECTORS, Desk
from providers.sandbox.store import Change, Key, Store, is_ending, key_of, owners_of

logger = logging.getLogger(__name__)

PENALTY_SECONDS = 30.0
# Looks at one object; returns the seconds after which to look again, None for never.
Controller = Callable[[Manifest], float | None]


class WorkQueue:
    """Runs controllers, each of the kind by whose plural it is named, by the desk's clock."""

    def __init__(self, desk: Desk, controllers: Mapping[str, Controller]) -> None:
        self._desk, self._controllers = desk, controllers
        self._heap: list[tuple[datetime, int, Key]] = []
        self._due: dict[Key, datetime] = {}
        self._numbers = count()
        desk.store.listen(self._hear)

    def next_due(self) -> datetime | None:
        """Return when there is work next."""
        while self._heap and self._due.get(self._heap[0][2]) != self._heap[0][0]:
            heapq.heappop(self._heap)
        return self._heap[0][0] if self._heap else None

    def run_one(self) -> bool:
        """Do what is due first; return whether anything was due."""
        due = self.next_due()
        if due is None or due > self._desk.now():
            return False
        _, _, key = heapq.heappop(self._heap)
        del self._due[key]
        try:
            wait = self._reconcile(key)
        except Exception:  # one poisoned object must not stop the others
            logger.exception("the controllers fail at %s", key)
            wait = PENALTY_SECONDS
        if wait is not None:
            self._add(key, wait)
        return True

    def _hear(self, change: Change) -> None:
        for key in _concerned(self._desk.store, change):
            self._add(key, 0.0)

    def _add(self, key: Key, wait: float) -> None:
        due = self._desk.now() + timedelta(seconds=wait)
        if key not in self._due or due < self._due[key]:
            self._due[key] = due
            heapq.heappush(self._heap, (due, next(self._numbers), key))

    def _reconcile(self, key: Key) -> float | None:
        item = self._desk.store.at(key)
        if item is None:
            return None
        if is_ending(item) and item["metadata"].get("finalizers"):
            self._finish(item)
        elif not is_ending(item) and self._is_garbage(item):
            self._desk.delete(item)
        elif key.plural in self._controllers:
            return self._controllers[key.plural](item)
        return None

    def _is_garbage(self, item: Manifest) -> bool:
        """Tell whether its namespace ends, or all the owners that it names are gone."""
        space = self._desk.store.get("namespaces", item["metadata"].get("namespace", ""))
        is_orphan = owners_of(item) and not self._desk.store.owners_there(item)
        return bool((space and is_ending(space)) or is_orphan)

    def _finish(self, item: Manifest) -> None:
        """Let an object go that waits for others: what it owns, or what is in a namespace."""
        desk, metadata = self._desk, item["metadata"]
        left = [*desk.store.owned_by(metadata["uid"])]
        left += desk.store.inside(metadata["name"]) if item["kind"] == "Namespace" else []
        for each in left:
            if not is_ending(each):
                desk.delete(each, propagation="Foreground")
        if not left:
            theirs = [name for name in metadata["finalizers"] if name not in COLLECTORS]
            desk.write({**item, "metadata": metadata | {"finalizers": theirs}})


def _concerned(store: Store, change: Change) -> Iterator[Key]:
    key, item = change.key, change.new or change.old or {}
    yield key
    yield from map(key_of, store.owners_there(item))
    yield Key("namespaces", "", key.namespace)
    if change.new is None:
        yield from map(key_of, store.owned_by(item["metadata"]["uid"]))
    if key.plural == "pods":
        for plural in ("services", "resourcequotas"):
            yield from map(key_of, store.items(plural, key.namespace))
    if key.plural == "nodes" or (key.plural == "pods" and (not change.new or is_finished(item))):
        waiting = [pod for pod in store.items("pods") if not pod["spec"].get("nodeName")]
        waiting.sort(key=lambda pod: str(pod["metadata"]["creationTimestamp"]))
        yield from map(key_of, waiting)

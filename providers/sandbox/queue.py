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
from providers.sandbox.desk import FOREGROUND, Desk
from providers.sandbox.kinds import BY_NAME
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
        if due is None or due > self._desk.clock.now():
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
        due = self._desk.clock.now() + timedelta(seconds=wait)
        if key not in self._due or due < self._due[key]:
            self._due[key] = due
            heapq.heappush(self._heap, (due, next(self._numbers), key))

    def _reconcile(self, key: Key) -> float | None:
        item = self._desk.store.at(key)
        if item is None:
            return None
        if is_ending(item) and key.plural != "pods":
            self._finish(key, item)
        elif not is_ending(item) and self._is_garbage(key, item):
            self._desk.delete(key.plural, item)
        elif key.plural in self._controllers:
            return self._controllers[key.plural](item)
        return None

    def _is_garbage(self, key: Key, item: Manifest) -> bool:
        """Tell whether its namespace ends, or all the owners that it names are gone."""
        store = self._desk.store
        space, owners = store.get("namespaces", key.namespace), owners_of(item)
        if space and is_ending(space):
            return True
        found = [store.at(place) for place in owner_keys(key, item)]
        uids = {owner["metadata"]["uid"] for owner in found if owner}
        return bool(owners) and uids.isdisjoint(owners)

    def _finish(self, key: Key, item: Manifest) -> None:
        """Let an object go that ends: an empty namespace, or what waited for its dependents."""
        desk, store = self._desk, self._desk.store
        finalizers = item["metadata"].get("finalizers") or []
        if key.plural == "namespaces" and not store.keys_inside(key.name):
            store.remove(key.plural, item)
        elif FOREGROUND in finalizers:
            owned = store.keys_owned_by(item["metadata"]["uid"])
            for place in owned:
                found = store.at(place)
                if found and not is_ending(found):
                    desk.delete(place.plural, found, propagation="Foreground")
            if not owned:
                left = [name for name in finalizers if name != FOREGROUND]
                desk.write(
                    key.plural, {**item, "metadata": item["metadata"] | {"finalizers": left}}
                )


def owner_keys(key: Key, item: Manifest) -> Iterator[Key]:
    """Yield where the owners are that an object names."""
    for owner in item["metadata"].get("ownerReferences") or ():
        if owner["kind"] in BY_NAME:
            yield Key(BY_NAME[owner["kind"]].plural, key.namespace, owner["name"])


def _concerned(store: Store, change: Change) -> Iterator[Key]:
    key, item = change.key, change.new or change.old or {}
    yield key
    yield from owner_keys(key, item)
    yield Key("namespaces", "", key.namespace)
    if change.new is None:
        yield from store.keys_owned_by(item["metadata"]["uid"])
    if key.plural == "namespaces":
        yield from store.keys_inside(key.name)
    if key.plural == "pods":
        for plural in ("services", "resourcequotas"):
            yield from (key_of(plural, each) for each in store.items(plural, key.namespace))
    if key.plural == "nodes" or (key.plural == "pods" and (not change.new or is_finished(item))):
        waiting = [pod for pod in store.items("pods") if not pod["spec"].get("nodeName")]
        waiting.sort(key=lambda pod: str(pod["metadata"]["creationTimestamp"]))
        yield from (key_of("pods", pod) for pod in waiting)

"""The objects of the simulated cluster. What is stored never changes: who wants a change copies.

Knows names, versions and owners; it must not know what an object means. Listeners hear of every
change, in order.
"""

import bisect
import json
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from typing import NamedTuple

from providers.contract.manifest import Manifest


class Key(NamedTuple):
    """Names one object; the plural names its kind."""

    plural: str
    namespace: str
    name: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Change:
    """One object before and after; None where it was not there yet, or is no longer."""

    key: Key
    old: Manifest | None
    new: Manifest | None

    @property
    def object(self) -> Manifest:
        """Return the object as it was seen last."""
        return self.new or self.old or {}


class Store:
    """Objects by kind, in the order of namespace and name, with the index of who owns them."""

    def __init__(self) -> None:
        self.version = 1
        self._objects: dict[str, dict[tuple[str, str], Manifest]] = {}
        self._order: dict[str, list[tuple[str, str]]] = {}
        self._owned: dict[str, set[Key]] = {}
        self._listeners: list[Callable[[Change], None]] = []

    def listen(self, listener: Callable[[Change], None]) -> None:
        """Call the listener after every change."""
        self._listeners.append(listener)

    def get(self, plural: str, name: str, namespace: str = "") -> Manifest | None:
        """Return a stored object, which nobody may change."""
        return self._objects.get(plural, {}).get((namespace, name))

    def at(self, key: Key) -> Manifest | None:
        return self.get(key.plural, key.name, key.namespace)

    def items(self, plural: str, namespace: str = "") -> list[Manifest]:
        """Return the objects of a kind, of all namespaces or of one."""
        order, objects = self._order.get(plural, []), self._objects.get(plural, {})
        if not namespace:
            return [objects[place] for place in order]
        begin = bisect.bisect_left(order, (namespace, ""))
        end = bisect.bisect_left(order, (namespace + "\0", ""))
        return [objects[place] for place in order[begin:end]]

    def owned_by(self, uid: str) -> list[Manifest]:
        """Return the objects that name this owner."""
        found = (self.at(key) for key in sorted(self._owned.get(uid, ())))
        return [item for item in found if item is not None]

    def put(self, plural: str, item: Manifest) -> Manifest:
        """Store a copy under the next version and return it."""
        self.version += 1
        stored = deepcopy(item)
        stored["metadata"]["resourceVersion"] = str(self.version)
        key = key_of(plural, stored)
        old = self._place(key, stored)
        self._tell(Change(key=key, old=old, new=stored))
        return stored

    def remove(self, plural: str, item: Manifest) -> None:
        """Forget an object."""
        key = key_of(plural, item)
        place = (key.namespace, key.name)
        old = self._objects.get(plural, {}).pop(place, None)
        if old is None:
            return
        self.version += 1
        self._order[plural].remove(place)
        for uid in owners_of(old):
            self._owned.get(uid, set()).discard(key)
        self._tell(Change(key=key, old=old, new=None))

    def dump(self) -> str:
        """Return everything but events as text that `load` takes."""
        objects = {
            plural: list(found.values())
            for plural, found in self._objects.items()
            if plural != "events"
        }
        return json.dumps({"version": self.version, "objects": objects})

    def load(self, text: str) -> None:
        """Take in what was dumped, telling the listeners of every object."""
        read = json.loads(text)
        self.version = read["version"]
        for plural, items in read["objects"].items():
            for item in items:
                key = key_of(plural, item)
                self._place(key, item)
                self._tell(Change(key=key, old=None, new=item))

    def _place(self, key: Key, stored: Manifest) -> Manifest | None:
        objects = self._objects.setdefault(key.plural, {})
        place = (key.namespace, key.name)
        old = objects.get(place)
        if old is None:
            bisect.insort(self._order.setdefault(key.plural, []), place)
        for uid in owners_of(old or {}):
            self._owned.get(uid, set()).discard(key)
        for uid in owners_of(stored):
            self._owned.setdefault(uid, set()).add(key)
        objects[place] = stored
        return old

    def _tell(self, change: Change) -> None:
        for listener in self._listeners:
            listener(change)


def key_of(plural: str, item: Manifest) -> Key:
    metadata = item["metadata"]
    return Key(plural, metadata.get("namespace") or "", metadata["name"])


def owners_of(item: Manifest) -> list[str]:
    """Return the uids of an object's owners."""
    metadata = item.get("metadata") or {}
    return [owner["uid"] for owner in metadata.get("ownerReferences") or ()]


def controller_of(item: Manifest) -> str:
    """Return the uid of the owner that manages an object, empty where none does."""
    owners = item["metadata"].get("ownerReferences") or ()
    return next((str(owner["uid"]) for owner in owners if owner.get("controller")), "")


def is_ending(item: Manifest) -> bool:
    """Tell whether an object is being deleted."""
    return bool(item["metadata"].get("deletionTimestamp"))

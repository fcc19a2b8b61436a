"""The objects of the simulated cluster. What is stored never changes: who wants a change copies.

Knows names, versions and owners; it must not know what an object means. Listeners hear of every
change, in order.
"""

import json
from collections import defaultdict
from collections.abc import Callable
from copy import deepcopy
from typing import NamedTuple

from providers.contract.manifest import Manifest
from providers.sandbox.kinds import BY_NAME


class Key(NamedTuple):
    """Names one object; the plural names its kind."""

    plural: str
    namespace: str
    name: str


class Change(NamedTuple):
    """One object before and after; None where it was not there yet, or is no longer."""

    key: Key
    old: Manifest | None
    new: Manifest | None


class Store:
    """Objects by kind."""

    def __init__(self) -> None:
        self.version = 1
        self._objects: dict[str, dict[Key, Manifest]] = defaultdict(dict)
        self._by_uid: dict[str, Manifest] = {}
        self._listeners: list[Callable[[Change], None]] = []

    def listen(self, listener: Callable[[Change], None]) -> None:
        """Call the listener after every change."""
        self._listeners.append(listener)

    def get(self, plural: str, name: str, namespace: str = "") -> Manifest | None:
        """Return a stored object, which nobody may change."""
        return self.at(Key(plural, namespace, name))

    def at(self, key: Key) -> Manifest | None:
        return self._objects[key.plural].get(key)

    def owners_there(self, item: Manifest) -> list[Manifest]:
        """Return the owners that an object names, of those that are there."""
        return [self._by_uid[uid] for uid in owners_of(item) if uid in self._by_uid]

    def items(self, plural: str, namespace: str = "") -> list[Manifest]:
        """Return the objects of a kind in order, of all namespaces or of one."""
        found = self._objects[plural]
        return [found[key] for key in sorted(found) if namespace in {"", key.namespace}]

    def owned_by(self, uid: str) -> list[Manifest]:
        """Return the objects that name this owner."""
        kinds = [found for plural, found in self._objects.items() if plural != "events"]
        return [item for found in kinds for item in found.values() if uid in owners_of(item)]

    def inside(self, namespace: str) -> list[Manifest]:
        """Return the objects of a namespace."""
        every = self._by_uid.values()
        return [item for item in every if item["metadata"].get("namespace") == namespace]

    def put(self, item: Manifest) -> Manifest:
        """Store a copy under the next version and return it."""
        self.version += 1
        stored = deepcopy(item)
        stored["metadata"]["resourceVersion"] = str(self.version)
        self._place(key_of(stored), stored)
        return stored

    def remove(self, item: Manifest) -> None:
        """Forget an object."""
        self.version += 1
        self._place(key_of(item), None)

    def dump(self) -> str:
        """Return everything but events as text that `load` takes."""
        kept = [item for item in self._by_uid.values() if item["kind"] != "Event"]
        return json.dumps({"version": self.version, "objects": kept})

    def load(self, text: str) -> None:
        """Take in what was dumped, telling the listeners of every object."""
        read = json.loads(text)
        for item in read["objects"]:
            self._place(key_of(item), item)
        self.version = read["version"]

    def _place(self, key: Key, new: Manifest | None) -> None:
        old = self._objects[key.plural].pop(key, None)
        if old is not None:
            del self._by_uid[old["metadata"]["uid"]]
        if new is not None:
            self._objects[key.plural][key] = self._by_uid[new["metadata"]["uid"]] = new
        for listener in self._listeners:
            listener(Change(key, old, new))


def key_of(item: Manifest) -> Key:
    metadata = item["metadata"]
    return Key(BY_NAME[item["kind"]].plural, metadata.get("namespace") or "", metadata["name"])


def owners_of(item: Manifest) -> list[str]:
    """Return the uids of an object's owners."""
    return [owner["uid"] for owner in item["metadata"].get("ownerReferences") or ()]


def is_ending(item: Manifest) -> bool:
    """Tell whether an object is being deleted."""
    return bool(item["metadata"].get("deletionTimestamp"))

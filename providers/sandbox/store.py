"""The objects of the simulated cluster. What is stored never changes: who wants a change copies.

Knows names, versions and owners; it must not know what an object means. Listeners hear of every
change, in order.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Iterator
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
        self._listeners: list[Callable[[Change], None]] = []

    def listen(self, listener: Callable[[Change], None]) -> None:
        """Call the listener after every change."""
        self._listeners.append(listener)

    def get(self, plural: str, name: str, namespace: str = "") -> Manifest | None:
        """Return a stored object, which nobody may change."""
        return self.at(Key(plural, namespace, name))

    def at(self, key: Key) -> Manifest | None:
        return self._objects[key.plural].get(key)

    def items(self, plural: str, namespace: str = "") -> list[Manifest]:
        """Return the objects of a kind in order, of all namespaces or of one."""
        found = self._objects[plural]
        keys = sorted(key for key in found if namespace in {"", key.namespace})
        return [found[key] for key in keys]

    def owned_by(self, uid: str) -> list[Manifest]:
        """Return the objects that name this owner."""
        kinds = [found for plural, found in self._objects.items() if plural != "events"]
        return [item for found in kinds for item in found.values() if uid in owners_of(item)]

    def inside(self, namespace: str) -> list[Manifest]:
        """Return the objects of a namespace."""
        kinds = self._objects.values()
        return [found[key] for found in kinds for key in found if key.namespace == namespace]

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
        kinds = [plural for plural in self._objects if plural != "events"]
        kept = [item for plural in kinds for item in self.items(plural)]
        return json.dumps({"version": self.version, "objects": kept})

    def load(self, text: str) -> None:
        """Take in what was dumped, telling the listeners of every object."""
        read = json.loads(text)
        for item in read["objects"]:
            self._place(key_of(item), item)
        self.version = read["version"]

    def _place(self, key: Key, new: Manifest | None) -> None:
        old = self._objects[key.plural].pop(key, None)
        if new is not None:
            self._objects[key.plural][key] = new
        for listener in self._listeners:
            listener(Change(key, old, new))


def key_of(item: Manifest) -> Key:
    metadata = item["metadata"]
    return Key(BY_NAME[item["kind"]].plural, metadata.get("namespace") or "", metadata["name"])


def owner_keys(item: Manifest) -> Iterator[Key]:
    """Yield where the owners are that an object names."""
    metadata = item["metadata"]
    for owner in metadata.get("ownerReferences") or ():
        if owner["kind"] in BY_NAME:
            yield Key(BY_NAME[owner["kind"]].plural, metadata["namespace"], owner["name"])


def owners_of(item: Manifest) -> list[str]:
    """Return the uids of an object's owners."""
    return [owner["uid"] for owner in item["metadata"].get("ownerReferences") or ()]


def is_ending(item: Manifest) -> bool:
    """Tell whether an object is being deleted."""
    return bool(item["metadata"].get("deletionTimestamp"))

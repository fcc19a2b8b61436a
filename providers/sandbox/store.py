"""The objects of the simulated cluster. What is stored never changes: who wants a change copies.

Knows names, versions and owners; it must not know what an object means. Listeners hear of every
change, in order.
"""

import json
from collections import defaultdict
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
        keys = sorted(key for key in found if not namespace or key.namespace == namespace)
        return [found[key] for key in keys]

    def keys_owned_by(self, uid: str) -> list[Key]:
        """Return where the objects are that name this owner."""
        kinds = [found for plural, found in self._objects.items() if plural != "events"]
        return [key for found in kinds for key in found if uid in owners_of(found[key])]

    def keys_inside(self, namespace: str) -> list[Key]:
        """Return where the objects of a namespace are."""
        every = self._objects.values()
        return [key for found in every for key in found if key.namespace == namespace]

    def put(self, plural: str, item: Manifest) -> Manifest:
        """Store a copy under the next version and return it."""
        self.version += 1
        stored = deepcopy(item)
        stored["metadata"]["resourceVersion"] = str(self.version)
        self._place(key_of(plural, stored), stored)
        return stored

    def remove(self, plural: str, item: Manifest) -> None:
        """Forget an object."""
        self.version += 1
        self._place(key_of(plural, item), None)

    def dump(self) -> str:
        """Return everything but events as text that `load` takes."""
        every = ((plural, item) for plural in self._objects for item in self.items(plural))
        kept = [[plural, item] for plural, item in every if plural != "events"]
        return json.dumps({"version": self.version, "objects": kept})

    def load(self, text: str) -> None:
        """Take in what was dumped, telling the listeners of every object."""
        read = json.loads(text)
        for plural, item in read["objects"]:
            self._place(key_of(plural, item), item)
        self.version = read["version"]

    def _place(self, key: Key, new: Manifest | None) -> None:
        old = self._objects[key.plural].pop(key, None)
        if new is not None:
            self._objects[key.plural][key] = new
        if old is not new:
            for listener in self._listeners:
                listener(Change(key=key, old=old, new=new))


def key_of(plural: str, item: Manifest) -> Key:
    metadata = item["metadata"]
    return Key(plural, metadata.get("namespace") or "", metadata["name"])


def owners_of(item: Manifest) -> list[str]:
    """Return the uids of an object's owners."""
    return [owner["uid"] for owner in item["metadata"].get("ownerReferences") or ()]


def is_ending(item: Manifest) -> bool:
    """Tell whether an object is being deleted."""
    return bool(item["metadata"].get("deletionTimestamp"))

"""Every write of the simulated cluster, from requests and controllers alike.

Names, versions, generations, defaults, admission, finalizers: what holds for each object. It must
not know requests, nor what the controllers are after.
"""

import random
import uuid
from collections.abc import Mapping
from copy import deepcopy
from datetime import datetime, timedelta
from typing import Protocol

from providers.contract.manifest import Manifest
from providers.sandbox.admission import admit, check, is_finished
from providers.sandbox.kinds import BY_PLURAL, Kind, fill_in
from providers.sandbox.messages import Refused, not_found
from providers.sandbox.ownership import apply
from providers.sandbox.store import Store, is_ending, key_of
from providers.simulation.pod_life.conditions import timestamp
from providers.simulation.simulate import UNSCHEDULABLE_ACCELERATORS, Simulation, Word, read_words

FOREGROUND = "foregroundDeletion"
LETTERS = "bcdfghjklmnpqrstvwxz2456789"


class Clock(Protocol):
    """Tells the time, always with a zone."""

    def now(self) -> datetime:
        """Return the time."""


class Desk:
    """Writes into a store. The same seed gives the same names and uids."""

    def __init__(self, clock: Clock, seed: int | None) -> None:
        self.store, self.clock = Store(), clock
        self.chance = random.Random(seed)  # noqa: S311 - names, no secrets

    @property
    def time(self) -> str:
        """Return the time as objects bear it."""
        return timestamp(self.clock.now())

    def create(self, plural: str, body: Manifest, *, dry: bool = False) -> Manifest:
        """Create an object; raises Refused."""
        kind, item = BY_PLURAL[plural], deepcopy(body)
        if self.store.at(key_of(plural, item)):
            name = item["metadata"]["name"]
            told = f'{kind.qualified} "{name}" already exists'
            raise Refused(409, "AlreadyExists", told, kind.named(name))
        self._introduce(kind, item)
        return item if dry else self.store.put(plural, item)

    def apply(
        self, plural: str, config: Manifest, *, manager: str, force: bool, dry: bool
    ) -> tuple[Manifest, bool]:
        """Apply a configuration; returns the object and whether it is new; raises Refused."""
        kind, live = BY_PLURAL[plural], self.store.at(key_of(plural, config))
        item = apply(live, config, self.entry(kind, manager, "Apply"), force=force)
        if live is None:
            self._introduce(kind, item)
            return item if dry else self.store.put(plural, item), True
        fill_in(item, kind.defaults)
        check(kind, item, live)
        return item if dry else self.write(plural, item), False

    def entry(self, kind: Kind, manager: str, operation: str) -> Manifest:
        """Return what managedFields say of a writer now, but for the fields."""
        return {
            "manager": manager,
            "operation": operation,
            "apiVersion": kind.api_version,
            "time": self.time,
        }

    def write(self, plural: str, item: Manifest) -> Manifest:
        """Store a change, unless there is none; an object that was to end and may goes.

        Raises Refused when the object is gone or is another one by now.
        """
        kind, live, metadata = (
            BY_PLURAL[plural],
            self.store.at(key_of(plural, item)),
            item["metadata"],
        )
        if live is None or live["metadata"]["uid"] != metadata["uid"]:
            raise not_found(kind, metadata["name"])
        if item == live:
            return live
        if kind.generation and item["spec"] != live["spec"]:
            number = live["metadata"]["generation"] + 1
            item = {**item, "metadata": metadata | {"generation": number}}
        waits = plural == "pods" and metadata.get("deletionGracePeriodSeconds")
        if is_ending(item) and not (waits or metadata.get("finalizers") or plural == "namespaces"):
            self.store.remove(plural, item)
            return item
        return self.store.put(plural, item)

    def set_status(self, plural: str, item: Manifest, status: Manifest) -> Manifest:
        """Store a status, unless it is what stands there."""
        return self.write(plural, {**item, "status": status})

    def delete(
        self, plural: str, item: Manifest, *, propagation: str = "Background"
    ) -> Manifest | None:
        """Delete an object, or mark it when something has to happen first; returns what stays."""
        metadata = dict(item["metadata"])
        finalizers = metadata.get("finalizers") or []
        if propagation == "Foreground" and plural != "pods" and FOREGROUND not in finalizers:
            metadata["finalizers"] = [*finalizers, FOREGROUND]
        if not is_ending(item):
            wait = _grace_of(item) if plural == "pods" else 0
            metadata["deletionTimestamp"] = timestamp(self.clock.now() + timedelta(seconds=wait))
            metadata["deletionGracePeriodSeconds"] = wait
        ending = {**item, "metadata": metadata}
        if plural == "namespaces":
            ending["status"] = {"phase": "Terminating"}
        self.write(plural, ending)
        return self.store.at(key_of(plural, item))

    def words_of(self, pod: Manifest) -> tuple[Mapping[str, Simulation], Mapping[str, str]]:
        """Return the simulation of each container of a pod, and mistakes in their words."""
        found = self.store.get("namespaces", pod["metadata"]["namespace"]) or {"metadata": {}}
        return read_words(pod, found["metadata"].get("annotations") or {})

    def _introduce(self, kind: Kind, item: Manifest) -> None:
        metadata = item["metadata"]
        item |= {"apiVersion": kind.api_version, "kind": kind.name}
        metadata["uid"] = str(uuid.UUID(int=self.chance.getrandbits(128), version=4))
        metadata["creationTimestamp"] = self.time
        if kind.generation:
            metadata["generation"] = 1
        if kind.plural == "pods":
            self._make_unschedulable(item)
        fill_in(item, kind.defaults)
        check(kind, item, None)
        admit(self.store, kind, item)

    def _make_unschedulable(self, pod: Manifest) -> None:
        """Let a pod with that word ask for more than any node has: no kubelet will see it."""
        words, _ = self.words_of(pod)
        if any(each.word is Word.UNSCHEDULABLE for each in words.values()):
            amount = {"nvidia.com/gpu": str(UNSCHEDULABLE_ACCELERATORS)}
            pod["spec"]["containers"][0]["resources"] = {"limits": amount, "requests": amount}


def _grace_of(pod: Manifest) -> int:
    is_bound = pod["spec"].get("nodeName") and not is_finished(pod)
    return int(pod["spec"]["terminationGracePeriodSeconds"]) if is_bound else 0

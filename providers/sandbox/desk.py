"""Every write of the simulated cluster, from requests and controllers alike.

Names, versions, generations, defaults, admission, finalizers: what holds for each object. It must
not know requests, nor what the controllers are after.
"""

import random
import uuid
from collections.abc import Callable, Mapping
from copy import deepcopy
from datetime import datetime, timedelta

from providers.contract.manifest import Manifest
from providers.sandbox.admission import admit, is_finished, validate
from providers.sandbox.kinds import BY_NAME, fill_in
from providers.sandbox.messages import Refused, not_found
from providers.sandbox.ownership import apply, merged, update
from providers.sandbox.store import Store, is_ending, key_of
from providers.simulation.pod_life.conditions import timestamp
from providers.simulation.simulate import Simulation, read_words

LETTERS = "bcdfghjklmnpqrstvwxz2456789"  # so that no word comes out of a name
# Finalizers of the collector: a deletion in the foreground waits for what an object owns, that of a
# namespace for what is in it, that of a pod for its kubelet alone.
COLLECTORS = ("foregroundDeletion", "kubernetes")
_WAITS_FOR = {"Namespace": "kubernetes", "Pod": ""}


class Desk:
    """Writes into a store. `now` tells the time; the same seed gives the same names and uids."""

    def __init__(self, now: Callable[[], datetime], seed: int | None) -> None:
        self.store, self.now = Store(), now
        self.chance = random.Random(seed)  # noqa: S311 - names, no secrets

    @property
    def time(self) -> str:
        """Return the time as objects bear it."""
        return timestamp(self.now())

    def create(self, body: Manifest, *, dry: bool = False) -> Manifest:
        """Create an object; raises Refused."""
        if self.store.at(key_of(body)):
            raise Refused(409, "AlreadyExists", f"{body['metadata']['name']} already exists")
        return self._introduce(deepcopy(body), dry=dry)

    def apply(self, config: Manifest, *, manager: str, force: bool, dry: bool) -> Manifest:
        """Apply a configuration, whether its object is there or not; raises Refused."""
        live = self.store.at(key_of(config))
        entry = self.entry_of(manager, "Apply", config["apiVersion"])
        item = apply(live, config, entry, force=force)
        if live is None:
            return self._introduce(item, dry=dry)
        self._complete(item)
        return item if dry else self.write(item)

    def merge(self, live: Manifest, patch: Manifest, *, manager: str, dry: bool) -> Manifest:
        """Lay a merge patch over an object, whoever holds what it changes; raises Refused."""
        wanted = patch.get("metadata", {}).get("resourceVersion")
        if wanted not in {None, live["metadata"]["resourceVersion"]}:
            raise Refused(409, "Conflict", f"{live['metadata']['name']} has been modified")
        item = merged(live, patch)
        self._complete(item)
        item = update(live, item, self.entry_of(manager, "Update", live["apiVersion"]))
        return item if dry else self.write(item)

    def keep(self, body: Manifest) -> Manifest:
        """Create an object, or bring the one of its name to what a body says beside metadata."""
        live = self.store.at(key_of(body))
        if live is None:
            return self.create(body)
        return self.write({**live, **body, "metadata": live["metadata"]})

    def write(self, item: Manifest) -> Manifest:
        """Store a change, unless there is none; an object that was to end and may goes.

        Raises Refused when the object is gone or is another one by now.
        """
        kind, metadata, live = BY_NAME[item["kind"]], item["metadata"], self.store.at(key_of(item))
        if live is None or live["metadata"]["uid"] != metadata["uid"]:
            raise not_found(kind, metadata["name"])
        if item == live:
            return live
        if kind.generation and item["spec"] != live["spec"]:
            number = live["metadata"]["generation"] + 1
            item = {**item, "metadata": metadata | {"generation": number}}
        waits = kind.name == "Pod" and metadata.get("deletionGracePeriodSeconds")
        if is_ending(item) and not (waits or metadata.get("finalizers")):
            self.store.remove(item)
            return item
        return self.store.put(item)

    def delete(self, item: Manifest, *, propagation: str = "Background") -> Manifest | None:
        """Delete an object, or mark it when something has to happen first; returns what stays."""
        metadata = dict(item["metadata"])
        of_owned = COLLECTORS[0] if propagation == "Foreground" else ""
        waits_for = _WAITS_FOR.get(item["kind"], of_owned)
        metadata["finalizers"] = sorted({*metadata.get("finalizers", ()), waits_for} - {""})
        if not is_ending(item):
            wait = _grace_of(item) if item["kind"] == "Pod" else 0
            metadata["deletionTimestamp"] = timestamp(self.now() + timedelta(seconds=wait))
            metadata["deletionGracePeriodSeconds"] = wait
        phase = {"status": {"phase": "Terminating"}} if item["kind"] == "Namespace" else {}
        self.write({**item, "metadata": metadata, **phase})
        return self.store.at(key_of(item))

    def entry_of(self, manager: str, operation: str, api_version: str) -> Manifest:
        """Return what managedFields say of who writes now, but for the fields."""
        named = {"manager": manager, "operation": operation, "apiVersion": api_version}
        return {**named, "time": self.time, "fieldsType": "FieldsV1"}

    def condition(self, item: Manifest, kind: str, status: str, why: tuple[str, str]) -> Manifest:
        """Return a condition as it follows on what the object has; `why` is reason and message."""
        old = condition_of(item, kind)
        turned = self.time if old.get("status") != status else old["lastTransitionTime"]
        told = {"type": kind, "status": status, "reason": why[0], "message": why[1]}
        return {**told, "lastTransitionTime": turned}

    def words_of(self, pod: Manifest) -> tuple[Mapping[str, Simulation], Mapping[str, str]]:
        """Return the simulation of each container of a pod, and mistakes in their words."""
        found = self.store.get("namespaces", pod["metadata"]["namespace"]) or {"metadata": {}}
        return read_words(pod, found["metadata"].get("annotations") or {})

    def _introduce(self, item: Manifest, *, dry: bool) -> Manifest:
        kind, metadata = BY_NAME[item["kind"]], item["metadata"]
        item["apiVersion"] = kind.api_version
        metadata["uid"] = str(uuid.UUID(int=self.chance.getrandbits(128), version=4))
        metadata["creationTimestamp"] = self.time
        if kind.generation:
            metadata["generation"] = 1
        self._complete(item)
        admit(self.store, kind, item)
        return item if dry else self.store.put(item)

    def _complete(self, item: Manifest) -> None:
        """Fill in, in place, what an object leaves out; raises Refused where it fits no longer."""
        kind = BY_NAME[item["kind"]]
        fill_in(item, kind.defaults)
        validate(kind, item)
        if item["kind"] == "Service":
            spec, pick = item["spec"], self.chance.randrange
            spec.setdefault("clusterIP", f"10.96.{pick(256)}.{pick(1, 255)}")
            for port in spec["ports"] if spec["type"] != "ClusterIP" else ():
                port.setdefault("nodePort", pick(30000, 32768))


def condition_of(item: Manifest, kind: str) -> Manifest:
    """Return a condition, empty where there is none."""
    conditions = item["status"].get("conditions") or ()
    return next((entry for entry in conditions if entry["type"] == kind), {})


def _grace_of(pod: Manifest) -> int:
    is_bound = pod["spec"].get("nodeName") and not is_finished(pod)
    return int(pod["spec"]["terminationGracePeriodSeconds"]) if is_bound else 0

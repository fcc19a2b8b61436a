"""Every write of the simulated cluster, from requests and controllers alike.

Names, versions, generations, defaults, admission, finalizers: what holds for each object. It must
not know requests, nor what the controllers are after.
"""

import random
import uuid
from copy import deepcopy
from dataclasses import dataclass

from providers.contract.manifest import Manifest
from providers.sandbox import quotas
from providers.sandbox.answers import (
    already_exists,
    forbidden,
    modified,
    not_found,
)
from providers.sandbox.apply import applied
from providers.sandbox.clock import Clock, seconds
from providers.sandbox.defaults import fill_in
from providers.sandbox.kinds import BY_PLURAL, Kind
from providers.sandbox.managers import Holder, note_update
from providers.sandbox.shapes import shape_of_kind
from providers.sandbox.simulated import make_unschedulable
from providers.sandbox.store import Store, is_ending
from providers.sandbox.validation import validate
from providers.simulation.pod_life.conditions import timestamp

FOREGROUND = "foregroundDeletion"
CONTROLLERS = "kube-controller-manager"
_LETTERS = "bcdfghjklmnpqrstvwxz2456789"
_EXPOSED = frozenset({"NodePort", "LoadBalancer"})


@dataclass(frozen=True, kw_only=True, slots=True)
class Written:
    """An object after a write."""

    item: Manifest
    created: bool = False


class Desk:
    """Writes into a store. `chance` gives names, uids and addresses."""

    def __init__(self, store: Store, clock: Clock, chance: random.Random) -> None:
        self.store, self.clock, self.chance = store, clock, chance

    def name_after(self, base: str) -> str:
        """Return a new name that begins with the base."""
        return base + "".join(self.chance.choices(_LETTERS, k=5))

    def holder(self, kind: Kind, manager: str, operation: str, subresource: str = "") -> Holder:
        return Holder(
            manager=manager,
            operation=operation,
            api_version=kind.api_version,
            fields=frozenset(),
            subresource=subresource,
            time=timestamp(self.clock.now()),
        )

    def create(
        self, kind: Kind, body: Manifest, *, manager: str = CONTROLLERS, dry: bool = False
    ) -> Manifest:
        """Create an object; raises Refused."""
        item = deepcopy(body)
        metadata = item["metadata"]
        if self.store.get(kind.plural, metadata["name"], metadata.get("namespace") or ""):
            raise already_exists(kind, metadata["name"])
        self._complete(kind, item)
        note_update(None, item, shape_of_kind(kind.name), self.holder(kind, manager, "Update"))
        return self._commit(kind, None, item, dry=dry)

    def apply(
        self, kind: Kind, config: Manifest, *, manager: str, force: bool, dry: bool
    ) -> Written:
        """Apply a configuration; raises Refused with conflicts, faults or what is missing."""
        metadata = config["metadata"]
        namespace = metadata.get("namespace") or ""
        live = self.store.get(kind.plural, metadata["name"], namespace)
        self._check_version(kind, live, metadata)
        who = self.holder(kind, manager, "Apply")
        item = applied(live, config, shape_of_kind(kind.name), who, force=force)
        self._complete(kind, item, live)
        if live and item == live:
            return Written(item=live)
        return Written(item=self._commit(kind, live, item, dry=dry), created=live is None)

    def update(
        self,
        kind: Kind,
        item: Manifest,
        *,
        manager: str = CONTROLLERS,
        subresource: str = "",
        dry: bool = False,
    ) -> Manifest:
        """Replace an object by a changed copy of it, noting who holds what now."""
        live = self._live(kind, item)
        self._complete(kind, item, live)
        who = self.holder(kind, manager, "Update", subresource)
        note_update(live, item, shape_of_kind(kind.name), who)
        return live if item == live else self._commit(kind, live, item, dry=dry)

    def write(self, plural: str, item: Manifest) -> Manifest:
        """Store a controller's change, unless there is none; an ended object goes."""
        kind = BY_PLURAL[plural]
        live = self._live(kind, item)
        return live if item == live else self._commit(kind, live, item, dry=False)

    def set_status(self, plural: str, item: Manifest, status: Manifest) -> Manifest:
        """Store a status, unless it is what stands there."""
        if item.get("status") == status:
            return item
        return self.write(plural, {**item, "status": status})

    def delete(
        self, plural: str, item: Manifest, *, propagation: str = "Background", grace: int = -1
    ) -> Manifest | None:
        """Delete an object, or mark it when something has to happen first; returns what stays."""
        if propagation == "Orphan":
            self._let_go(item)
        finalizers = list(item["metadata"].get("finalizers") or ())
        if propagation == "Foreground" and plural != "pods" and FOREGROUND not in finalizers:
            finalizers.append(FOREGROUND)
        wait = self._grace_of(item, grace) if plural == "pods" else 0
        if plural == "namespaces" and not is_ending(item):
            item = {**item, "status": {"phase": "Terminating"}}
        elif not finalizers and not wait and plural != "namespaces":
            self.store.remove(plural, item)
            return None
        return self.write(plural, self._marked(item, finalizers, wait))

    def drop_finalizer(self, plural: str, item: Manifest, finalizer: str) -> None:
        """Take a finalizer away; an object that has none left goes."""
        left = [name for name in item["metadata"].get("finalizers") or () if name != finalizer]
        self.write(plural, {**item, "metadata": {**item["metadata"], "finalizers": left}})

    def _marked(self, item: Manifest, finalizers: list[str], wait: int) -> Manifest:
        metadata = dict(item["metadata"])
        if not metadata.get("deletionTimestamp"):
            metadata["deletionTimestamp"] = timestamp(self.clock.now() + seconds(wait))
            metadata["deletionGracePeriodSeconds"] = wait
            if "generation" in metadata:
                metadata["generation"] += 1
        if finalizers:
            metadata["finalizers"] = finalizers
        return {**item, "metadata": metadata}

    def _grace_of(self, pod: Manifest, asked: int) -> int:
        if not pod["spec"].get("nodeName") or quotas.is_finished(pod):
            return 0
        usual = pod["spec"].get("terminationGracePeriodSeconds", 30)
        return asked if asked >= 0 else int(usual)

    def _let_go(self, owner: Manifest) -> None:
        uid = owner["metadata"]["uid"]
        for item in self.store.owned_by(uid):
            plural = next(k.plural for k in BY_PLURAL.values() if k.name == item["kind"])
            metadata = item["metadata"]
            left = [entry for entry in metadata["ownerReferences"] if entry["uid"] != uid]
            self.write(plural, {**item, "metadata": {**metadata, "ownerReferences": left}})

    def _live(self, kind: Kind, item: Manifest) -> Manifest:
        metadata = item["metadata"]
        live = self.store.get(kind.plural, metadata["name"], metadata.get("namespace") or "")
        if live is None or live["metadata"]["uid"] != metadata["uid"]:
            raise not_found(kind, metadata["name"])
        return live

    def _check_version(self, kind: Kind, live: Manifest | None, metadata: Manifest) -> None:
        wanted = metadata.get("resourceVersion")
        if wanted and (live is None or live["metadata"]["resourceVersion"] != wanted):
            raise modified(kind, metadata["name"])

    def _complete(self, kind: Kind, item: Manifest, live: Manifest | None = None) -> None:
        item["apiVersion"], item["kind"] = kind.api_version, kind.name
        if live is None:
            self._introduce(kind, item)
            if kind.plural == "pods":
                place = self.store.get("namespaces", item["metadata"].get("namespace") or "")
                annotations = ((place or {}).get("metadata") or {}).get("annotations") or {}
                make_unschedulable(item, annotations)
        else:
            kept = ("uid", "resourceVersion", "generation", "creationTimestamp")
            old = live["metadata"]
            item["metadata"] |= {name: old[name] for name in kept if name in old}
            item["status"] = live.get("status") or item.get("status")
        fill_in(kind.plural, item)
        if kind.plural == "services":
            self._give_addresses(item["spec"])
        validate(kind, item, live)
        if live is None and kind.namespaced:
            self._admit(kind, item)

    def _introduce(self, kind: Kind, item: Manifest) -> None:
        metadata = item["metadata"]
        metadata["uid"] = str(uuid.UUID(int=self.chance.getrandbits(128), version=4))
        metadata["creationTimestamp"] = timestamp(self.clock.now())
        if kind.counts_changes:
            metadata["generation"] = 1
        for name in ("resourceVersion", "deletionTimestamp"):
            metadata.pop(name, None)

    def _admit(self, kind: Kind, item: Manifest) -> None:
        name, namespace = item["metadata"]["name"], item["metadata"]["namespace"]
        found = self.store.get("namespaces", namespace)
        if found is None:
            raise not_found(BY_PLURAL["namespaces"], namespace)
        if is_ending(found) and kind.plural != "events":
            why = f"unable to create new content in namespace {namespace}"
            raise forbidden(kind, name, f"{why} because it is being terminated")
        if kind.plural == "pods":
            account = item["spec"]["serviceAccountName"]
            if not self.store.get("serviceaccounts", account, namespace):
                why = f'serviceaccount "{account}" not found'
                told = f"error looking up service account {namespace}/{account}: {why}"
                raise forbidden(kind, name, told)
        quotas.admit(self.store, kind, item)

    def _give_addresses(self, spec: Manifest) -> None:
        if not spec.get("clusterIP"):
            pick = self.chance.randrange
            spec["clusterIP"] = f"10.96.{pick(256)}.{pick(1, 255)}"
        spec.setdefault("clusterIPs", [spec["clusterIP"]])
        for port in spec.get("ports") or ():
            if spec["type"] in _EXPOSED and not port.get("nodePort"):
                port["nodePort"] = self.chance.randrange(30000, 32768)

    def _commit(self, kind: Kind, old: Manifest | None, new: Manifest, *, dry: bool) -> Manifest:
        metadata = new["metadata"]
        if old and kind.counts_changes and old.get("spec") != new.get("spec"):
            new["metadata"] = {**metadata, "generation": metadata.get("generation", 0) + 1}
        if dry:
            return new
        if is_ending(new) and not self._is_held(kind, new):
            self.store.remove(kind.plural, new)
            return new
        return self.store.put(kind.plural, new)

    def _is_held(self, kind: Kind, item: Manifest) -> bool:
        if kind.plural == "namespaces":
            return bool(item["spec"].get("finalizers"))
        waits = kind.plural == "pods" and item["metadata"].get("deletionGracePeriodSeconds")
        return bool(item["metadata"].get("finalizers") or waits)

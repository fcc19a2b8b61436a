"""The cluster of the in-memory provider: what exists, who is ready, and which calls fail.

One per target key, kept for the life of the process; tests reach it by `cluster_of(key)` and
forget all with `forget_clusters()`.
"""

import threading
import uuid
from dataclasses import dataclass, field
from datetime import UTC, datetime

from providers.contract.capacity import AcceleratorCapacity
from providers.contract.errors import ProviderError
from providers.contract.manifest import Manifest, ObjectKey, key_of
from providers.contract.observing import EventLine, LogLine, Metrics
from providers.contract.pods import PodLine
from providers.contract.starts import PodStart


@dataclass(kw_only=True, slots=True)
class StoredObject:
    """One object with its uid; `held_by` are finalizers that keep it when it is deleted."""

    manifest: Manifest
    uid: str
    created_at: datetime
    held_by: tuple[str, ...] = ()
    deleting: bool = False


@dataclass(kw_only=True)
class MemoryCluster:
    """One simulated runtime. `faults` maps a verb to what it raises; `refusals` a kind at apply.

    `ready` pins the ready replicas of a runtime name; unpinned ones are ready at once. `starts` and
    `pods` are what is seen of its pods. `told` are the events of its life, `unreadable` maps kinds
    to why nobody may look at them. `printed` has the lines of replicas that print other than the
    usual, `unprinted` why others have no log. `measured` has what is read of one runtime name's
    load, where that is not the usual.
    """

    namespaces: set[str] = field(default_factory=lambda: {"models"})
    objects: dict[ObjectKey, StoredObject] = field(default_factory=dict)
    faults: dict[str, ProviderError] = field(default_factory=dict)
    refusals: dict[str, ProviderError] = field(default_factory=dict)
    ready: dict[str, int] = field(default_factory=dict)
    starts: dict[str, tuple[PodStart, ...]] = field(default_factory=dict)
    pods: dict[str, tuple[PodLine, ...]] = field(default_factory=dict)
    accelerators: tuple[AcceleratorCapacity, ...] = ()
    told: list[EventLine] = field(default_factory=list)
    unreadable: dict[str, str] = field(default_factory=dict)
    printed: dict[str, list[LogLine]] = field(default_factory=dict)
    unprinted: dict[str, str] = field(default_factory=dict)
    measured: dict[str, Metrics] = field(default_factory=dict)
    calls: list[str] = field(default_factory=list)
    clock: datetime | None = None
    lock: threading.RLock = field(default_factory=threading.RLock)

    def enter(self, verb: str) -> None:
        """Note a call and raise the fault that a test has set for it, or for every verb (`*`)."""
        with self.lock:
            self.calls.append(verb)
        fault = self.faults.get(verb) or self.faults.get("*")
        if fault:
            raise fault

    def now(self) -> datetime:
        """Return the time by this cluster's clock."""
        return self.clock or datetime.now(UTC)

    def apply(self, manifest: Manifest) -> StoredObject:
        """Store an object or bring the stored one to this body; the uid stays."""
        refusal = self.refusals.get(manifest["kind"])
        if refusal:
            raise refusal
        with self.lock:
            stored = self.objects.get(key_of(manifest))
            if stored is None:
                stored = StoredObject(
                    manifest=manifest, uid=str(uuid.uuid4()), created_at=self.now()
                )
                self.objects[key_of(manifest)] = stored
            stored.manifest = manifest
            return stored

    def remove(self, key: ObjectKey) -> None:
        """Delete an object, or mark it when a finalizer holds it; deleting nothing is fine."""
        with self.lock:
            stored = self.objects.get(key)
            if stored is None:
                return
            stored.deleting = True
            if not stored.held_by:
                del self.objects[key]


_CLUSTERS: dict[str, MemoryCluster] = {}
_LOCK = threading.Lock()


def cluster_of(key: str) -> MemoryCluster:
    """Return the cluster of a target key, made on first use."""
    with _LOCK:
        return _CLUSTERS.setdefault(key, MemoryCluster())


def forget_clusters() -> None:
    """Forget every cluster: the next use begins from nothing."""
    with _LOCK:
        _CLUSTERS.clear()

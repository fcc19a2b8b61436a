"""Which stored objects belong to whom, by the id that their labels bear."""

from collections.abc import Iterable
from dataclasses import replace

from providers.contract.errors import Rejected
from providers.contract.manifest import ObjectKey
from providers.contract.protocols import ManagedObject, Remaining
from providers.contract.request import DeploymentRef
from providers.testing.memory.cluster import MemoryCluster, StoredObject
from providers.testing.memory.render import WORKLOAD
from providers.workload.provenance import managed_object


def workload_of(cluster: MemoryCluster, ref: DeploymentRef) -> StoredObject | None:
    with cluster.lock:
        found = [
            stored
            for key, stored in cluster.objects.items()
            if key.kind == WORKLOAD and _id_of(stored) == ref.id
        ]
    return found[0] if found else None


def require_workload(cluster: MemoryCluster, ref: DeploymentRef) -> None:
    """Raise Rejected where somebody has removed what runs."""
    if workload_of(cluster, ref) is None:
        raise Rejected(f"{ref.runtime_name} was removed by someone else", code="RemovedOutside")


def keys_of(cluster: MemoryCluster, deployment_id: str) -> tuple[ObjectKey, ...]:
    with cluster.lock:
        items = list(cluster.objects.items())
    return tuple(key for key, stored in items if _id_of(stored) == deployment_id)


def remaining(cluster: MemoryCluster, key: ObjectKey) -> Remaining:
    """Return a stored object with what holds it."""
    return Remaining(object=key, finalizers=dict.fromkeys(cluster.objects[key].held_by, ""))


def unmatched(cluster: MemoryCluster, ids: set[str]) -> Iterable[ManagedObject]:
    with cluster.lock:
        items = list(cluster.objects.items())
    for key, stored in items:
        if _id_of(stored) not in ids:
            yield _stray(key, stored)


def _stray(key: ObjectKey, stored: StoredObject) -> ManagedObject:
    metadata = stored.manifest["metadata"]
    said = managed_object(
        key,
        stored.uid,
        labels=metadata["labels"],
        annotations=metadata["annotations"],
        is_workload=key.kind == WORKLOAD,
    )
    return replace(said, created_at=stored.created_at, is_terminating=stored.deleting)


def is_there(cluster: MemoryCluster, found: ManagedObject) -> bool:
    stored = cluster.objects.get(found.key)
    return stored is not None and stored.uid == found.uid


def _id_of(stored: StoredObject) -> str:
    return str(stored.manifest["metadata"]["labels"]["slipway.dev/id"])

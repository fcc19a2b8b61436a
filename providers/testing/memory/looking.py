"""An in-memory deployment looked into: workload, Service, and a replica with a container for each.

What happens to a replica is told where it happens, and stays told when the replica has gone.
"""

from collections.abc import Iterator

from providers.contract.manifest import ObjectKey
from providers.contract.observing import (
    ContainerState,
    EventLine,
    Events,
    ObjectState,
    Resources,
)
from providers.contract.request import DeploymentRef
from providers.testing.memory.cluster import MemoryCluster, StoredObject
from providers.testing.memory.render import API_VERSION, REPLICA, SERVICE, WORKLOAD


def resources_of(cluster: MemoryCluster, ref: DeploymentRef) -> Resources:
    """Return the objects of a deployment in words."""
    return Resources(
        objects=tuple(_objects(cluster, ref)),
        now=cluster.now(),
        unreadable=dict(cluster.unreadable),
    )


def events_of(cluster: MemoryCluster, ref: DeploymentRef) -> Events:
    """Return what was told of the replicas of a deployment, newest first."""
    with cluster.lock:
        told = list(cluster.told)
    lines = [line for line in told if ref.runtime_name in line.object]
    lines.sort(key=lambda line: line.at.timestamp() if line.at else 0.0, reverse=True)
    return Events(lines=tuple(lines), now=cluster.now())


def tell_started(cluster: MemoryCluster, key: ObjectKey, replicas: range) -> None:
    """Tell that replicas of a workload have started."""
    at = cluster.now()
    cluster.told += [
        EventLine(
            at=at,
            first_at=at,
            count=1,
            is_warning=False,
            reason="Started",
            message="Started container engine",
            object=str(_replica_key(key, number)),
            source="memory",
        )
        for number in replicas
    ]


def _objects(cluster: MemoryCluster, ref: DeploymentRef) -> Iterator[ObjectState]:
    owner = _key(WORKLOAD, ref)
    workload = cluster.objects.get(owner)
    if workload is not None:
        yield from _standing(cluster, owner, workload)
    elif ref.applied_revision:
        message = "somebody removed it from the cluster"
        yield ObjectState(key=owner, state="Missing", tone="fail", message=message)
    key = _key(SERVICE, ref)
    service = cluster.objects.get(key)
    if service is not None:
        below = owner if workload is not None or ref.applied_revision else None
        yield _plain(key, service, state="In place", below=below)


def _standing(
    cluster: MemoryCluster, key: ObjectKey, workload: StoredObject
) -> Iterator[ObjectState]:
    wanted = int(workload.manifest["spec"]["replicas"])
    ready = min(wanted, cluster.ready.get(key.name, wanted))
    yield _plain(key, workload, state="Complete", message=f"{ready} of {wanted} replicas ready")
    for number in range(wanted):
        yield _replica(key, workload, number, is_ready=number < ready)


def _replica(
    owner: ObjectKey, workload: StoredObject, number: int, *, is_ready: bool
) -> ObjectState:
    state, tone = ("Running", "ok") if is_ready else ("Loading", "progress")
    container = ContainerState(
        name="engine",
        image=str(workload.manifest["spec"]["pod"]["image"]),
        state=state,
        tone=tone,
        ready=is_ready,
        started_at=workload.created_at,
        has_started=True,
    )
    return ObjectState(
        key=_replica_key(owner, number),
        state=state,
        tone=tone,
        uid=f"{workload.uid}-{number}",
        created_at=workload.created_at,
        below=owner,
        facts={"node": "memory-1"},
        containers=(container,),
    )


def _plain(
    key: ObjectKey,
    stored: StoredObject,
    *,
    state: str,
    message: str = "",
    below: ObjectKey | None = None,
) -> ObjectState:
    return ObjectState(
        key=key,
        state=state,
        tone="ok",
        message=message,
        uid=stored.uid,
        created_at=stored.created_at,
        below=below,
    )


def _replica_key(owner: ObjectKey, number: int) -> ObjectKey:
    return ObjectKey(
        api_version=API_VERSION,
        kind=REPLICA,
        name=f"{owner.name}-{number}",
        namespace=owner.namespace,
    )


def _key(kind: str, ref: DeploymentRef) -> ObjectKey:
    return ObjectKey(
        api_version=API_VERSION, kind=kind, name=ref.runtime_name, namespace=ref.namespace
    )

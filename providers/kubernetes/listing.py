"""All deployments of one cluster in one pass: each kind once, in pages, then sorted by deployment.

The number of calls depends on objects and page size only; the work is linear in the objects.
"""

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from providers.contract.protocols import Deadline, Listing, ManagedObject, SharedReads
from providers.contract.request import DeploymentRef
from providers.contract.target import ClusterTarget
from providers.kube.bounded import run_all
from providers.kube.client import KubeClient, client_for
from providers.kube.identity import require_same_cluster
from providers.kube.lists import Read, Selection
from providers.kube.resources import (
    AUTOSCALERS,
    DEPLOYMENTS,
    ENDPOINT_SLICES,
    REPLICA_SETS,
    SERVICES,
    Resource,
)
from providers.kube.shared import OURS, SharedObjects, payload_of, read_everywhere
from providers.kubernetes.drift import OwnedDeployment, without_own_fields
from providers.kubernetes.render import KIND
from providers.kubernetes.seeing import View, bad_by_place, observe_each, with_deployments
from providers.observing.log_causes import read_causes
from providers.workload.index import ClusterObjects
from providers.workload.labels import LABEL_ID, LABEL_IMPLEMENTATION
from providers.workload.objects import (
    EndpointSlice,
    HorizontalPodAutoscaler,
    Item,
    ReplicaSet,
    Service,
    moment,
)
from providers.workload.provenance import managed_object
from providers.workload.slimming import slim

_STRUCTS: tuple[tuple[Resource, type[Item]], ...] = (
    (DEPLOYMENTS, OwnedDeployment),
    (REPLICA_SETS, ReplicaSet),
    (SERVICES, Service),
    (ENDPOINT_SLICES, EndpointSlice),
    (AUTOSCALERS, HorizontalPodAutoscaler),
)
_OWN = (DEPLOYMENTS, SERVICES, AUTOSCALERS)

Reads = Mapping[Resource, Read[Any]]


def list_all(
    target: ClusterTarget,
    refs: Iterable[DeploymentRef],
    shared: SharedReads,
    *,
    deadline: Deadline,
) -> Listing:
    """Answer for all refs, and name managed objects that belong to none of them."""
    client = client_for(target, deadline=deadline)
    require_same_cluster(client, target, deadline=deadline)
    asked = list(refs)
    known = frozenset(ref.id for ref in asked)
    reads = _read_kinds(client, _reaching(target, asked), partial(_kept, known), deadline)
    view = _view(payload_of(shared), reads)
    return Listing(
        observations=observe_each(
            view, asked, causes_of=partial(read_causes, client, deadline=deadline)
        ),
        unmatched=tuple(_unmatched(reads, known)),
        unread=_unread(reads),
    )


def _reaching(target: ClusterTarget, refs: Sequence[DeploymentRef]) -> ClusterTarget:
    """Return the target with the namespaces of all refs, for reads that go one by one."""
    names = dict.fromkeys((*target.namespaces, *(ref.namespace for ref in refs)))
    return replace(target, namespaces=tuple(names))


def _read_kinds(
    client: KubeClient, target: ClusterTarget, keep: Callable[[Item], Item], deadline: Deadline
) -> Reads:
    calls: list[partial[Read[Any]]] = [
        partial(
            read_everywhere,
            client,
            kind,
            struct,
            _selection(kind),
            target=target,
            deadline=deadline,
            keep=keep,
        )
        for kind, struct in _STRUCTS
    ]
    results = run_all(client.threads, calls)
    return dict(zip((kind for kind, _ in _STRUCTS), results, strict=True))


def _kept(known: Container[str], item: Item) -> Item:
    """Return what stays in memory: of what no record knows everything, to tell what it was."""
    if item.labels.get(LABEL_ID) not in known:
        return item
    return slim(without_own_fields(item) if isinstance(item, OwnedDeployment) else item)


def _selection(kind: Resource) -> Selection:
    """Autoscalers are read whoever made them: a second one on our workload is a conflict."""
    if kind is AUTOSCALERS:
        return Selection()
    return Selection(labels=f"{OURS},{LABEL_IMPLEMENTATION}={KIND}")


def _view(shared: SharedObjects, reads: Reads) -> View:
    objects, deployments = with_deployments(_objects(shared, reads), reads[DEPLOYMENTS].items)
    read_bad = (item for read in reads.values() for item in read.bad)
    return View(
        objects=objects,
        deployments=deployments,
        namespaces=shared.namespaces,
        forbidden={
            **shared.forbidden,
            **{kind.kind: read.forbidden for kind, read in reads.items() if read.forbidden},
        },
        reach={
            **shared.reach,
            **{kind.kind: read.reach for kind, read in reads.items() if read.reach is not None},
        },
        bad=bad_by_place([*shared.bad, *read_bad]),
        now=shared.now,
    )


def _objects(shared: SharedObjects, reads: Reads) -> ClusterObjects:
    return ClusterObjects(
        namespaces=tuple(shared.namespaces.found.values()),
        replica_sets=reads[REPLICA_SETS].items,
        pods=shared.pods,
        events=shared.events,
        services=reads[SERVICES].items,
        endpoint_slices=reads[ENDPOINT_SLICES].items,
        autoscalers=reads[AUTOSCALERS].items,
        quotas=shared.quotas,
        nodes=shared.nodes,
    )


def _unmatched(reads: Reads, known: Container[str]) -> Iterator[ManagedObject]:
    """Yield objects of this kind of no known id, but what goes with its owner by itself."""
    for kind in _OWN:
        for item in reads[kind].items:
            deployment_id = item.labels.get(LABEL_ID) or ""
            if item.labels.get(LABEL_IMPLEMENTATION) == KIND and deployment_id not in known:
                yield _stray(kind, item)
    for item in reads[REPLICA_SETS].items:
        if (item.labels.get(LABEL_ID) or "") not in known and not item.meta.owner_references:
            yield _stray(REPLICA_SETS, item)


def _stray(kind: Resource, item: Item) -> ManagedObject:
    said = managed_object(
        kind.key(item.name, item.namespace),
        item.uid,
        labels=item.labels,
        annotations=item.annotations,
        is_workload=kind is DEPLOYMENTS,
    )
    return replace(
        said,
        is_terminating=item.is_terminating,
        created_at=moment(item.meta.creation_timestamp),
    )


def _unread(reads: Reads) -> frozenset[str]:
    """Return the kinds of which an object may be there that was not read."""
    return frozenset(
        kind.kind
        for kind in (*_OWN, REPLICA_SETS)
        if (read := reads[kind]).forbidden or read.bad or any((read.reach or {}).values())
    )

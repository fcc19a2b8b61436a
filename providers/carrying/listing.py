"""All deployments of one cluster in one pass: each kind once, in pages, then sorted by deployment.

The number of calls depends on objects and page size only; the work is linear in the objects.
"""

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from providers.carrying.carrier import Carrier, Kind
from providers.carrying.live import observe_live
from providers.carrying.seeing import Reads, View, bad_by_place, objects_of
from providers.carrying.selecting import all_of
from providers.contract.protocols import Deadline, Listing, ManagedObject, SharedReads
from providers.contract.request import DeploymentRef
from providers.contract.target import ClusterTarget
from providers.kube.bounded import run_all
from providers.kube.client import KubeClient, client_for
from providers.kube.identity import require_same_cluster
from providers.kube.lists import Read, Selection
from providers.kube.resources import AUTOSCALERS, ENDPOINT_SLICES, SERVICES, Resource
from providers.kube.shared import SharedObjects, payload_of, read_everywhere
from providers.workload.labels import LABEL_ID, LABEL_IMPLEMENTATION
from providers.workload.objects import (
    EndpointSlice,
    HorizontalPodAutoscaler,
    Item,
    Service,
    moment,
)
from providers.workload.provenance import managed_object
from providers.workload.slimming import slim, slim_with_origin

_BESIDE: tuple[tuple[Resource, type[Item], Callable[[Any], Any]], ...] = (
    (SERVICES, Service, slim),
    (ENDPOINT_SLICES, EndpointSlice, slim),
)


def list_all(
    carrier: Carrier,
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
    once, wide = payload_of(shared), _reaching(target, asked)
    reads = {
        **_read_kinds(client, carrier, wide, known, deadline),
        AUTOSCALERS: _autoscalers(client, once.autoscalers, wide, deadline),
    }
    view = _view(carrier, once, reads, known)
    return Listing(
        observations=observe_live(client, view, asked, deadline=deadline),
        unmatched=tuple(_unmatched(carrier, reads, known)),
        unread=_unread(carrier, reads),
    )


def _reaching(target: ClusterTarget, refs: Sequence[DeploymentRef]) -> ClusterTarget:
    """Return the target with the namespaces of all refs, for reads that go one by one."""
    names = dict.fromkeys((*target.namespaces, *(ref.namespace for ref in refs)))
    return replace(target, namespaces=tuple(names))


def _read_kinds(
    client: KubeClient,
    carrier: Carrier,
    target: ClusterTarget,
    known: Container[str],
    deadline: Deadline,
) -> Reads:
    kinds = (*((kind.resource, kind.struct, kind.keep) for kind in carrier.kinds), *_BESIDE)
    calls: list[partial[Read[Any]]] = [
        partial(
            read_everywhere,
            client,
            resource,
            struct,
            all_of(carrier, resource),
            target=target,
            deadline=deadline,
            keep=partial(_kept, known, keep),
        )
        for resource, struct, keep in kinds
    ]
    results = run_all(client.threads, calls)
    return dict(zip((resource for resource, _, _ in kinds), results, strict=True))


def _kept(known: Container[str], keep: Callable[[Item], Item], item: Item) -> Item:
    """Return what stays in memory: of what no record knows everything, to tell what it was."""
    return keep(item) if item.labels.get(LABEL_ID) in known else item


def _autoscalers(
    client: KubeClient,
    everyones: Read[HorizontalPodAutoscaler],
    target: ClusterTarget,
    deadline: Deadline,
) -> Read[HorizontalPodAutoscaler]:
    """Return what was read once for all; where that is forbidden, those of our own namespaces."""
    if not everyones.forbidden:
        return everyones
    return read_everywhere(
        client,
        AUTOSCALERS,
        HorizontalPodAutoscaler,
        Selection(),
        target=target,
        deadline=deadline,
        keep=slim_with_origin,
    )


def _view(carrier: Carrier, shared: SharedObjects, reads: Reads, known: Container[str]) -> View:
    read_bad = (item for read in reads.values() for item in read.bad)
    return View(
        carrier=carrier,
        objects=objects_of(
            carrier,
            reads,
            pods=[pod for pod in shared.pods if _is_known(pod, known)],
            namespaces=tuple(shared.namespaces.found.values()),
            events=shared.events,
            nodes=shared.nodes,
            quotas=shared.quotas,
        ),
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


def _unmatched(carrier: Carrier, reads: Reads, known: Container[str]) -> Iterator[ManagedObject]:
    """Yield objects of this kind of no known id, but what goes with its owner by itself."""
    for kind in carrier.own:
        for item in _strangers(carrier, reads[kind].items, known):
            if not _is_controllers(item):
                yield _stray(carrier, kind, item)
    for further in _made_by_controllers(carrier):
        for item in _strangers(carrier, reads[further.resource].items, known):
            if not item.meta.owner_references:
                yield _stray(carrier, further.resource, item)


def _strangers(carrier: Carrier, items: Iterable[Item], known: Container[str]) -> Iterator[Item]:
    """Yield objects of this kind that belong to no known id; others' may be read beside them."""
    for item in items:
        is_ours = item.labels.get(LABEL_IMPLEMENTATION) == carrier.implementation
        if is_ours and not _is_known(item, known):
            yield item


def _made_by_controllers(carrier: Carrier) -> Iterator[Kind]:
    return (kind for kind in carrier.further if kind.resource not in carrier.own)


def _is_known(item: Item, known: Container[str]) -> bool:
    return (item.labels.get(LABEL_ID) or "") in known


def _is_controllers(item: Item) -> bool:
    """Tell whether a controller made it with our labels, and takes it along when its owner goes."""
    owner = item.controller
    return owner is not None and owner.controller is True


def _stray(carrier: Carrier, kind: Resource, item: Item) -> ManagedObject:
    said = managed_object(
        kind.key(item.name, item.namespace),
        item.uid,
        labels=item.labels,
        annotations=item.annotations,
        is_workload=kind is carrier.workload.resource,
    )
    return replace(
        said,
        is_terminating=item.is_terminating,
        created_at=moment(item.meta.creation_timestamp),
    )


def _unread(carrier: Carrier, reads: Reads) -> frozenset[str]:
    """Return the kinds of which an object may be there that was not read."""
    kinds = (*carrier.own, *(kind.resource for kind in _made_by_controllers(carrier)))
    return frozenset(
        kind.kind
        for kind in kinds
        if (read := reads[kind]).forbidden or read.bad or any((read.reach or {}).values())
    )

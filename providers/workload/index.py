"""From the lists of a whole cluster to one bundle per deployment, in one walk over each list.

A pass over 10,000 deployments may look at no list twice, so everything is put into its place by
label first. Knows how objects point at each other; judges nothing and fetches nothing.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from providers.contract.request import DeploymentRef
from providers.workload.bundle import Bundle, Trouble
from providers.workload.labels import LABEL_ID
from providers.workload.objects import (
    EndpointSlice,
    Event,
    HorizontalPodAutoscaler,
    Item,
    Namespace,
    Node,
    Pod,
    ReplicaSet,
    ResourceQuota,
    Service,
    present,
)
from providers.workload.shape import DEPLOYMENT, Carried, Shape

SERVICE_NAME = "kubernetes.io/service-name"

Key = tuple[str, str]

_Item = TypeVar("_Item", bound=Item)


@dataclass(frozen=True, kw_only=True, slots=True)
class ClusterObjects:
    """All that one pass read, in any order.

    `workloads` maps (namespace, name) to the runtime object, `further` a kind to its objects, where
    a runtime has such between workload and pods. `unreadable`, `unread` and `trouble` are as in a
    bundle; `unread_in` is `unread` of a namespace, where that differs. Leave namespaces out of
    `unread` only where all were listed.
    """

    workloads: Mapping[Key, Item] = field(default_factory=dict)
    further: Mapping[str, Sequence[Item]] = field(default_factory=dict)
    namespaces: Sequence[Namespace] = ()
    replica_sets: Sequence[ReplicaSet] = ()
    pods: Sequence[Pod] = ()
    events: Sequence[Event] = ()
    services: Sequence[Service] = ()
    endpoint_slices: Sequence[EndpointSlice] = ()
    autoscalers: Sequence[HorizontalPodAutoscaler] = ()
    quotas: Sequence[ResourceQuota] = ()
    nodes: Sequence[Node] = ()
    unreadable: Mapping[str, str] = field(default_factory=dict)
    unread: frozenset[str] = frozenset()
    unread_in: Mapping[str, frozenset[str]] = field(default_factory=dict)
    trouble: Trouble | None = None
    refusal: Trouble | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class _Index:
    """The same objects, each list by what others find it by."""

    objects: ClusterObjects
    shape: Shape
    further: Mapping[str, Mapping[Key, list[Item]]]
    namespaces: Mapping[str, Namespace]
    nodes: Mapping[str, Node]
    replica_sets: Mapping[Key, list[ReplicaSet]]
    pods: Mapping[Key, list[Pod]]
    services: Mapping[Key, list[Service]]
    slices: Mapping[Key, list[EndpointSlice]]
    autoscalers: Mapping[Key, list[HorizontalPodAutoscaler]]
    quotas: Mapping[str, list[ResourceQuota]]
    events: Mapping[Key, list[Event]]


def workloads_by_name(workloads: Iterable[Item]) -> dict[Key, Item]:
    """Return runtime objects as `ClusterObjects` wants them."""
    return {(item.namespace, item.name): item for item in workloads}


def bundles_by_id(
    objects: ClusterObjects, refs: Iterable[DeploymentRef], *, shape: Shape = DEPLOYMENT
) -> Iterator[tuple[DeploymentRef, Bundle]]:
    """Yield each deployment with what was seen of it; `shape` puts its kind into common words."""
    index = _index_of(objects, shape)
    for ref in refs:
        yield ref, _bundle_of(index, ref)


def _index_of(objects: ClusterObjects, shape: Shape) -> _Index:
    return _Index(
        objects=objects,
        shape=shape,
        further={kind: _grouped(items, _id_key) for kind, items in objects.further.items()},
        namespaces={item.name: item for item in objects.namespaces},
        nodes={item.name: item for item in objects.nodes},
        replica_sets=_grouped(objects.replica_sets, _id_key),
        pods=_grouped(objects.pods, _id_key),
        services=_grouped(objects.services, _id_key),
        slices=_grouped(objects.endpoint_slices, _service_key),
        autoscalers=_grouped(objects.autoscalers, target_key),
        quotas=_grouped(objects.quotas, lambda item: item.namespace),
        events=_grouped(objects.events, event_key),
    )


_K = TypeVar("_K")


def _grouped(items: Iterable[_Item], key: Callable[[_Item], _K]) -> Mapping[_K, list[_Item]]:
    groups: dict[_K, list[_Item]] = defaultdict(list)
    for item in items:
        groups[key(item)].append(item)
    return groups


def _id_key(item: Item) -> Key:
    return item.namespace, item.labels.get(LABEL_ID) or ""


def _service_key(item: EndpointSlice) -> Key:
    return item.namespace, item.labels.get(SERVICE_NAME) or ""


def target_key(item: HorizontalPodAutoscaler) -> Key:
    return item.namespace, item.target.name or ""


def event_key(event: Event) -> Key:
    """Return whom an event is about; a pod's goes by the name that all pods of a set share.

    So what was told of a pod that is gone is still found by its ReplicaSet.
    """
    about = event.about
    name = about.name or ""
    if about.kind == "Pod" and "-" in name:
        name = name.rpartition("-")[0]
    return about.namespace or event.namespace, name


def _bundle_of(index: _Index, ref: DeploymentRef) -> Bundle:
    objects, shape = index.objects, index.shape
    seen = _carried(index, ref)
    told = shape.tell(seen)
    scaled = (ref.namespace, shape.scaled_name(ref.runtime_name))
    return Bundle(
        workload_kind=shape.kind,
        scaled=shape.scaled(ref.runtime_name),
        namespace=index.namespaces.get(ref.namespace),
        workload=told.workload,
        workload_item=seen.workload,
        current=told.current,
        replica_sets=seen.replica_sets,
        pods=seen.pods,
        events=seen.events,
        services=seen.services,
        endpoint_slices=tuple(_slices_of(index, seen.services)),
        autoscalers=(*index.autoscalers.get(scaled, ()), *told.autoscalers),
        quotas=tuple(index.quotas.get(ref.namespace, ())),
        nodes=tuple(_nodes_of(index, seen.pods)),
        unreadable=objects.unreadable,
        unread=objects.unread_in.get(ref.namespace, objects.unread),
        trouble=objects.trouble,
        refusal=objects.refusal or told.refusal,
    )


def _carried(index: _Index, ref: DeploymentRef) -> Carried:
    key = (ref.namespace, ref.id)
    workload = index.objects.workloads.get((ref.namespace, ref.runtime_name))
    further = {kind: tuple(found.get(key, ())) for kind, found in index.further.items()}
    owners = _owners(workload, further)
    own = {
        kind: tuple(item for item in items if _is_of(item, owners))
        for kind, items in further.items()
    }
    sets = tuple(item for item in index.replica_sets.get(key, ()) if _is_of(item, owners))
    pods = tuple(index.pods.get(key, ()))
    named = (*sets, *(item for items in own.values() for item in items))
    return Carried(
        ref=ref,
        workload=workload,
        replica_sets=sets,
        further=own,
        pods=pods,
        services=tuple(item for item in index.services.get(key, ()) if index.shape.serves(item)),
        events=tuple(_events_of(index, ref, named, pods)),
    )


def _owners(workload: Item | None, further: Mapping[str, tuple[Item, ...]]) -> frozenset[str]:
    """Return the uids that objects of the workload may have for an owner; none: nobody knows."""
    if workload is None or not workload.uid:
        return frozenset()
    between = (item.uid for items in further.values() for item in items)
    return frozenset((workload.uid, *between))


def _is_of(item: Item, owners: frozenset[str]) -> bool:
    """Tell whether an object is the workload's own, not one of a copy with its labels."""
    owner = item.controller
    return not (owners and owner and owner.uid) or owner.uid in owners


def _slices_of(index: _Index, services: tuple[Service, ...]) -> Iterator[EndpointSlice]:
    for service in services:
        yield from index.slices.get((service.namespace, service.name), ())


def _nodes_of(index: _Index, pods: tuple[Pod, ...]) -> Iterator[Node]:
    names = sorted({pod.node_name for pod in pods})
    return iter(present(index.nodes.get(name) for name in names))


def _events_of(
    index: _Index, ref: DeploymentRef, named: Sequence[Item], pods: tuple[Pod, ...]
) -> Iterator[Event]:
    """Yield what was told of the workload, of what stands below it, and of pods there and gone."""
    if not index.events:
        return
    stems = {pod.name.rpartition("-")[0] for pod in pods}
    names = {ref.runtime_name, index.shape.scaled_name(ref.runtime_name), *stems}
    for name in sorted({*names, *(item.name for item in named)} - {""}):
        yield from index.events.get((ref.namespace, name), ())

"""From the lists of a whole cluster to one bundle per deployment, in one walk over each list.

A pass over 10,000 deployments may look at no list twice, so everything is put into its place by
label first. Knows how objects point at each other; judges nothing and fetches nothing.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from providers.contract.request import DeploymentRef
from providers.workload.bundle import Bundle, Mark, Trouble, Workload, mark_newest, workload_of
from providers.workload.labels import LABEL_ID
from providers.workload.objects import (
    Deployment,
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

SERVICE_NAME = "kubernetes.io/service-name"

Key = tuple[str, str]
Marker = Callable[[tuple[ReplicaSet, ...], tuple[Pod, ...]], Mark | None]

_Item = TypeVar("_Item", bound=Item)


@dataclass(frozen=True, kw_only=True, slots=True)
class ClusterObjects:
    """All that one pass read, in any order.

    `workloads` maps (namespace, name) to the runtime object in common words. `unreadable`, `unread`
    and `trouble` are as in a bundle. Leave namespaces out of `unread` only where all were listed.
    """

    workload_kind: str = "Deployment"
    workloads: Mapping[Key, Workload] = field(default_factory=dict)
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
    trouble: Trouble | None = None
    refusal: Trouble | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class _Index:
    """The same objects, each list by what others find it by."""

    objects: ClusterObjects
    namespaces: Mapping[str, Namespace]
    nodes: Mapping[str, Node]
    replica_sets: Mapping[Key, list[ReplicaSet]]
    pods: Mapping[Key, list[Pod]]
    services: Mapping[Key, list[Service]]
    slices: Mapping[Key, list[EndpointSlice]]
    autoscalers: Mapping[Key, list[HorizontalPodAutoscaler]]
    quotas: Mapping[str, list[ResourceQuota]]
    events: Mapping[Key, list[Event]]


def workloads_by_name(deployments: Iterable[Deployment]) -> dict[Key, Workload]:
    """Return Deployments in common words, as `ClusterObjects` wants them."""
    return {(item.namespace, item.name): workload_of(item) for item in deployments}


def bundles_by_id(
    objects: ClusterObjects, refs: Iterable[DeploymentRef], *, mark: Marker = mark_newest
) -> Iterator[tuple[DeploymentRef, Bundle]]:
    """Yield each deployment with what was seen of it; `mark` says which pods are current."""
    index = _index_of(objects)
    for ref in refs:
        yield ref, _bundle_of(index, ref, mark)


def _index_of(objects: ClusterObjects) -> _Index:
    return _Index(
        objects=objects,
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
    meta = item.meta
    return meta.namespace or "", (meta.labels or {}).get(LABEL_ID) or ""


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


def _bundle_of(index: _Index, ref: DeploymentRef, mark: Marker) -> Bundle:
    objects, key = index.objects, (ref.namespace, ref.id)
    workload = objects.workloads.get((ref.namespace, ref.runtime_name))
    sets = tuple(item for item in index.replica_sets.get(key, ()) if _is_of(item, workload))
    pods = tuple(index.pods.get(key, ()))
    services = tuple(item for item in index.services.get(key, ()) if not _is_controllers(item))
    return Bundle(
        workload_kind=objects.workload_kind,
        namespace=index.namespaces.get(ref.namespace),
        workload=workload,
        current=mark(sets, pods),
        replica_sets=sets,
        pods=pods,
        events=tuple(_events_of(index, ref, sets, pods)),
        services=services,
        endpoint_slices=tuple(_slices_of(index, services)),
        autoscalers=tuple(index.autoscalers.get((ref.namespace, ref.runtime_name), ())),
        quotas=tuple(index.quotas.get(ref.namespace, ())),
        nodes=tuple(_nodes_of(index, pods)),
        unreadable=objects.unreadable,
        unread=objects.unread,
        trouble=objects.trouble,
        refusal=objects.refusal,
    )


def _is_of(item: ReplicaSet, workload: Workload | None) -> bool:
    """Tell whether a ReplicaSet is the workload's own, not one of a copy with its labels."""
    owner = item.controller
    return not (workload and workload.uid and owner and owner.uid) or owner.uid == workload.uid


def _is_controllers(item: Service) -> bool:
    """Tell whether a runtime's controller made a Service and gave it our labels."""
    owner = item.controller
    return owner is not None and owner.controller is True


def _slices_of(index: _Index, services: tuple[Service, ...]) -> Iterator[EndpointSlice]:
    for service in services:
        yield from index.slices.get((service.namespace, service.name), ())


def _nodes_of(index: _Index, pods: tuple[Pod, ...]) -> Iterator[Node]:
    names = sorted({pod.node_name for pod in pods})
    return iter(present(index.nodes.get(name) for name in names))


def _events_of(
    index: _Index, ref: DeploymentRef, sets: tuple[ReplicaSet, ...], pods: tuple[Pod, ...]
) -> Iterator[Event]:
    if not index.events:
        return
    stems = {pod.name.rpartition("-")[0] for pod in pods}
    for name in sorted({ref.runtime_name, *stems, *(item.name for item in sets)} - {""}):
        yield from index.events.get((ref.namespace, name), ())

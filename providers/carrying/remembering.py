"""What a cache holds of some deployments, as a look at the cluster would have found it."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from providers.carrying.cache import Cache, Place, Shelf
from providers.carrying.seeing import Reads, objects_of
from providers.contract.request import DeploymentRef
from providers.kube.lists import Read
from providers.kube.resources import AUTOSCALERS, ENDPOINT_SLICES, SERVICES, Resource
from providers.workload.index import ClusterObjects
from providers.workload.objects import Namespace, Pod, present


def objects_in(
    cache: Cache, refs: Sequence[DeploymentRef], named: Iterable[Namespace]
) -> ClusterObjects:
    """Return the objects of some deployments; `named` are namespaces where none is in the cache."""
    reads = dict(_reads_of(cache, refs))
    pods = [item for ref in refs for item in cache.pods.of((ref.namespace, ref.id))]
    told = _told_of(cache, refs, reads, pods)
    nodes = {("", pod.node_name) for pod in pods}
    return objects_of(
        cache.carrier,
        reads,
        pods=pods,
        namespaces=tuple(cache.namespaces.all()) or tuple(named),
        events=[item for key in told for item in cache.events.of(key)],
        nodes=[item for key in sorted(nodes) for item in cache.nodes.of(key)],
    )


def _reads_of(cache: Cache, refs: Sequence[DeploymentRef]) -> Iterator[tuple[Resource, Read[Any]]]:
    """Yield what is there of some deployments, as if it had just been read.

    Workloads are found by name, whatever label somebody took off them.
    """
    shape = cache.carrier.shape
    workloads = (cache.workloads.get((ref.namespace, ref.runtime_name)) for ref in refs)
    kind, is_missing = cache.carrier.workload.resource, cache.workloads.is_missing
    yield kind, Read(items=present(workloads), missing=is_missing)
    ids = [(ref.namespace, ref.id) for ref in refs]
    scaled = [(ref.namespace, shape.scaled_name(ref.runtime_name)) for ref in refs]
    yield AUTOSCALERS, _found(cache.autoscalers, scaled)
    by_id = (*cache.further.items(), (SERVICES, cache.services))
    for resource, shelf in (*by_id, (ENDPOINT_SLICES, cache.endpoint_slices)):
        yield resource, _found(shelf, ids)


def _found(shelf: Shelf[Any], keys: Iterable[Place]) -> Read[Any]:
    return Read(items=tuple(item for key in keys for item in shelf.of(key)))


def _told_of(
    cache: Cache, refs: Iterable[DeploymentRef], reads: Reads, pods: Iterable[Pod]
) -> set[Place]:
    """Return what events about some deployments go by."""
    shape = cache.carrier.shape
    names = {(ref.namespace, ref.runtime_name) for ref in refs}
    names |= {(space, shape.scaled_name(name)) for space, name in names}
    names |= {(pod.namespace, pod.name.rpartition("-")[0]) for pod in pods}
    between = (item for resource in cache.further for item in reads[resource].items)
    return names | {(item.namespace, item.name) for item in between}

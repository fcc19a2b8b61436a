"""The objects of one cluster as last told, each to be found by the deployment that it belongs to.

Bounded by what it holds: slimmed objects of ours, and of events the newest. Knows no stream, and
leaves it to its owner that one thread at a time is in here.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from typing import Any, Generic, TypeVar

from providers.carrying.carrier import Carrier
from providers.kube.lists import BadItem, Read
from providers.kube.resources import (
    AUTOSCALERS,
    ENDPOINT_SLICES,
    EVENTS,
    NAMESPACES,
    NODES,
    PODS,
    SERVICES,
    Resource,
)
from providers.workload.index import event_key, target_key
from providers.workload.labels import LABEL_ID, LABEL_IMPLEMENTATION
from providers.workload.objects import (
    EndpointSlice,
    Event,
    HorizontalPodAutoscaler,
    Item,
    Namespace,
    Node,
    Pod,
    Service,
)

Place = tuple[str, str]
"""Namespace and name; of objects beside all namespaces the first is empty."""

MOST_EVENTS = 20_000

_T = TypeVar("_T", bound=Item)


class Shelf(Generic[_T]):
    """Objects of one kind by place, and by a key that several may share.

    `most` drops the oldest beyond so many, 0 never. `is_missing`: the cluster does not know the
    kind, as of the last list.
    """

    def __init__(self, key_of: Callable[[_T], Place], *, most: int = 0) -> None:
        self._key_of, self._most = key_of, most
        self._items: dict[Place, _T] = {}
        self._groups: dict[Place, dict[Place, _T]] = {}
        self._bad: dict[Place, BadItem] = {}
        self.is_missing = False

    @property
    def bad(self) -> Iterable[BadItem]:
        """Return what could not be read."""
        return self._bad.values()

    def get(self, place: Place) -> _T | None:
        return self._items.get(place)

    def all(self) -> Iterable[_T]:
        return self._items.values()

    def of(self, key: Place) -> Iterable[_T]:
        """Return the objects of a key."""
        return self._groups.get(key, {}).values()

    def reset(self, read: Read[_T], namespace: str) -> Iterator[_T]:
        """Take the whole of a namespace, or of the cluster where that is empty; yield changes."""
        self.is_missing = read.missing
        fresh = {place_of(item) for item in read.items}
        gone = [
            item
            for place, item in self._items.items()
            if place not in fresh and namespace in {"", place[0]}
        ]
        changed = [*map(self.remove, gone), *map(self.put, read.items)]
        kept = {at: bad for at, bad in self._bad.items() if not _is_in(at, namespace)}
        self._bad = kept | {(bad.namespace, bad.name): bad for bad in read.bad}
        return chain.from_iterable(changed)

    def put(self, item: _T) -> tuple[_T, ...]:
        """Take an object; return the old and the new one if they differ."""
        place = place_of(item)
        self._bad.pop(place, None)
        old = self._items.get(place)
        if old == item:
            return ()
        gone = self._take_out(place)
        self._items[place] = item
        self._groups.setdefault(self._key_of(item), {})[place] = item
        if self._most and len(self._items) > self._most:
            self._take_out(next(iter(self._items)))
        return (*gone, item)

    def remove(self, item: Item) -> tuple[_T, ...]:
        """Let go of the object at that place; return what was there."""
        self._bad.pop(place_of(item), None)
        return self._take_out(place_of(item))

    def spoil(self, bad: BadItem) -> tuple[_T, ...]:
        """Let go of an object that can be read no longer, and remember why."""
        self._bad[bad.namespace, bad.name] = bad
        return self._take_out((bad.namespace, bad.name))

    def _take_out(self, place: Place) -> tuple[_T, ...]:
        old = self._items.pop(place, None)
        if old is None:
            return ()
        key = self._key_of(old)
        group = self._groups[key]
        del group[place]
        if not group:
            del self._groups[key]
        return (old,)


class Cache:
    """A shelf for each kind, and whom a change of an object concerns."""

    def __init__(self, carrier: Carrier) -> None:
        self.carrier = carrier
        self.workloads: Shelf[Item] = Shelf(id_key)
        self.further: Mapping[Resource, Shelf[Any]] = {
            kind.resource: Shelf(id_key) for kind in carrier.further
        }
        self.pods: Shelf[Pod] = Shelf(id_key)
        self.services: Shelf[Service] = Shelf(id_key)
        self.endpoint_slices: Shelf[EndpointSlice] = Shelf(id_key)
        self.autoscalers: Shelf[HorizontalPodAutoscaler] = Shelf(target_key)
        self.events: Shelf[Event] = Shelf(event_key, most=MOST_EVENTS)
        self.nodes: Shelf[Node] = Shelf(place_of)
        self.namespaces: Shelf[Namespace] = Shelf(place_of)
        self.shelves: Mapping[Resource, Shelf[Any]] = {
            carrier.workload.resource: self.workloads,
            **self.further,
            PODS: self.pods,
            SERVICES: self.services,
            ENDPOINT_SLICES: self.endpoint_slices,
            AUTOSCALERS: self.autoscalers,
            EVENTS: self.events,
            NODES: self.nodes,
            NAMESPACES: self.namespaces,
        }

    @property
    def bad(self) -> Iterator[BadItem]:
        """Return everything that could not be read."""
        return chain.from_iterable(shelf.bad for shelf in self.shelves.values())

    def concerned(self, resource: Resource, items: Iterable[Item]) -> set[str]:
        """Return the ids of the deployments that a verdict may be another one for."""
        find = _FINDERS.get(resource, _by_label)
        return {id_ for item in items for id_ in find(self, item) if id_}


def place_of(item: Item) -> Place:
    """Return where an object is."""
    return item.namespace, item.name


def id_key(item: Item) -> Place:
    """Return namespace and deployment of an object of ours."""
    return item.namespace, item.labels.get(LABEL_ID) or ""


def _is_in(place: Place, namespace: str) -> bool:
    return namespace in {"", place[0]}


def _by_label(cache: Cache, item: Item) -> Iterator[str]:
    """Name whose an object is, unless it says that it is of another kind's: pods are of all."""
    mine = cache.carrier.implementation
    if item.labels.get(LABEL_IMPLEMENTATION, mine) == mine:
        yield item.labels.get(LABEL_ID) or ""


def _by_target(cache: Cache, item: HorizontalPodAutoscaler) -> Iterator[str]:
    """Name whom an autoscaler scales, whoever made it."""
    namespace, name = target_key(item)
    workload = name.removesuffix(cache.carrier.shape.scaled_suffix)
    yield from _by_label(cache, cache.workloads.get((namespace, workload)) or item)


def _by_event(cache: Cache, item: Event) -> Iterator[str]:
    """Name whom an event is about, also when its pod has gone."""
    about = item.about
    place = (about.namespace or item.namespace, about.name or "")
    above = event_key(item)
    shelves = (cache.workloads, *cache.further.values())
    found = (cache.pods.get(place), *(shelf.get(above) for shelf in shelves))
    known = next((item for item in found if item is not None), None)
    if known is not None:
        yield from _by_label(cache, known)


def _on_node(cache: Cache, item: Node) -> Iterator[str]:
    for pod in cache.pods.all():
        if pod.node_name == item.name:
            yield from _by_label(cache, pod)


def _in_namespace(cache: Cache, item: Namespace) -> Iterator[str]:
    for workload in cache.workloads.all():
        if workload.namespace == item.name:
            yield from _by_label(cache, workload)


_FINDERS: Mapping[Resource, Callable[[Cache, Any], Iterator[str]]] = {
    AUTOSCALERS: _by_target,
    EVENTS: _by_event,
    NODES: _on_node,
    NAMESPACES: _in_namespace,
}

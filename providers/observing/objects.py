"""The objects that any deployment of pods has, read in one round and put into words.

A provider adds the kinds above its pods: what carries them, and which pods belong to what.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from providers.contract.manifest import ObjectKey
from providers.contract.observing import ObjectState
from providers.contract.protocols import Deadline
from providers.contract.request import DeploymentRef
from providers.contract.target import ClusterTarget
from providers.kube.client import client_for
from providers.kube.lists import Read, Selection, read_list, read_one
from providers.kube.resources import (
    AUTOSCALERS,
    CLAIMS,
    ENDPOINT_SLICES,
    NAMESPACES,
    PODS,
    QUOTAS,
    SERVICES,
    Resource,
)
from providers.observing.reading import Wanted, clock_of, read_side_by_side, troubles_of
from providers.workload.index import SERVICE_NAME
from providers.workload.labels import LABEL_ID
from providers.workload.objects import (
    EndpointSlice,
    Item,
    Namespace,
    ResourceQuota,
    moment,
)
from providers.workload.objects.looked import (
    AutoscalerInFull,
    PodInFull,
    ServiceInFull,
    VolumeClaim,
)
from providers.workload.states.containers import say_containers
from providers.workload.states.limits import say_autoscaler, say_quota
from providers.workload.states.network import say_service, say_slice
from providers.workload.states.places import say_claim, say_namespace
from providers.workload.states.pods import say_pod
from providers.workload.states.said import FAIL, PROGRESS, Said

Above = Callable[[Item], ObjectKey]
"""Returns what an object stands below."""

_SHARED: Sequence[tuple[Resource, type[Item]]] = (
    (PODS, PodInFull),
    (SERVICES, ServiceInFull),
    (ENDPOINT_SLICES, EndpointSlice),
    (AUTOSCALERS, AutoscalerInFull),
    (QUOTAS, ResourceQuota),
)
# Whoever made them: all that stand in the namespace matter.
_OF_THE_NAMESPACE = frozenset({AUTOSCALERS, QUOTAS})


@dataclass(frozen=True, kw_only=True, slots=True)
class Seen:
    """What one round read, by resource."""

    ref: DeploymentRef
    reads: Mapping[Resource, Read[Any]]

    @property
    def now(self) -> datetime:
        return clock_of(tuple(self.reads.values()))

    @property
    def unreadable(self) -> Mapping[str, str]:
        return troubles_of({resource.kind: read for resource, read in self.reads.items()})

    def items(self, resource: Resource) -> tuple[Any, ...]:
        return self.reads[resource].items

    def is_known(self, resource: Resource) -> bool:
        """Tell whether all objects of a kind were read, so that a missing one is really missing."""
        read = self.reads[resource]
        return not (read.trouble or read.missing)


def read_objects(
    ref: DeploymentRef, target: ClusterTarget, own: Sequence[Wanted], *, deadline: Deadline
) -> Seen:
    """Read the shared kinds and a provider's own side by side; raises as a read of one does."""
    client = client_for(target, deadline=deadline)
    shared = ((kind, struct, _selection(kind, ref)) for kind, struct in _SHARED)
    kinds = (*shared, *own)  # pods first: that call takes longest
    calls = [
        partial(read_list, client, kind, struct, selection, deadline=deadline)
        for kind, struct, selection in kinds
    ]
    named: list[tuple[Resource, type[Item], str, str]]
    named = [(NAMESPACES, Namespace, ref.namespace, "")]
    if ref.claim:
        named.append((CLAIMS, VolumeClaim, ref.claim, ref.namespace))
    calls += [
        partial(read_one, client, kind, struct, name, namespace, deadline=deadline)
        for kind, struct, name, namespace in named
    ]
    reads = read_side_by_side(client, target, calls, deadline=deadline)
    asked = (*(kind for kind, *_ in kinds), *(kind for kind, *_ in named))
    return Seen(ref=ref, reads=dict(zip(asked, reads, strict=True)))


def _selection(kind: Resource, ref: DeploymentRef) -> Selection:
    labels = "" if kind in _OF_THE_NAMESPACE else f"{LABEL_ID}={ref.id}"
    return Selection(namespace=ref.namespace, labels=labels)


def in_words(
    resource: Resource, item: Item, said: Said, *, below: ObjectKey | None = None
) -> ObjectState:
    """Return an object with what is said of it."""
    return ObjectState(
        key=resource.key(item.name, item.namespace),
        state=said.state,
        tone=said.tone,
        message=said.message,
        uid=item.uid,
        created_at=moment(item.meta.creation_timestamp),
        below=below,
        facts=said.facts,
    )


def missing(
    resource: Resource, name: str, namespace: str, message: str, *, below: ObjectKey | None = None
) -> ObjectState:
    """Return an object that should be there and is not."""
    key = resource.key(name, namespace)
    return ObjectState(key=key, state="Missing", tone=FAIL, message=message, below=below)


def not_made_yet(resource: Resource, name: str, namespace: str) -> ObjectState:
    """Return an object that nobody has applied so far."""
    key, message = resource.key(name, namespace), "it has not been applied to the cluster yet"
    return ObjectState(key=key, state="Not made yet", tone=PROGRESS, message=message)


def pod_in_words(pod: PodInFull, *, below: ObjectKey | None, is_current: bool) -> ObjectState:
    """Return a pod with its containers."""
    said = say_pod(pod)
    return ObjectState(
        key=PODS.key(pod.name, pod.namespace),
        state=said.state,
        tone=said.tone,
        message=said.message,
        uid=pod.uid,
        created_at=moment(pod.meta.creation_timestamp),
        below=below,
        current=is_current,
        facts=said.facts,
        containers=say_containers(pod),
    )


def services_in_words(seen: Seen, above: Above) -> Iterator[ObjectState]:
    """Yield the Services, each below its owner, with their endpoint slices below them."""
    slices: Sequence[EndpointSlice] = seen.items(ENDPOINT_SLICES)
    services: Sequence[ServiceInFull] = seen.items(SERVICES)
    for service in services:
        own = [item for item in slices if item.labels.get(SERVICE_NAME) == service.name]
        key = SERVICES.key(service.name, service.namespace)
        yield in_words(SERVICES, service, say_service(service, own), below=above(service))
        yield from (in_words(ENDPOINT_SLICES, item, say_slice(item), below=key) for item in own)


def autoscalers_in_words(
    seen: Seen, scaled: tuple[str, str], above: Above
) -> Iterator[ObjectState]:
    """Yield every autoscaler that acts on the object of this kind and name, whoever made it."""
    scalers: Iterable[AutoscalerInFull] = seen.items(AUTOSCALERS)
    for scaler in scalers:
        if (scaler.target.kind, scaler.target.name) == scaled:
            yield in_words(AUTOSCALERS, scaler, say_autoscaler(scaler), below=above(scaler))


def surroundings_in_words(seen: Seen) -> Iterator[ObjectState]:
    """Yield the namespace, its quotas and the claim of the cache: what is not ours, yet decides."""
    ref = seen.ref
    key = NAMESPACES.key(ref.namespace)
    yield from (in_words(NAMESPACES, item, say_namespace(item)) for item in seen.items(NAMESPACES))
    if seen.is_known(NAMESPACES) and not seen.items(NAMESPACES):
        yield missing(NAMESPACES, ref.namespace, "", "the namespace does not exist")
    for quota in sorted(seen.items(QUOTAS), key=lambda item: str(item.name)):
        yield in_words(QUOTAS, quota, say_quota(quota), below=key)
    if not ref.claim:
        return
    yield from (in_words(CLAIMS, item, say_claim(item), below=key) for item in seen.items(CLAIMS))
    if seen.is_known(CLAIMS) and not seen.items(CLAIMS):
        message = "the claim that its cache names does not exist; create it"
        yield missing(CLAIMS, ref.claim, ref.namespace, message, below=key)

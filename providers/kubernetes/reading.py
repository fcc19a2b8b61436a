"""One deployment read live: every kind side by side, then what only a doubtful state calls for.

A kind that may not be read is only noted.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Any

from providers.contract.protocols import Deadline, Observation
from providers.contract.request import DeploymentRef
from providers.contract.target import ClusterTarget
from providers.kube.bounded import run_all
from providers.kube.client import KubeClient, client_for
from providers.kube.identity import require_same_cluster
from providers.kube.lists import Read, Selection, read_list, read_one
from providers.kube.resources import (
    AUTOSCALERS,
    DEPLOYMENTS,
    ENDPOINT_SLICES,
    EVENTS,
    NAMESPACES,
    NODES,
    PODS,
    REPLICA_SETS,
    SERVICES,
    Resource,
)
from providers.kube.scope import NamespaceView
from providers.kube.shared import MOST_EVENTS
from providers.kubernetes.drift import OwnedDeployment
from providers.kubernetes.seeing import (
    View,
    bad_by_place,
    nodes_in_doubt,
    observe_each,
    wants_events,
    with_deployments,
)
from providers.observing.log_causes import read_causes
from providers.workload.index import ClusterObjects
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
    Service,
)

MOST_NODES = 8

_STRUCTS: tuple[tuple[Resource, type[Item]], ...] = (
    (DEPLOYMENTS, OwnedDeployment),
    (REPLICA_SETS, ReplicaSet),
    (PODS, Pod),
    (SERVICES, Service),
    (ENDPOINT_SLICES, EndpointSlice),
    (AUTOSCALERS, HorizontalPodAutoscaler),
)
# Verdicts rest on events about pods, and on none of these: every pod has them, whatever comes next.
_TELL_NOTHING = ("Scheduled", "Created", "Started")
EVENTS_THAT_TELL = ",".join(
    ("involvedObject.kind=Pod", *(f"reason!={name}" for name in _TELL_NOTHING))
)

Reads = Mapping[Resource, Read[Any]]

_NOTHING: Read[Any] = Read()


def get(ref: DeploymentRef, target: ClusterTarget, *, deadline: Deadline) -> Observation:
    """Read one deployment; raises Unavailable, or Rejected for credentials or another cluster."""
    client = client_for(target, deadline=deadline)
    require_same_cluster(client, target, deadline=deadline)
    reads = _read_kinds(client, ref, deadline)
    view = _view(ref, reads)
    doubtful = _read_doubtful(client, view, ref, deadline)
    if doubtful:
        view = _view(ref, {**reads, **doubtful})
    causes_of = partial(read_causes, client, deadline=deadline)
    return observe_each(view, (ref,), causes_of=causes_of)[ref.id]


def _read_kinds(client: KubeClient, ref: DeploymentRef, deadline: Deadline) -> Reads:
    calls: list[partial[Read[Any]]] = [
        partial(read_one, client, NAMESPACES, Namespace, ref.namespace, deadline=deadline)
    ]
    calls += [
        partial(read_list, client, kind, struct, _selection(kind, ref), deadline=deadline)
        for kind, struct in _STRUCTS
    ]
    kinds = (NAMESPACES, *(kind for kind, _ in _STRUCTS))
    return dict(zip(kinds, run_all(client.threads, calls), strict=True))


def _selection(kind: Resource, ref: DeploymentRef) -> Selection:
    if kind is AUTOSCALERS:  # whoever made them: two on one target are a fault
        return Selection(namespace=ref.namespace)
    return Selection(namespace=ref.namespace, labels=f"{LABEL_ID}={ref.id}")


def _read_doubtful(client: KubeClient, view: View, ref: DeploymentRef, deadline: Deadline) -> Reads:
    """Read the nodes of pods that are not ready, and events where they could tell anything."""
    calls: list[tuple[Resource, partial[Read[Any]]]] = [
        (NODES, partial(read_one, client, NODES, Node, name, deadline=deadline))
        for name in nodes_in_doubt(view.objects.pods)[:MOST_NODES]
    ]
    if wants_events(view, ref):
        chosen = Selection(namespace=ref.namespace, fields=EVENTS_THAT_TELL, most=MOST_EVENTS)
        calls.append((EVENTS, partial(read_list, client, EVENTS, Event, chosen, deadline=deadline)))
    reads: dict[Resource, list[Read[Any]]] = {}
    answers = run_all(client.threads, [call for _, call in calls])
    for (kind, _), read in zip(calls, answers, strict=True):
        reads.setdefault(kind, []).append(read)
    return {kind: _joined(parts) for kind, parts in reads.items()}


def _joined(parts: Sequence[Read[Any]]) -> Read[Any]:
    return Read(
        items=tuple(item for part in parts for item in part.items),
        bad=tuple(item for part in parts for item in part.bad),
        forbidden=next((part.forbidden for part in parts if part.forbidden), ""),
    )


def _view(ref: DeploymentRef, reads: Reads) -> View:
    objects, deployments = with_deployments(_objects(reads), reads[DEPLOYMENTS].items)
    return View(
        objects=objects,
        deployments=deployments,
        namespaces=_namespaces(ref, reads[NAMESPACES]),
        forbidden={kind.kind: read.forbidden for kind, read in reads.items() if read.forbidden},
        bad=bad_by_place(item for read in reads.values() for item in read.bad),
        now=reads[PODS].now or datetime.now(UTC),
    )


def _objects(reads: Reads) -> ClusterObjects:
    return ClusterObjects(
        namespaces=reads[NAMESPACES].items,
        replica_sets=reads[REPLICA_SETS].items,
        pods=reads[PODS].items,
        events=reads.get(EVENTS, _NOTHING).items,
        services=reads[SERVICES].items,
        endpoint_slices=reads[ENDPOINT_SLICES].items,
        autoscalers=reads[AUTOSCALERS].items,
        nodes=reads.get(NODES, _NOTHING).items,
    )


def _namespaces(ref: DeploymentRef, read: Read[Namespace]) -> NamespaceView:
    found = {item.name: item for item in read.items}
    hidden = bool(found or read.forbidden or read.bad)
    return NamespaceView(found=found, missing=frozenset() if hidden else frozenset({ref.namespace}))

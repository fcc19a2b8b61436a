"""One deployment read live: every kind side by side, then what only a doubtful state calls for.

A kind that may not be read is only noted.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from providers.carrying.carrier import Carrier
from providers.carrying.live import observe_live
from providers.carrying.seeing import (
    Reads,
    View,
    nodes_in_doubt,
    pods_of,
    view_of,
    wants_events,
)
from providers.carrying.selecting import one_of
from providers.contract.protocols import Deadline, Observation
from providers.contract.request import DeploymentRef
from providers.contract.target import ClusterTarget
from providers.kube.bounded import run_all
from providers.kube.client import KubeClient, client_for
from providers.kube.identity import require_same_cluster
from providers.kube.lists import Read, Selection, read_list, read_one
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
from providers.kube.scope import NamespaceView
from providers.kube.shared import MOST_EVENTS
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

MOST_NODES = 8

_SHARED: tuple[tuple[Resource, type[Item]], ...] = (
    (PODS, Pod),
    (SERVICES, Service),
    (ENDPOINT_SLICES, EndpointSlice),
    (AUTOSCALERS, HorizontalPodAutoscaler),
)
# Events that every pod has, whatever comes next: no verdict rests on them.
_TELL_NOTHING = ("Scheduled", "Created", "Started")
_THAT_TELL = ",".join(f"reason!={name}" for name in _TELL_NOTHING)


def events_that_tell(kind: str) -> str:
    """Return what selects the events that verdicts may rest on; of any kind where none is given."""
    return f"involvedObject.kind={kind},{_THAT_TELL}" if kind else _THAT_TELL


def get(
    carrier: Carrier, ref: DeploymentRef, target: ClusterTarget, *, deadline: Deadline
) -> Observation:
    """Read one deployment; raises Unavailable, or Rejected for credentials or another cluster."""
    client = client_for(target, deadline=deadline)
    require_same_cluster(client, target, deadline=deadline)
    reads = _read_kinds(client, carrier, ref, deadline)
    namespaces = _namespaces(ref, reads[NAMESPACES])
    view = view_of(carrier, reads, namespaces)
    doubtful = _read_doubtful(client, view, ref, deadline)
    if doubtful:
        view = view_of(carrier, {**reads, **doubtful}, namespaces)
    observed = observe_live(client, view, (ref,), deadline=deadline)[ref.id]
    return replace(observed, pods=pods_of(view, ref))


def _read_kinds(
    client: KubeClient, carrier: Carrier, ref: DeploymentRef, deadline: Deadline
) -> Reads:
    structs = (*((kind.resource, kind.struct) for kind in carrier.kinds), *_SHARED)
    calls: list[partial[Read[Any]]] = [
        partial(read_one, client, NAMESPACES, Namespace, ref.namespace, deadline=deadline)
    ]
    calls += [
        partial(read_list, client, kind, struct, _selection(carrier, kind, ref), deadline=deadline)
        for kind, struct in structs
    ]
    kinds = (NAMESPACES, *(kind for kind, _ in structs))
    return dict(zip(kinds, run_all(client.threads, calls), strict=True))


def _selection(carrier: Carrier, kind: Resource, ref: DeploymentRef) -> Selection:
    if kind is AUTOSCALERS:  # whoever made them: two on one target are a fault
        return Selection(namespace=ref.namespace)
    return one_of(carrier, kind, ref)


def _read_doubtful(client: KubeClient, view: View, ref: DeploymentRef, deadline: Deadline) -> Reads:
    """Read the nodes of pods that are not ready, and events where they could tell anything."""
    calls: list[tuple[Resource, partial[Read[Any]]]] = [
        (NODES, partial(read_one, client, NODES, Node, name, deadline=deadline))
        for name in nodes_in_doubt(view.objects.pods)[:MOST_NODES]
    ]
    if wants_events(view, ref):
        calls += [
            (EVENTS, _events_of(client, kind, ref, deadline)) for kind in view.carrier.told_kinds
        ]
    reads: dict[Resource, list[Read[Any]]] = {}
    answers = run_all(client.threads, [call for _, call in calls])
    for (kind, _), read in zip(calls, answers, strict=True):
        reads.setdefault(kind, []).append(read)
    return {kind: _joined(parts) for kind, parts in reads.items()}


def _events_of(
    client: KubeClient, kind: str, ref: DeploymentRef, deadline: Deadline
) -> partial[Read[Any]]:
    chosen = Selection(namespace=ref.namespace, fields=events_that_tell(kind), most=MOST_EVENTS)
    return partial(read_list, client, EVENTS, Event, chosen, deadline=deadline)


def _joined(parts: Sequence[Read[Any]]) -> Read[Any]:
    return Read(
        items=tuple(item for part in parts for item in part.items),
        bad=tuple(item for part in parts for item in part.bad),
        forbidden=next((part.forbidden for part in parts if part.forbidden), ""),
    )


def _namespaces(ref: DeploymentRef, read: Read[Namespace]) -> NamespaceView:
    found = {item.name: item for item in read.items}
    hidden = bool(found or read.forbidden or read.bad)
    return NamespaceView(found=found, missing=frozenset() if hidden else frozenset({ref.namespace}))

"""Some deployments read at once, by a selector of their ids, wherever they are.

Reads the kinds of a full pass and no more of them than belongs to these, so that the verdicts are
those of a full pass. Autoscalers, warnings and namespaces are read by namespace, as those of others
matter too.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from providers.carrying.carrier import Carrier
from providers.carrying.live import observe_live
from providers.carrying.seeing import (
    Reads,
    nodes_in_doubt,
    view_of,
)
from providers.carrying.selecting import those_of
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
from providers.kube.shared import MOST_EVENTS, joined, read_everywhere, read_nodes
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

# More nodes in doubt are read in one list.
MOST_NODES = 8

_BY_ID: tuple[tuple[Resource, type[Item], str], ...] = (
    (PODS, Pod, "status.phase!=Succeeded"),
    (SERVICES, Service, ""),
    (ENDPOINT_SLICES, EndpointSlice, ""),
)
_BY_NAMESPACE: tuple[tuple[Resource, type[Item], Selection], ...] = (
    (AUTOSCALERS, HorizontalPodAutoscaler, Selection()),
    (EVENTS, Event, Selection(fields="type=Warning", most=MOST_EVENTS)),
)


def get_several(
    carrier: Carrier, refs: Sequence[DeploymentRef], target: ClusterTarget, *, deadline: Deadline
) -> Mapping[str, Observation]:
    """Read some deployments live; raises Unavailable, or Rejected as a read of one does."""
    if not refs:
        return {}
    client = client_for(target, deadline=deadline)
    require_same_cluster(client, target, deadline=deadline)
    spaces = tuple(sorted({ref.namespace for ref in refs}))
    found = _read(client, carrier, replace(target, namespaces=spaces), refs, deadline)
    reads = {**found, NODES: _read_nodes(client, found[PODS].items, deadline)}
    view = view_of(carrier, reads, _namespaces(reads[NAMESPACES], spaces))
    return observe_live(client, view, refs, deadline=deadline)


def _read(
    client: KubeClient,
    carrier: Carrier,
    target: ClusterTarget,
    refs: Sequence[DeploymentRef],
    deadline: Deadline,
) -> Reads:
    kinds = (*((kind.resource, kind.struct, "") for kind in carrier.kinds), *_BY_ID)
    by_id = [
        partial(
            read_everywhere,
            client,
            kind,
            struct,
            Selection(labels=those_of(carrier, kind, refs), fields=fields),
            target=target,
            deadline=deadline,
        )
        for kind, struct, fields in kinds
    ]
    in_spaces = list(_in_namespaces(client, target.namespaces, deadline))
    results = run_all(client.threads, [*by_id, *(call for _, _, call in in_spaces)])
    reads: dict[Resource, Read[Any]] = dict(
        zip((kind for kind, _, _ in kinds), results, strict=False)
    )
    parts: dict[Resource, dict[str, Read[Any]]] = {}
    for (kind, space, _), read in zip(in_spaces, results[len(by_id) :], strict=True):
        parts.setdefault(kind, {})[space] = read
    return reads | {kind: joined(by_space) for kind, by_space in parts.items()}


def _in_namespaces(
    client: KubeClient, spaces: Sequence[str], deadline: Deadline
) -> Iterator[tuple[Resource, str, partial[Read[Any]]]]:
    for space in spaces:
        yield (
            NAMESPACES,
            space,
            partial(read_one, client, NAMESPACES, Namespace, space, deadline=deadline),
        )
        for kind, struct, selection in _BY_NAMESPACE:
            own = replace(selection, namespace=space)
            call = partial(read_list, client, kind, struct, own, deadline=deadline)
            yield kind, space, call


def _read_nodes(client: KubeClient, pods: tuple[Pod, ...], deadline: Deadline) -> Read[Node]:
    names = nodes_in_doubt(pods)
    if len(names) > MOST_NODES:
        return read_nodes(client, deadline=deadline)
    calls = [partial(read_one, client, NODES, Node, name, deadline=deadline) for name in names]
    reads = run_all(client.threads, calls)
    return Read(
        items=tuple(node for read in reads for node in read.items),
        forbidden=next((read.forbidden for read in reads if read.forbidden), ""),
    )


def _namespaces(read: Read[Namespace], spaces: Sequence[str]) -> NamespaceView:
    """Return which are there; one that is hidden or did not decode is neither there nor missing."""
    found = {item.name: item for item in read.items}
    hidden = {item.name for item in read.bad}
    hidden |= {name for name, why in (read.reach or {}).items() if why}
    missing = frozenset(spaces) - found.keys() - hidden
    return NamespaceView(found=found, missing=missing)

"""What one pass reads once for all providers: pods, nodes, namespaces, quotas, autoscalers, events.

Read cluster-wide where we may, else namespace by namespace. It must not know what any provider
makes of it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from typing import TypeVar

from providers.contract.errors import Unavailable
from providers.contract.protocols import Deadline, SharedReads
from providers.contract.target import ClusterTarget
from providers.kube.bounded import run_all
from providers.kube.client import KubeClient
from providers.kube.lists import BadItem, Read, Selection, as_it_is, read_list
from providers.kube.resources import AUTOSCALERS, EVENTS, NODES, PODS, QUOTAS, Resource
from providers.kube.scope import NamespaceView
from providers.workload.labels import LABEL_MANAGED_BY, MANAGED_BY
from providers.workload.objects import (
    Event,
    HorizontalPodAutoscaler,
    Node,
    Pod,
    ResourceQuota,
)
from providers.workload.slimming import slim_pod, slim_with_origin

_T = TypeVar("_T")

EVERYONES = ""
OURS = f"{LABEL_MANAGED_BY}={MANAGED_BY}"
MOST_EVENTS = 2000
_UNFINISHED = "status.phase!=Succeeded,status.phase!=Failed"


@dataclass(frozen=True, kw_only=True, slots=True)
class SharedObjects:
    """The objects of one pass; `pods` are all unfinished ones, and those of ours that failed.

    `events` are warnings. `forbidden` maps a kind to why we may not read it at all, `reach` a kind
    to the namespaces it was read in, where not in all (see Read). `bad` are objects that did not
    decode. `autoscalers` are everyone's, of all namespaces or of none: they have their own troubles
    with them. `now` is the API server's clock.
    """

    now: datetime
    pods: tuple[Pod, ...] = ()
    nodes: tuple[Node, ...] = ()
    quotas: tuple[ResourceQuota, ...] = ()
    namespaces: NamespaceView = field(default_factory=NamespaceView)
    events: tuple[Event, ...] = ()
    autoscalers: Read[HorizontalPodAutoscaler] = field(default_factory=Read)
    forbidden: Mapping[str, str] = field(default_factory=dict)
    reach: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    bad: tuple[BadItem, ...] = ()


def payload_of(shared: SharedReads) -> SharedObjects:
    """Return what this door put into a pass; raises Unavailable for another door's."""
    if isinstance(shared.payload, SharedObjects):
        return shared.payload
    raise Unavailable("the reads of this pass were not made through the Kubernetes door")


def read_pods(
    client: KubeClient, target: ClusterTarget, *, labels: str, deadline: Deadline
) -> Read[Pod]:
    """Read the unfinished pods with these labels, and of ours those that failed too."""
    unfinished = Selection(labels=labels, fields=_UNFINISHED)
    failed = Selection(labels=OURS, fields="status.phase=Failed")
    read = partial(
        read_everywhere, client, PODS, Pod, target=target, deadline=deadline, keep=slim_pod
    )
    running, ended = run_all(client.threads, [partial(read, unfinished), partial(read, failed)])
    return replace(running, items=running.items + ended.items, bad=running.bad + ended.bad)


def read_everywhere(
    client: KubeClient,
    resource: Resource,
    struct: type[_T],
    selection: Selection,
    *,
    target: ClusterTarget,
    deadline: Deadline,
    keep: Callable[[_T], _T] = as_it_is,
) -> Read[_T]:
    """Read a kind in all namespaces, or in those of the cluster's row where that is forbidden."""
    read = partial(read_list, client, resource, struct, deadline=deadline, keep=keep)
    found = read(selection)
    if not found.forbidden or not target.namespaces:
        return found
    return joined({name: read(replace(selection, namespace=name)) for name in target.namespaces})


def read_warnings(
    client: KubeClient, namespaces: Sequence[str], *, deadline: Deadline
) -> Read[Event]:
    """Read the warning events of some namespaces, of each as many as anyone can make sense of."""
    calls = [partial(_warnings_of, client, name, deadline) for name in namespaces]
    return joined(dict(zip(namespaces, run_all(client.threads, calls), strict=True)))


def read_nodes(client: KubeClient, *, deadline: Deadline) -> Read[Node]:
    return read_list(client, NODES, Node, Selection(), deadline=deadline)


def read_autoscalers(client: KubeClient, *, deadline: Deadline) -> Read[HorizontalPodAutoscaler]:
    """Read them whoever made them: a second one on a workload of ours is a conflict."""
    return read_list(
        client,
        AUTOSCALERS,
        HorizontalPodAutoscaler,
        Selection(),
        deadline=deadline,
        keep=slim_with_origin,
    )


def read_quotas(
    client: KubeClient, target: ClusterTarget, *, deadline: Deadline
) -> Read[ResourceQuota]:
    return read_everywhere(
        client, QUOTAS, ResourceQuota, Selection(), target=target, deadline=deadline
    )


def joined(reads: Mapping[str, Read[_T]]) -> Read[_T]:
    """Return the reads of several namespaces as one; forbidden only when every one of them is."""
    parts = reads.values()
    forbidden = [part.forbidden for part in parts if part.forbidden]
    return Read(
        items=tuple(item for part in parts for item in part.items),
        bad=tuple(item for part in parts for item in part.bad),
        forbidden=forbidden[0] if len(forbidden) == len(parts) and forbidden else "",
        cut=any(part.cut for part in parts),
        reach={name: part.forbidden for name, part in reads.items()},
        now=next((part.now for part in parts if part.now), None),
    )


def _warnings_of(client: KubeClient, namespace: str, deadline: Deadline) -> Read[Event]:
    selection = Selection(namespace=namespace, fields="type=Warning", most=MOST_EVENTS)
    return read_list(client, EVENTS, Event, selection, deadline=deadline)

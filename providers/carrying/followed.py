"""Which kinds a watcher follows, which objects of each, and what it keeps of them.

The same as a live look reads; quotas aside, whose words stand in what ReplicaSets say.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from providers.carrying.carrier import Carrier
from providers.carrying.reading import events_that_tell
from providers.carrying.selecting import all_of
from providers.kube.lists import Selection, as_it_is
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
from providers.kube.shared import OURS
from providers.workload.objects import (
    EndpointSlice,
    Event,
    HorizontalPodAutoscaler,
    Namespace,
    Node,
    Pod,
    Service,
)
from providers.workload.slimming import slim, slim_pod


@dataclass(frozen=True, kw_only=True, slots=True)
class Followed:
    """One kind: as what it is read, which of it, and what is kept."""

    resource: Resource
    struct: type[Any]
    selection: Selection
    keep: Callable[[Any], Any]


def followed_by(carrier: Carrier) -> tuple[Followed, ...]:
    """Return the kinds that a watcher of deployments of this kind follows."""
    ours = all_of(carrier, SERVICES)
    own = (
        Followed(
            resource=kind.resource,
            struct=kind.struct,
            selection=all_of(carrier, kind.resource),
            keep=kind.keep,
        )
        for kind in carrier.kinds
    )
    told = Selection(fields=_events_of(carrier))
    return (
        *own,
        Followed(resource=PODS, struct=Pod, selection=Selection(labels=OURS), keep=slim_pod),
        Followed(resource=SERVICES, struct=Service, selection=ours, keep=slim),
        Followed(resource=ENDPOINT_SLICES, struct=EndpointSlice, selection=ours, keep=slim),
        Followed(
            resource=AUTOSCALERS,
            struct=HorizontalPodAutoscaler,
            selection=Selection(),
            keep=slim,
        ),
        Followed(resource=EVENTS, struct=Event, selection=told, keep=as_it_is),
        Followed(resource=NODES, struct=Node, selection=Selection(), keep=as_it_is),
        Followed(resource=NAMESPACES, struct=Namespace, selection=Selection(), keep=as_it_is),
    )


def _events_of(carrier: Carrier) -> str:
    """Return which events to follow: a selector names one kind, or none and so all."""
    kinds = carrier.told_kinds
    return events_that_tell(kinds[0] if len(kinds) == 1 else "")

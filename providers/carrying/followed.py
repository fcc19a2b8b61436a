"""Which kinds a watcher follows, which objects of each, and what it keeps of them.

The same as a live look reads; quotas aside, whose words stand in what ReplicaSets say. What the
watchers of several kinds follow in the same words is one stream for all of them.
"""

from typing import Any

from providers.carrying.cache import MOST_EVENTS
from providers.carrying.carrier import Carrier
from providers.carrying.reading import events_that_tell
from providers.carrying.selecting import all_of
from providers.kube.feeding import Subject
from providers.kube.lists import Selection, as_it_is
from providers.kube.resources import (
    AUTOSCALERS,
    ENDPOINT_SLICES,
    EVENTS,
    NAMESPACES,
    NODES,
    PODS,
    SERVICES,
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


def followed_by(carrier: Carrier) -> tuple[Subject[Any], ...]:
    """Return the kinds that a watcher of deployments of this kind follows."""
    ours = all_of(carrier, SERVICES)
    own = (
        Subject(
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
        Subject(resource=PODS, struct=Pod, selection=Selection(labels=OURS), keep=slim_pod),
        Subject(resource=SERVICES, struct=Service, selection=ours, keep=slim),
        Subject(resource=ENDPOINT_SLICES, struct=EndpointSlice, selection=ours, keep=slim),
        Subject(
            resource=AUTOSCALERS,
            struct=HorizontalPodAutoscaler,
            selection=Selection(),
            keep=slim,
        ),
        Subject(resource=EVENTS, struct=Event, selection=told, keep=as_it_is, most=MOST_EVENTS),
        Subject(resource=NODES, struct=Node, selection=Selection(), keep=as_it_is),
        Subject(resource=NAMESPACES, struct=Namespace, selection=Selection(), keep=as_it_is),
    )


def _events_of(carrier: Carrier) -> str:
    """Return which events to follow: a selector names one kind, or none and so all."""
    kinds = carrier.told_kinds
    return events_that_tell(kinds[0] if len(kinds) == 1 else "")

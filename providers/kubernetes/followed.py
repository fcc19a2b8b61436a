"""Which kinds a watcher follows, which objects of each, and what it keeps of them.

The same as a live look reads; quotas aside, whose words stand in what ReplicaSets say.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from providers.kube.lists import Selection, as_it_is
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
from providers.kube.shared import OURS
from providers.kubernetes.drift import OwnedDeployment, without_own_fields
from providers.kubernetes.reading import EVENTS_THAT_TELL
from providers.kubernetes.render import KIND
from providers.workload.labels import LABEL_IMPLEMENTATION
from providers.workload.objects import (
    EndpointSlice,
    Event,
    HorizontalPodAutoscaler,
    Namespace,
    Node,
    Pod,
    ReplicaSet,
    Service,
)
from providers.workload.slimming import slim, slim_pod

OF_OURS = Selection(labels=f"{OURS},{LABEL_IMPLEMENTATION}={KIND}")


@dataclass(frozen=True, kw_only=True, slots=True)
class Followed:
    """One kind: as what it is read, which of it, and what is kept."""

    resource: Resource
    struct: type[Any]
    selection: Selection = OF_OURS
    keep: Callable[[Any], Any] = slim


KINDS = (
    Followed(
        resource=DEPLOYMENTS,
        struct=OwnedDeployment,
        keep=lambda item: slim(without_own_fields(item)),
    ),
    Followed(resource=REPLICA_SETS, struct=ReplicaSet),
    Followed(resource=PODS, struct=Pod, selection=Selection(labels=OURS), keep=slim_pod),
    Followed(resource=SERVICES, struct=Service),
    Followed(resource=ENDPOINT_SLICES, struct=EndpointSlice),
    Followed(resource=AUTOSCALERS, struct=HorizontalPodAutoscaler, selection=Selection()),
    Followed(
        resource=EVENTS,
        struct=Event,
        selection=Selection(fields=EVENTS_THAT_TELL),
        keep=as_it_is,
    ),
    Followed(resource=NODES, struct=Node, selection=Selection(), keep=as_it_is),
    Followed(resource=NAMESPACES, struct=Namespace, selection=Selection(), keep=as_it_is),
)

"""What a deletion would remove now: the objects that it selects, and what stays beside them.

Endpoint slices are told as well, which go with their Service; an autoscaler of somebody else stays.
"""

from collections.abc import Iterator
from functools import partial
from typing import Any

from providers.carrying.leaving import remaining
from providers.contract.manifest import ObjectKey
from providers.contract.protocols import Deadline
from providers.contract.removing import Going
from providers.contract.request import DeploymentRef
from providers.contract.target import ClusterTarget
from providers.kube.client import client_for
from providers.kube.lists import Read, Selection, read_list
from providers.kube.resources import AUTOSCALERS, DEPLOYMENTS, ENDPOINT_SLICES, SERVICES, Resource
from providers.kubernetes.deleting import KINDS, selection_of
from providers.observing.reading import read_side_by_side, troubles_of
from providers.workload.labels import LABEL_ID
from providers.workload.objects import HorizontalPodAutoscaler, Item

_WITH_SLICES = tuple(
    kind for one in KINDS for kind in ((one, ENDPOINT_SLICES) if one is SERVICES else (one,))
)


def what_goes(ref: DeploymentRef, target: ClusterTarget, *, deadline: Deadline) -> Going:
    """Return what a deletion would find; raises Unavailable or Rejected when nothing is read."""
    client = client_for(target, deadline=deadline)
    calls = [
        partial(read_list, client, kind, Item, _selection(kind, ref), deadline=deadline)
        for kind in _WITH_SLICES
    ]
    beside = partial(
        read_list,
        client,
        AUTOSCALERS,
        HorizontalPodAutoscaler,
        Selection(namespace=ref.namespace),
        deadline=deadline,
    )
    *own, scalers = read_side_by_side(client, target, [*calls, beside], deadline=deadline)
    reads = dict(zip(_WITH_SLICES, own, strict=True))
    return Going(
        objects=tuple(remaining(kind, item) for kind, read in reads.items() for item in read.items),
        staying=tuple(_strangers(scalers, ref)),
        unreadable=troubles_of({kind.kind: read for kind, read in reads.items()}),
    )


def _selection(kind: Resource, ref: DeploymentRef) -> Selection:
    """Return what deletion selects; who makes endpoint slices calls them managed by themselves."""
    if kind is ENDPOINT_SLICES:
        return Selection(namespace=ref.namespace, labels=f"{LABEL_ID}={ref.id}")
    return selection_of(ref)


def _strangers(scalers: Read[Any], ref: DeploymentRef) -> Iterator[ObjectKey]:
    for scaler in scalers.items:
        target = scaler.target
        is_on_it = (target.kind, target.name) == (DEPLOYMENTS.kind, ref.runtime_name)
        if is_on_it and scaler.labels.get(LABEL_ID) != ref.id:
            yield AUTOSCALERS.key(scaler.name, scaler.namespace)

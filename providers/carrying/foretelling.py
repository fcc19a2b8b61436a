"""What a deletion would remove now: the objects that it selects, and what stays beside them.

Endpoint slices are told as well, which go with their Service; an autoscaler of somebody else stays.
"""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from providers.carrying.carrier import Carrier
from providers.carrying.deleting import read_workload, selection_of
from providers.carrying.leaving import remaining
from providers.carrying.selecting import one_of
from providers.contract.manifest import ObjectKey
from providers.contract.protocols import Deadline, Remaining
from providers.contract.removing import Going
from providers.contract.request import DeploymentRef
from providers.contract.target import ClusterTarget
from providers.kube.client import client_for
from providers.kube.lists import Read, Selection, read_list
from providers.kube.resources import AUTOSCALERS, ENDPOINT_SLICES, SERVICES, Resource
from providers.observing.reading import read_side_by_side, troubles_of
from providers.workload.labels import LABEL_ID
from providers.workload.objects import HorizontalPodAutoscaler, Item


def what_goes(
    carrier: Carrier, ref: DeploymentRef, target: ClusterTarget, *, deadline: Deadline
) -> Going:
    """Return what a deletion would find; raises Unavailable or Rejected when nothing is read."""
    client = client_for(target, deadline=deadline)
    kinds = tuple(_with_slices(carrier))
    calls = [
        partial(read_list, client, kind, Item, _selection(carrier, kind, ref), deadline=deadline)
        for kind in kinds
    ]
    beside = partial(
        read_list,
        client,
        AUTOSCALERS,
        HorizontalPodAutoscaler,
        Selection(namespace=ref.namespace),
        deadline=deadline,
    )
    named = partial(read_workload, client, carrier, ref, deadline=deadline)
    *own, workload, scalers = read_side_by_side(
        client, target, [*calls, named, beside], deadline=deadline
    )
    reads = dict(zip(kinds, own, strict=True))
    return Going(
        objects=tuple(_objects(carrier, reads, workload)),
        staying=tuple(_strangers(carrier, scalers, ref)),
        unreadable=troubles_of({kind.kind: read for kind, read in reads.items()}),
    )


def _objects(
    carrier: Carrier, reads: Mapping[Resource, Read[Item]], workload: Read[Item]
) -> Iterator[Remaining]:
    """Yield what goes, each object once: the workload bears our labels, or only our uid."""
    for kind, read in reads.items():
        items = {item.uid: item for item in read.items}
        if kind is carrier.workload.resource:
            items |= {item.uid: item for item in workload.items}
        yield from (remaining(kind, item) for item in items.values())


def _selection(carrier: Carrier, kind: Resource, ref: DeploymentRef) -> Selection:
    """Return what deletion selects; who makes endpoint slices calls them managed by themselves."""
    if kind is ENDPOINT_SLICES or carrier.named_by(kind):
        return one_of(carrier, kind, ref)
    return selection_of(ref)


def _with_slices(carrier: Carrier) -> Iterator[Resource]:
    for kind in carrier.deleted:
        yield kind
        if kind is SERVICES:
            yield ENDPOINT_SLICES
    yield from (kind.resource for kind in carrier.further if kind.named_by)


def _strangers(carrier: Carrier, scalers: Read[Any], ref: DeploymentRef) -> Iterator[ObjectKey]:
    scaled = carrier.scaled(ref.runtime_name)
    for scaler in scalers.items:
        target = scaler.target
        is_on_it = (target.kind, target.name) == scaled
        if is_on_it and scaler.labels.get(LABEL_ID) != ref.id:
            yield AUTOSCALERS.key(scaler.name, scaler.namespace)

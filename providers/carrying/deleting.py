"""Deletion: what stands beside the workload, then that in the foreground, each by its uid.

Only objects that carry the deployment's id are touched, and the workload that we made, even without
its labels. Gone means that the cluster has none of them, pods included, since pods hold
accelerators after their workload has gone.
"""

from dataclasses import replace
from functools import partial

from providers.carrying.carrier import Carrier
from providers.carrying.leaving import remaining
from providers.contract.errors import Rejected, Unavailable
from providers.contract.protocols import Deadline, Deletion
from providers.contract.request import DeploymentRef
from providers.contract.target import ClusterTarget
from providers.kube.apply import delete_object
from providers.kube.bounded import run_all
from providers.kube.client import KubeClient, client_for
from providers.kube.identity import require_same_cluster
from providers.kube.lists import Read, Selection, read_list, read_one
from providers.kube.resources import PODS, Resource
from providers.workload.labels import LABEL_ID, LABEL_MANAGED_BY, MANAGED_BY
from providers.workload.objects import Item

Found = list[tuple[Resource, Item]]


def delete(
    carrier: Carrier, ref: DeploymentRef, target: ClusterTarget, *, deadline: Deadline
) -> Deletion:
    """Ask for deletion of what there is; deleting what is gone succeeds.

    Raises Unavailable where an object did not take it, since somebody wrote it at that moment.
    """
    client = client_for(target, deadline=deadline)
    require_same_cluster(client, target, deadline=deadline)
    found = _find(client, carrier, ref, deadline)
    if not found:
        return Deletion(gone=True)
    companions = [pair for pair in found if _is_companion(carrier, *pair)]
    topmost = [pair for pair in found if _is_topmost(carrier, *pair)]
    _delete_all(client, companions, "Background", deadline)
    _delete_all(client, topmost, "Foreground", deadline)
    left = _find(client, carrier, ref, deadline)
    _require_going(carrier, left)
    return Deletion(gone=not left, waiting_for=tuple(remaining(*pair) for pair in left))


def selection_of(ref: DeploymentRef) -> Selection:
    """Return what selects the objects of a deployment."""
    labels = f"{LABEL_ID}={ref.id},{LABEL_MANAGED_BY}={MANAGED_BY}"
    return Selection(namespace=ref.namespace, labels=labels)


def _find(client: KubeClient, carrier: Carrier, ref: DeploymentRef, deadline: Deadline) -> Found:
    """Return what is left of a deployment, in the order in which it goes."""
    selection, kinds = selection_of(ref), carrier.deleted
    reads: list[Read[Item]] = run_all(
        client.threads,
        [partial(read_list, client, kind, Item, selection, deadline=deadline) for kind in kinds],
    )
    for kind, read in zip(kinds, reads, strict=True):
        if read.forbidden and kind is not PODS:
            raise Rejected(read.forbidden, code="Forbidden")
    found = [(kind, item) for kind, read in zip(kinds, reads, strict=True) for item in read.items]
    workload = carrier.workload.resource
    if not ref.workload_uid or any(kind is workload for kind, _ in found):
        return found
    named = read_workload(client, carrier, ref, deadline=deadline)
    if named.trouble and not named.items:
        raise Rejected(named.trouble, code="Forbidden" if named.forbidden else "Unreadable")
    return [*((workload, item) for item in named.items), *found]


def read_workload(
    client: KubeClient, carrier: Carrier, ref: DeploymentRef, *, deadline: Deadline
) -> Read[Item]:
    """Read the workload by its name: it is ours by its uid, whatever became of its labels."""
    kind, name = carrier.workload.resource, ref.runtime_name
    read = read_one(client, kind, Item, name, ref.namespace, deadline=deadline)
    return replace(read, items=tuple(one for one in read.items if one.uid == ref.workload_uid))


def _is_companion(carrier: Carrier, kind: Resource, item: Item) -> bool:
    """Tell whether we made it beside the workload; what a controller made goes with its owner."""
    owner = item.controller
    return kind in carrier.companions and not (owner and owner.controller)


def _is_topmost(carrier: Carrier, kind: Resource, item: Item) -> bool:
    """Tell whether nothing above it takes it along: a workload, or what it made left alone."""
    if kind is carrier.workload.resource:
        return True
    below = {kind.resource for kind in carrier.further} - {*carrier.companions}
    return kind in below and not item.meta.owner_references


def _require_going(carrier: Carrier, left: Found) -> None:
    """Raise Unavailable for what stays unless it is asked again: nothing takes it along."""
    for kind, item in left:
        is_alone = _is_companion(carrier, kind, item) and not item.meta.owner_references
        if (is_alone or _is_topmost(carrier, kind, item)) and not item.is_terminating:
            key = kind.key(item.name, item.namespace)
            raise Unavailable(f"{key} was written while it was to be deleted", code="Conflict")


def _delete_all(client: KubeClient, pairs: Found, propagation: str, deadline: Deadline) -> None:
    calls = [
        partial(
            delete_object,
            client,
            kind.key(item.name, item.namespace),
            uid=item.uid,
            deadline=deadline,
            propagation=propagation,
        )
        for kind, item in pairs
        if not item.is_terminating
    ]
    run_all(client.threads, calls)

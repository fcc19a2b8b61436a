"""Removes objects of ours that no record owns: exactly those that are named, each by its uid.

An object of the same name that came since is another one, and stays.
"""

from collections.abc import Sequence
from functools import partial

from providers.carrying.carrier import Carrier
from providers.carrying.leaving import remaining
from providers.contract.protocols import Deadline, Deletion, ManagedObject, Remaining
from providers.contract.target import ClusterTarget
from providers.kube.apply import delete_object
from providers.kube.bounded import run_all
from providers.kube.client import KubeClient, client_for
from providers.kube.identity import require_same_cluster
from providers.kube.lists import read_one
from providers.kube.resources import resource_of
from providers.workload.objects import Item


def remove(
    carrier: Carrier, objects: Sequence[ManagedObject], target: ClusterTarget, *, deadline: Deadline
) -> Deletion:
    """Delete what stands beside workloads, then these in the foreground; say what is still there.

    Raises the first refusal when the others of its kind were asked for as well.
    """
    client = client_for(target, deadline=deadline)
    require_same_cluster(client, target, deadline=deadline)
    beside = {kind.kind for kind in carrier.companions}
    companions = [found for found in objects if found.key.kind in beside]
    others = [found for found in objects if found.key.kind not in beside]
    _delete_all(client, companions, "Background", deadline)
    _delete_all(client, others, "Foreground", deadline)
    looks = [partial(_look_at, client, found, deadline) for found in objects]
    left = tuple(rest for rest in run_all(client.threads, looks) if rest is not None)
    return Deletion(gone=not left, waiting_for=left)


def _delete_all(
    client: KubeClient, objects: Sequence[ManagedObject], propagation: str, deadline: Deadline
) -> None:
    calls = [
        partial(
            delete_object,
            client,
            found.key,
            uid=found.uid,
            deadline=deadline,
            propagation=propagation,
        )
        for found in objects
    ]
    run_all(client.threads, calls)


def _look_at(client: KubeClient, found: ManagedObject, deadline: Deadline) -> Remaining | None:
    kind, key = resource_of(found.key), found.key
    read = read_one(client, kind, Item, key.name, key.namespace, deadline=deadline)
    if read.forbidden or read.bad:
        return Remaining(object=key)  # whether it is gone the next pass will see
    same = [item for item in read.items if item.uid == found.uid]
    return remaining(kind, same[0]) if same else None

"""The stand-in for AIBrix's controller of PodSets: one pod for each rank.

While one is refused there is no status, only an event that says why.
"""

from collections.abc import Sequence

from providers.contract.manifest import Manifest
from providers.testing.controllers.hand import Hand, has, is_ending, owned, owner_reference
from providers.testing.controllers.rolesets import pod_of, shortened, with_env
from providers.testing.controllers.storm import PREFIX

FINALIZER = "orchestration.aibrix.ai/podset-finalizer"


def reconcile(hand: Hand, pod_set: Manifest, pods: Sequence[Manifest]) -> None:
    """Take the next step of a PodSet."""
    mine = owned(pods, pod_set)
    if is_ending(pod_set):
        for pod in mine:
            hand.delete(pod)
        if not mine:
            hand.release(pod_set, FINALIZER)
        return
    hand.hold(pod_set, FINALIZER)
    names = {pod["metadata"]["name"] for pod in mine}
    size = pod_set["spec"]["podGroupSize"]
    pods_wanted = [_pod(pod_set, rank) for rank in range(size)]
    missing = [pod for pod in pods_wanted if pod["metadata"]["name"] not in names]
    if missing:
        told = f"creating {len(missing)} pod(s) to replace missing ones, aiming for {size} total."
        hand.tell(pod_set, "ReplacingUnhealthy", f"ReplaceUnhealthy policy: {told}")
    for pod in missing:
        if refusal := hand.create(pod):
            told = f"Failed to reconcile pods: failed to create pod {pod['metadata']['name']}: "
            hand.tell(pod_set, "ReconcileError", told + refusal, kind="Warning")
            return
    hand.report(pod_set, _status(pod_set, mine))


def _pod(pod_set: Manifest, rank: int) -> Manifest:
    metadata, size = pod_set["metadata"], pod_set["spec"]["podGroupSize"]
    name = shortened(f"{metadata['name']}-{rank}")
    labels = {
        **metadata["labels"],
        f"{PREFIX}/podset-name": metadata["name"],
        f"{PREFIX}/pod-group-index": str(rank),
    }
    added = {
        "PODSET_NAME": metadata["name"],
        "POD_GROUP_INDEX": str(rank),
        "POD_GROUP_SIZE": str(size),
    }
    named = {
        "name": name,
        "namespace": metadata["namespace"],
        "labels": labels,
        "annotations": metadata["annotations"],
        "ownerReferences": [owner_reference(pod_set)],
    }
    template = with_env(pod_set["spec"]["template"], added, ("containers", "initContainers"))
    return pod_of(template, named, hostname=name)


def _status(pod_set: Manifest, mine: Sequence[Manifest]) -> Manifest:
    ready = sum(has(pod, "Ready") and not is_ending(pod) for pod in mine)
    phase = "Running" if mine else "Pending"
    if ready == pod_set["spec"]["podGroupSize"]:
        phase = "Ready"
    counts = {"readyPods": ready, "totalPods": len(mine)}
    return {"phase": phase, **{name: number for name, number in counts.items() if number}}

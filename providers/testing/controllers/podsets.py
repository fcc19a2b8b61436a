"""The stand-in for AIBrix's controller of PodSets: one pod for each rank.

While one is refused there is no status, only an event that says why.
"""

from collections.abc import Sequence

from providers.contract.manifest import Manifest
from providers.testing.controllers.hand import Hand
from providers.testing.controllers.objects import has, is_ending, labels_of, omit_zeros, owned
from providers.testing.controllers.rolesets import pod_of, shortened, with_env
from providers.testing.controllers.storm import PREFIX

FINALIZER = "orchestration.aibrix.ai/podset-finalizer"


def reconcile(hand: Hand, pod_set: Manifest, pods: Sequence[Manifest]) -> None:
    """Take the next step of a PodSet."""
    mine = owned(pods, pod_set)
    if not hand.keeps(pod_set, mine, FINALIZER):
        return
    names = {pod["metadata"]["name"] for pod in mine}
    size = pod_set["spec"]["podGroupSize"]
    wanted = [_pod(pod_set, rank) for rank in range(size)]
    missing = [pod for pod in wanted if pod["metadata"]["name"] not in names]
    if missing:
        told = f"creating {len(missing)} pod(s) to replace missing ones, aiming for {size} total."
        hand.tell(pod_set, "ReplacingUnhealthy", f"ReplaceUnhealthy policy: {told}", kind="Normal")
    for pod in missing:
        if refusal := hand.create(pod):
            told = f"Failed to reconcile pods: failed to create pod {pod['metadata']['name']}: "
            hand.tell(pod_set, "ReconcileError", told + refusal)
            return
    ready = sum(has(pod, "Ready") and not is_ending(pod) for pod in mine)
    phase = "Ready" if ready == size else "Running" if mine else "Pending"
    counts = omit_zeros({"readyPods": ready, "totalPods": len(mine)})
    hand.report(pod_set, {"phase": phase, **counts})


def _pod(pod_set: Manifest, rank: int) -> Manifest:
    metadata, spec = pod_set["metadata"], pod_set["spec"]
    labels = {f"{PREFIX}/podset-name": metadata["name"], f"{PREFIX}/pod-group-index": str(rank)}
    added = {
        "PODSET_NAME": metadata["name"],
        "POD_GROUP_INDEX": str(rank),
        "POD_GROUP_SIZE": str(spec["podGroupSize"]),
    }
    template = with_env(spec["template"], added, ("containers", "initContainers"))
    told = {
        "labels": {**labels_of(pod_set), **labels},
        "annotations": metadata["annotations"],
    }
    name = shortened(f"{metadata['name']}-{rank}")
    return pod_of(pod_set, template, name, told, is_named=True)

"""Lets the word `unschedulable` come true when a pod is made, since no kubelet ever sees it."""

from collections.abc import Mapping

from providers.contract.manifest import Manifest
from providers.simulation.simulate import UNSCHEDULABLE_ACCELERATORS, Word, read_words

ACCELERATOR = "nvidia.com/gpu"


def make_unschedulable(pod: Manifest, annotations: Mapping[str, str]) -> None:
    """Let a pod that is told to be unschedulable ask for more than any node has, in place."""
    if not (pod.get("spec") or {}).get("containers"):
        return
    simulations, _ = read_words(pod, annotations)
    if any(each.word is Word.UNSCHEDULABLE for each in simulations.values()):
        amount = {ACCELERATOR: str(UNSCHEDULABLE_ACCELERATORS)}
        resources = pod["spec"]["containers"][0].setdefault("resources", {})
        for field in ("limits", "requests"):
            resources[field] = {**(resources.get(field) or {}), **amount}

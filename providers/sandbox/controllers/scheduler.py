"""The scheduler: finds a node for a pod, or says of how many nodes what is missing."""

from collections import Counter

from providers.contract.manifest import Manifest
from providers.contract.quantity import lenient_quantity
from providers.sandbox.admission import is_finished, needs_of
from providers.sandbox.desk import Desk
from providers.sandbox.events import tell
from providers.simulation.simulate import Word


def schedule(desk: Desk, pod: Manifest) -> None:
    """Bind a pod to the node with the fewest, or tell what all nodes lack."""
    held: dict[str, list[Manifest]] = {}
    for other in desk.store.items("pods"):
        if not is_finished(other):
            held.setdefault(other["spec"].get("nodeName", ""), []).append(other)
    nodes = {node["metadata"]["name"]: node for node in desk.store.items("nodes")}
    missing = {name: _missing(pod, nodes[name], held.get(name, [])) for name in nodes}
    words, _ = desk.words_of(pod)
    if any(each.word is Word.UNSCHEDULABLE for each in words.values()):
        missing = {name: ["Insufficient nvidia.com/gpu"] for name in nodes}
    free = [name for name, reasons in missing.items() if not reasons]
    if free:
        _bind(desk, pod, min(free, key=lambda name: len(held.get(name, []))))
    else:
        _refuse(desk, pod, unschedulable([*missing.values()]))


def _missing(pod: Manifest, node: Manifest, held: list[Manifest]) -> list[str]:
    """Return what the first test says that a node fails, as the real scheduler counts."""
    tolerated = {each.get("key") for each in pod["spec"].get("tolerations") or ()}
    if any(not tolerated & {None, taint["key"]} for taint in node["spec"].get("taints") or ()):
        return ["node(s) had untolerated taint(s)"]
    labels, selector = node["metadata"].get("labels") or {}, pod["spec"].get("nodeSelector")
    if selector and not selector.items() <= labels.items():
        return ["node(s) didn't match Pod's node affinity/selector"]
    given, needs = node["status"]["allocatable"], [needs_of(other) for other in (pod, *held)]
    asked = {name: sum(each[name] for each in needs) for name, amount in needs[0].items() if amount}
    lacking = [name for name in asked if asked[name] > lenient_quantity(given.get(name))]
    return [f"Insufficient {name}" for name in sorted(lacking)]


def _bind(desk: Desk, pod: Manifest, name: str) -> None:
    scheduled = desk.condition(pod, "PodScheduled", "True", ("", ""))
    spec, status = pod["spec"] | {"nodeName": name}, pod["status"] | {"conditions": [scheduled]}
    desk.write({**pod, "spec": spec, "status": status})
    place = f"{pod['metadata']['namespace']}/{pod['metadata']['name']}"
    tell(desk, pod, "Scheduled", f"Successfully assigned {place} to {name}")


def _refuse(desk: Desk, pod: Manifest, message: str) -> None:
    told = desk.condition(pod, "PodScheduled", "False", ("Unschedulable", message))
    if [told] != pod["status"].get("conditions"):
        desk.write({**pod, "status": pod["status"] | {"conditions": [told]}})
        tell(desk, pod, "FailedScheduling", message)


def unschedulable(missing: list[list[str]]) -> str:
    """Return the scheduler's words (kube-scheduler 1.36) for what each node lacks."""
    if not missing:
        return "no nodes available to schedule pods"
    none = f"0/{len(missing)} nodes are available:"
    reasons = Counter(reason for each in missing for reason in each)
    told = ", ".join(sorted(f"{number} {reason}" for reason, number in reasons.items()))
    no_way = f"preemption: {none} {len(missing)} Preemption is not helpful for scheduling"
    return f"{none} {told}. no new claims to deallocate, {no_way}."

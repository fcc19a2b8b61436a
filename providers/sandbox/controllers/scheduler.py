"""The scheduler: finds a node for a pod, or says of how many nodes what is missing."""

from collections import Counter
from collections.abc import Iterable
from decimal import Decimal

from providers.contract.manifest import Manifest
from providers.contract.quantity import lenient_quantity
from providers.sandbox.controllers.conditions import condition
from providers.sandbox.desk import Desk
from providers.sandbox.journal import Journal
from providers.sandbox.quotas import is_finished, needs_of
from providers.sandbox.store import Change, Key, is_ending

_NO_PREEMPTION = "Preemption is not helpful for scheduling"
_TAINTS = frozenset({"NoSchedule", "NoExecute"})


class Scheduler:
    """Binds pods; keeps count of what each node has given away."""

    def __init__(self, desk: Desk, journal: Journal) -> None:
        self._desk, self._journal = desk, journal
        self._held: dict[str, dict[Key, dict[str, Decimal]]] = {}
        self._waiting: dict[Key, None] = {}  # the longest waiting first

    def concerns(self, change: Change) -> Iterable[Key]:
        if change.key.plural == "nodes":
            return list(self._waiting)
        if change.key.plural != "pods":
            return ()
        node = change.object["spec"].get("nodeName")
        if node and (change.new is None or is_finished(change.new)):
            freed = self._held.get(node, {}).pop(change.key, None)
            return list(self._waiting) if freed is not None else ()
        if node:
            self._held.setdefault(node, {})[change.key] = needs_of(change.object["spec"])
        if change.new is None or node:
            self._waiting.pop(change.key, None)
            return ()
        self._waiting[change.key] = None
        return [change.key] if change.old is None else ()

    def reconcile(self, key: Key) -> float | None:
        pod = self._desk.store.at(key)
        if pod is None or pod["spec"].get("nodeName") or is_ending(pod):
            return None
        reasons: Counter[str] = Counter()
        nodes = self._desk.store.items("nodes")
        free = []
        for node in nodes:
            missing = self._missing(pod, node)
            reasons.update(missing)
            if not missing:
                free.append(node)
        if free:
            self._bind(pod, min(free, key=self._fullness))
        else:
            self._refuse(pod, reasons, len(nodes))
        return None

    def _missing(self, pod: Manifest, node: Manifest) -> list[str]:
        """Return what the first test says that a node fails, as the real scheduler counts."""
        spec, labels = node.get("spec") or {}, node["metadata"].get("labels") or {}
        if spec.get("unschedulable"):
            return ["node(s) were unschedulable"]
        taints = [t for t in spec.get("taints") or () if t.get("effect") in _TAINTS]
        if not all(_is_tolerated(taint, pod["spec"]) for taint in taints):
            return ["node(s) had untolerated taint(s)"]
        selector = pod["spec"].get("nodeSelector") or {}
        if any(labels.get(name) != value for name, value in selector.items()):
            return ["node(s) didn't match Pod's node affinity/selector"]
        return self._lacking(pod, node)

    def _lacking(self, pod: Manifest, node: Manifest) -> list[str]:
        given, held = node["status"]["allocatable"], self._held.get(node["metadata"]["name"], {})
        lacking = []
        if len(held) + 1 > int(given.get("pods", 110)):
            lacking.append("Too many pods")
        for name, amount in sorted(needs_of(pod["spec"]).items()):
            used = sum((needs.get(name, Decimal(0)) for needs in held.values()), Decimal(0))
            if amount and used + amount > lenient_quantity(str(given.get(name, 0))):
                lacking.append(f"Insufficient {name}")
        return lacking

    def _fullness(self, node: Manifest) -> tuple[int, str]:
        """Prefer nodes without accelerators to spare, then those with the fewest pods."""
        name = node["metadata"]["name"]
        return len(self._held.get(name, {})), name

    def _bind(self, pod: Manifest, node: Manifest) -> None:
        name, metadata = node["metadata"]["name"], pod["metadata"]
        now = self._desk.clock.now()
        scheduled = condition(pod, "PodScheduled", "True", "", "", now=now)
        scheduled = {field: value for field, value in scheduled.items() if value}
        status = {**pod["status"], "conditions": [scheduled]}
        spec = {**pod["spec"], "nodeName": name}
        generation = {"generation": metadata["generation"] - 1}  # binding is no change of the spec
        changed = {**pod, "metadata": metadata | generation, "spec": spec, "status": status}
        self._desk.write("pods", changed)
        place = f"{metadata['namespace']}/{metadata['name']}"
        message = f"Successfully assigned {place} to {name}"
        self._journal.tell_scheduled(pod, "Scheduled", message)

    def _refuse(self, pod: Manifest, reasons: Counter[str], nodes: int) -> None:
        message = unschedulable(reasons, nodes)
        now = self._desk.clock.now()
        told = condition(pod, "PodScheduled", "False", "Unschedulable", message, now=now)
        status = {**pod["status"], "conditions": [told]}
        if status != pod["status"]:
            self._desk.set_status("pods", pod, status)
            self._journal.tell_scheduled(pod, "FailedScheduling", message, kind="Warning")


def unschedulable(reasons: Counter[str], nodes: int) -> str:
    """Return the scheduler's words (kube-scheduler 1.36)."""
    if not nodes:
        return "no nodes available to schedule pods"
    none = f"0/{nodes} nodes are available:"
    told = ", ".join(sorted(f"{number} {reason}" for reason, number in reasons.items()))
    way_out = f"preemption: {none} {nodes} {_NO_PREEMPTION}"
    return f"{none} {told}. no new claims to deallocate, {way_out}."


def _is_tolerated(taint: Manifest, spec: Manifest) -> bool:
    return any(_tolerates(toleration, taint) for toleration in spec.get("tolerations") or ())


def _tolerates(toleration: Manifest, taint: Manifest) -> bool:
    if toleration.get("effect") and toleration["effect"] != taint["effect"]:
        return False
    if not toleration.get("key"):
        return toleration.get("operator") == "Exists"
    exists = toleration.get("operator") == "Exists"
    same = exists or (toleration.get("value") or "") == (taint.get("value") or "")
    return toleration["key"] == taint["key"] and same

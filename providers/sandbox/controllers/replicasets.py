"""ReplicaSets: as many live pods as asked for, and what they report of them."""

from collections.abc import Iterable, Sequence
from copy import deepcopy

from providers.contract.manifest import Manifest
from providers.sandbox.answers import Refused
from providers.sandbox.controllers.conditions import condition, condition_of
from providers.sandbox.desk import Desk
from providers.sandbox.journal import Journal
from providers.sandbox.kinds import BY_PLURAL
from providers.sandbox.quotas import is_finished
from providers.sandbox.store import Change, Key, controller_of, is_ending

COMPONENT = "replicaset-controller"
FIRST_RETRY_SECONDS, LONGEST_RETRY_SECONDS = 0.1, 300.0


class ReplicaSets:
    """Makes and removes pods."""

    def __init__(self, desk: Desk, journal: Journal) -> None:
        self._desk, self._journal = desk, journal
        self._refusals: dict[str, int] = {}

    def concerns(self, change: Change) -> Iterable[Key]:
        if change.key.plural == "replicasets":
            yield change.key
        elif change.key.plural == "pods":
            yield from (_owner_key(change.object, "ReplicaSet", "replicasets"))
        elif change.key.plural == "resourcequotas" and _spec_changed(change):
            for item in self._desk.store.items("replicasets", change.key.namespace):
                self._refusals.pop(item["metadata"]["uid"], None)
                yield Key("replicasets", change.key.namespace, item["metadata"]["name"])

    def reconcile(self, key: Key) -> float | None:
        item = self._desk.store.at(key)
        if item is None:
            return None
        refusal, wait = "", None
        if not is_ending(item):
            refusal = self._scale(item)
            wait = self._retry_after(item, refusal)
        self._report(item, refusal)
        return wait

    def _scale(self, item: Manifest) -> str:
        """Bring the number of pods to what is asked; return why that was refused."""
        live = [pod for pod in pods_of(self._desk, item) if is_active(pod)]
        wanted = item["spec"]["replicas"]
        for pod in sorted(live, key=_keeps_longest)[: max(0, len(live) - wanted)]:
            self._desk.delete("pods", pod)
            name = pod["metadata"]["name"]
            self._journal.tell(item, "SuccessfulDelete", f"Deleted pod: {name}", by=COMPONENT)
        for _ in range(wanted - len(live)):
            try:
                pod = self._desk.create(BY_PLURAL["pods"], self._pod(item))
            except Refused as refused:
                message = f"Error creating: {refused.message}"
                self._journal.tell(item, "FailedCreate", message, by=COMPONENT, kind="Warning")
                return refused.message
            name = pod["metadata"]["name"]
            self._journal.tell(item, "SuccessfulCreate", f"Created pod: {name}", by=COMPONENT)
        return ""

    def _pod(self, item: Manifest) -> Manifest:
        template, base = deepcopy(item["spec"]["template"]), f"{item['metadata']['name']}-"
        metadata = template.get("metadata") or {}
        metadata |= {
            "generateName": base,
            "name": self._desk.name_after(base),
            "namespace": item["metadata"]["namespace"],
            "ownerReferences": [owner_reference(item)],
        }
        return {"metadata": metadata, "spec": template["spec"]}

    def _retry_after(self, item: Manifest, refusal: str) -> float | None:
        uid = item["metadata"]["uid"]
        if not refusal:
            self._refusals.pop(uid, None)
            return None
        tries = self._refusals[uid] = min(self._refusals.get(uid, 0) + 1, 30)
        return float(min(FIRST_RETRY_SECONDS * 2**tries, LONGEST_RETRY_SECONDS))

    def _report(self, item: Manifest, refusal: str) -> None:
        every = pods_of(self._desk, item)
        live = [pod for pod in every if is_active(pod)]
        ready = sum(is_ready(pod) for pod in live)
        status: Manifest = {
            "replicas": len(live),
            "fullyLabeledReplicas": len(live),
            "readyReplicas": ready,
            "availableReplicas": ready,
        }
        status = {name: number for name, number in status.items() if number or name == "replicas"}
        status["terminatingReplicas"] = sum(map(is_ending, every))
        status["observedGeneration"] = item["metadata"]["generation"]
        if refusal:
            now, old = self._desk.clock.now(), condition_of(item, "ReplicaFailure")
            new = condition(item, "ReplicaFailure", "True", "FailedCreate", refusal, now=now)
            status["conditions"] = [old or new]
        live_item = self._desk.store.get(
            "replicasets", item["metadata"]["name"], item["metadata"]["namespace"]
        )
        if live_item:
            self._desk.set_status("replicasets", live_item, status)


def pods_of(desk: Desk, item: Manifest) -> Sequence[Manifest]:
    """Return the pods that a ReplicaSet manages, ending ones too."""
    owned = desk.store.owned_by(item["metadata"]["uid"])
    return [pod for pod in owned if pod["kind"] == "Pod" and not is_finished(pod)]


def is_active(pod: Manifest) -> bool:
    return not is_ending(pod) and not is_finished(pod)


def is_ready(pod: Manifest) -> bool:
    return condition_of(pod, "Ready").get("status") == "True"


def owner_reference(item: Manifest) -> Manifest:
    """Return the reference with which a controller marks what it makes."""
    return {
        "apiVersion": item["apiVersion"],
        "kind": item["kind"],
        "name": item["metadata"]["name"],
        "uid": item["metadata"]["uid"],
        "controller": True,
        "blockOwnerDeletion": True,
    }


def _owner_key(item: Manifest, kind: str, plural: str) -> Iterable[Key]:
    uid = controller_of(item)
    for owner in item["metadata"].get("ownerReferences") or ():
        if owner["uid"] == uid and owner["kind"] == kind:
            yield Key(plural, item["metadata"]["namespace"], owner["name"])


def _spec_changed(change: Change) -> bool:
    return (change.old or {}).get("spec") != (change.new or {}).get("spec")


def _keeps_longest(pod: Manifest) -> tuple[bool, bool, float]:
    """Order pods by what is missed least: unbound, not ready, the newest."""
    age = -int(pod["metadata"]["resourceVersion"])
    return bool(pod["spec"].get("nodeName")), is_ready(pod), age

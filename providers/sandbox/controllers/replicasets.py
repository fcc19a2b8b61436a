"""ReplicaSets: as many live pods as asked for, and what they report of them."""

from copy import deepcopy

from providers.contract.manifest import Manifest
from providers.sandbox.admission import is_finished
from providers.sandbox.desk import LETTERS, Desk, condition_of
from providers.sandbox.events import tell
from providers.sandbox.messages import Refused
from providers.sandbox.store import is_ending

RETRY_SECONDS = 5.0


def reconcile(desk: Desk, item: Manifest) -> float | None:
    """Bring the number of pods to what is asked; try again where one is refused."""
    refusal = _scale(desk, item)
    every = pods_of(desk, item)
    live = [pod for pod in every if not is_ending(pod)]
    ready = sum(map(is_ready, live))
    status: Manifest = {
        "replicas": len(live),
        "readyReplicas": ready,
        "availableReplicas": ready,
        "terminatingReplicas": len(every) - len(live),
        "observedGeneration": item["metadata"]["generation"],
    }
    if refusal:
        # The first words stay: each names another pod that could not be made.
        why = ("FailedCreate", condition_of(item, "ReplicaFailure").get("message") or refusal)
        status["conditions"] = [desk.condition(item, "ReplicaFailure", "True", why)]
    desk.write({**item, "status": status})
    return RETRY_SECONDS if refusal else None


def _scale(desk: Desk, item: Manifest) -> str:
    """Make and remove pods; return why one was refused."""
    live = [pod for pod in pods_of(desk, item) if not is_ending(pod)]
    wanted = item["spec"]["replicas"]
    for pod in sorted(live, key=_keeps_longest)[: max(0, len(live) - wanted)]:
        desk.delete(pod)
        tell(desk, item, "SuccessfulDelete", f"Deleted pod: {pod['metadata']['name']}")
    try:
        for _ in range(wanted - len(live)):
            pod = desk.create(_pod(desk, item))
            tell(desk, item, "SuccessfulCreate", f"Created pod: {pod['metadata']['name']}")
    except Refused as refused:
        tell(desk, item, "FailedCreate", f"Error creating: {refused.message}")
        return refused.message
    return ""


def _pod(desk: Desk, item: Manifest) -> Manifest:
    template = deepcopy(item["spec"]["template"])
    name = f"{item['metadata']['name']}-{''.join(desk.chance.choices(LETTERS, k=5))}"
    metadata = template["metadata"] | made_by(item, name)
    return {"kind": "Pod", "metadata": metadata, "spec": template["spec"]}


def pods_of(desk: Desk, item: Manifest) -> list[Manifest]:
    """Return the pods of a ReplicaSet that have not finished, ending ones too."""
    owned = desk.store.owned_by(item["metadata"]["uid"])
    return [pod for pod in owned if pod["kind"] == "Pod" and not is_finished(pod)]


def is_ready(pod: Manifest) -> bool:
    return bool(condition_of(pod, "Ready").get("status") == "True")


def made_by(item: Manifest, name: str) -> Manifest:
    """Return the metadata with which a controller marks what it makes for an object."""
    owner = {field: item["metadata"][field] for field in ("name", "uid")}
    owner |= {"apiVersion": item["apiVersion"], "kind": item["kind"]}
    owner |= {"controller": True, "blockOwnerDeletion": True}
    return {"name": name, "namespace": item["metadata"]["namespace"], "ownerReferences": [owner]}


def _keeps_longest(pod: Manifest) -> tuple[bool, bool, int]:
    """Order pods by what is missed least: unbound, not ready, the newest."""
    age = -int(pod["metadata"]["resourceVersion"])
    return bool(pod["spec"].get("nodeName")), is_ready(pod), age

"""Deployments: a ReplicaSet per template, rolled out within the bounds of the strategy."""

from collections.abc import Sequence
from copy import deepcopy
from datetime import datetime
from math import ceil, floor

from providers.contract.manifest import Manifest, digest_of
from providers.sandbox.controllers.replicasets import made_by, pods_of
from providers.sandbox.desk import LETTERS, Desk, condition_of
from providers.sandbox.events import tell

REVISION = "deployment.kubernetes.io/revision"
HASH = "pod-template-hash"
_DONE, _LATE = "NewReplicaSetAvailable", "ProgressDeadlineExceeded"
_USUAL_BOUNDS = {"maxSurge": "25%", "maxUnavailable": "25%"}


def reconcile(desk: Desk, item: Manifest) -> float | None:
    """Take the next step of a rollout, and report where it stands."""
    new, old = _replica_sets(desk, item)
    step = _recreate if item["spec"]["strategy"]["type"] == "Recreate" else _roll
    step(desk, item, new, old)
    empty = [r for r in old if not r["spec"]["replicas"] and not pods_of(desk, r)]
    for each in empty[: max(0, len(empty) - item["spec"]["revisionHistoryLimit"])]:
        desk.delete(each)
    counted = ("replicas", "readyReplicas", "availableReplicas")
    counts = {name: _total([*old, new], name) for name in counted}
    counts["updatedReplicas"] = _total([new], "replicas")
    progressing = _progressing(desk, item, new, counts)
    status = {
        "observedGeneration": item["metadata"]["generation"],
        **{name: number for name, number in counts.items() if number},
        "terminatingReplicas": _total([*old, new], "terminatingReplicas"),
        "conditions": [each for each in (progressing, condition_of(new, "ReplicaFailure")) if each],
    }
    desk.write({**item, "status": status})
    is_over = progressing["reason"] in {_DONE, _LATE}
    return None if is_over else _left(desk, item, progressing) + 1


def _replica_sets(desk: Desk, item: Manifest) -> tuple[Manifest, Sequence[Manifest]]:
    """Return the ReplicaSet of today's template, which becomes the latest, and the older ones."""
    owned = desk.store.owned_by(item["metadata"]["uid"])
    sets = sorted((each for each in owned if each["kind"] == "ReplicaSet"), key=_revision_of)
    digest = bytes.fromhex(digest_of(item["spec"]["template"]))
    number = "".join(LETTERS[byte % len(LETTERS)] for byte in digest)
    by_hash = {each["metadata"]["labels"][HASH]: each for each in sets}
    new = by_hash.get(number) or desk.create(_replica_set(item, number))
    old = [each for each in sets if each["metadata"]["name"] != new["metadata"]["name"]]
    last = max(map(_revision_of, old), default=0)
    if _revision_of(new) <= last:
        noted = new["metadata"] | {"annotations": {REVISION: str(last + 1)}}
        new = desk.write({**new, "metadata": noted})
    return new, old


def _replica_set(item: Manifest, number: str) -> Manifest:
    template = deepcopy(item["spec"]["template"])
    template["metadata"]["labels"][HASH] = number
    labels = item["spec"]["selector"]["matchLabels"] | {HASH: number}
    metadata = made_by(item, f"{item['metadata']['name']}-{number}")
    metadata |= {"labels": template["metadata"]["labels"], "annotations": {}}
    spec = {"replicas": 0, "selector": {"matchLabels": labels}, "template": template}
    return {"kind": "ReplicaSet", "metadata": metadata, "spec": spec}


def _recreate(desk: Desk, item: Manifest, new: Manifest, old: Sequence[Manifest]) -> None:
    for each in old:
        _scale(desk, item, each, 0)
    if not any(pods_of(desk, each) for each in old):
        _scale(desk, item, new, item["spec"]["replicas"])


def _roll(desk: Desk, item: Manifest, new: Manifest, old: Sequence[Manifest]) -> None:
    """Grow the new as far as there is room, then take away old pods: the unavailable first."""
    wanted, asked = item["spec"]["replicas"], [each["spec"]["replicas"] for each in old]
    given = item["spec"]["strategy"].get("rollingUpdate") or {}
    surge, unavailable = _bounds(_USUAL_BOUNDS | given, wanted)
    # What an old ReplicaSet still runs counts, whatever it is asked for by now.
    still = sum(max(each["spec"]["replicas"], each["status"]["replicas"]) for each in old)
    room = wanted + surge - still if still else wanted
    _scale(desk, item, new, min(wanted, max(new["spec"]["replicas"], room)))

    least = max(0, wanted - unavailable)
    may_go = sum(asked) + _total([new], "availableReplicas") - least
    available = _total([*old, new], "availableReplicas") - least
    for each, replicas in zip(old, asked, strict=True):
        unfit = max(0, min(may_go, replicas - _total([each], "availableReplicas")))
        fit = max(0, min(may_go - unfit, replicas - unfit, available))
        may_go, available = may_go - unfit - fit, available - fit
        _scale(desk, item, each, replicas - unfit - fit)


def _bounds(rolling: Manifest, wanted: int) -> tuple[int, int]:
    """Return surge and unavailable in pods; of a percentage only the first is rounded up.

    Where both come to 0 nothing could move, so that one pod may be unavailable.
    """
    surge = ceil(_share(rolling["maxSurge"], wanted))
    return surge, floor(_share(rolling["maxUnavailable"], wanted)) or int(not surge)


def _share(value: int | str, wanted: int) -> float:
    return value if isinstance(value, int) else int(value.removesuffix("%")) * wanted / 100


def _scale(desk: Desk, item: Manifest, each: Manifest, replicas: int) -> None:
    before = each["spec"]["replicas"]
    if before != replicas:
        desk.write({**each, "spec": each["spec"] | {"replicas": replicas}})
        way, name = "up" if replicas > before else "down", each["metadata"]["name"]
        told = f"Scaled {way} replica set {name} from {before} to {replicas}"
        tell(desk, item, "ScalingReplicaSet", told)


def _progressing(desk: Desk, item: Manifest, new: Manifest, counts: Manifest) -> Manifest:
    """Return the condition; its `lastUpdateTime` is when anything was last seen to move."""
    old = condition_of(item, "Progressing")
    named = f'ReplicaSet "{new["metadata"]["name"]}"'
    is_same = named in old.get("message", "")
    moved = any(counts[name] > item["status"].get(name, 0) for name in counts)
    status, why = "True", ("ReplicaSetUpdated", f"{named} is progressing.")
    if all(number == item["spec"]["replicas"] for number in counts.values()):
        why = (_DONE, f"{named} has successfully progressed.")
    elif is_same and old["reason"] == _DONE:
        return old  # a change of scale is no rollout
    elif is_same and not moved and (old["reason"] == _LATE or _left(desk, item, old) <= 0):
        status, why = "False", (_LATE, f"{named} has timed out progressing.")
    told = desk.condition(item, "Progressing", status, why)
    is_still = is_same and not moved and old["reason"] == why[0]
    return told | {"lastUpdateTime": old["lastUpdateTime"] if is_still else desk.time}


def _left(desk: Desk, item: Manifest, progressing: Manifest) -> float:
    since = desk.now() - datetime.fromisoformat(progressing["lastUpdateTime"])
    return float(item["spec"]["progressDeadlineSeconds"]) - since.total_seconds()


def _revision_of(replica_set: Manifest) -> int:
    return int(replica_set["metadata"]["annotations"].get(REVISION, 0))


def _total(sets: Sequence[Manifest], name: str) -> int:
    return sum(each["status"].get(name, 0) for each in sets)

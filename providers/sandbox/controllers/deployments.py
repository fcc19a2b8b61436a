"""Deployments: a ReplicaSet per template, rolled out within the bounds of the strategy."""

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass
from datetime import datetime
from math import ceil

from providers.contract.manifest import Manifest, digest_of
from providers.sandbox.controllers.conditions import condition, condition_of
from providers.sandbox.controllers.replicasets import owner_reference, pods_of
from providers.sandbox.desk import LETTERS, Desk

REVISION = "deployment.kubernetes.io/revision"
HASH = "pod-template-hash"
_DONE, _LATE = "NewReplicaSetAvailable", "ProgressDeadlineExceeded"
_MOVING = ("updatedReplicas", "readyReplicas", "availableReplicas")


@dataclass(frozen=True, kw_only=True, slots=True)
class Rollout:
    """A Deployment, the ReplicaSet of today's template, and the others, oldest first."""

    desk: Desk
    item: Manifest
    new: Manifest
    old: Sequence[Manifest]

    @property
    def every(self) -> Sequence[Manifest]:
        return [*self.old, self.new]

    def scale(self, each: Manifest, replicas: int) -> None:
        spec = each["spec"] | {"replicas": replicas}
        self.desk.write("replicasets", {**each, "spec": spec})


def reconcile(desk: Desk, item: Manifest) -> float | None:
    """Take the next step of a rollout, and report where it stands."""
    rollout = _rollout(desk, item)
    if item["spec"]["strategy"]["type"] == "Recreate":
        _recreate(rollout)
    else:
        _roll(rollout)
    _clean_up(rollout)
    status = _status(_rollout(desk, item))
    desk.set_status("deployments", item, status)
    progressing = condition_of({"status": status}, "Progressing")
    is_over = progressing["reason"] in {_DONE, _LATE}
    return None if is_over else _left(desk, item, progressing) + 1


def _rollout(desk: Desk, item: Manifest) -> Rollout:
    """Return how it stands; the ReplicaSet of today's template is made, and is the latest."""
    found = [desk.store.at(key) for key in desk.store.keys_owned_by(item["metadata"]["uid"])]
    sets = sorted((r for r in found if r and r["kind"] == "ReplicaSet"), key=_revision_of)
    number = _hash_of(item)
    new = next((each for each in sets if each["metadata"]["labels"][HASH] == number), None)
    new = new or desk.create("replicasets", _replica_set(item, number))
    old = [each for each in sets if each["metadata"]["uid"] != new["metadata"]["uid"]]
    last = max(map(_revision_of, old), default=0)
    if _revision_of(new) <= last:
        noted = new["metadata"] | {"annotations": {REVISION: str(last + 1)}}
        new = desk.write("replicasets", {**new, "metadata": noted})
    return Rollout(desk=desk, item=item, new=new, old=old)


def _recreate(rollout: Rollout) -> None:
    for each in rollout.old:
        rollout.scale(each, 0)
    if not any(pods_of(rollout.desk, each) for each in rollout.old):
        rollout.scale(rollout.new, rollout.item["spec"]["replicas"])


def _roll(rollout: Rollout) -> None:
    """Grow the new as far as there is room, then take away old pods: the unavailable first."""
    new, wanted = rollout.new, rollout.item["spec"]["replicas"]
    surge, unavailable = _bounds(rollout.item["spec"])
    # What an old ReplicaSet still runs counts, whatever it is asked for by now.
    still = sum(max(r["spec"]["replicas"], r["status"]["replicas"]) for r in rollout.old)
    present = new["spec"]["replicas"] if still else wanted
    present = min(wanted, max(present, wanted + surge - still))
    rollout.scale(new, present)

    least = max(0, wanted - unavailable)
    asked = {each["metadata"]["name"]: each["spec"]["replicas"] for each in rollout.old}
    may_go = sum(asked.values()) + _available(new) - least
    available = sum(map(_available, rollout.every)) - least
    for each in rollout.old:
        name = each["metadata"]["name"]
        unfit = max(0, min(may_go, asked[name] - _available(each)))
        fit = max(0, min(may_go - unfit, asked[name] - unfit, available))
        may_go, available = may_go - unfit - fit, available - fit
        rollout.scale(each, asked[name] - unfit - fit)


def _clean_up(rollout: Rollout) -> None:
    """Keep no more empty ReplicaSets than asked for."""
    desk, limit = rollout.desk, rollout.item["spec"]["revisionHistoryLimit"]
    empty = [r for r in rollout.old if not r["spec"]["replicas"] and not pods_of(desk, r)]
    for each in empty[: max(0, len(empty) - limit)]:
        desk.delete("replicasets", each)


def _status(rollout: Rollout) -> Manifest:
    """Return the status; numbers that are 0 are left out, as there."""
    counts = {
        "replicas": _total(rollout.every, "replicas"),
        "updatedReplicas": rollout.new["status"]["replicas"],
        "readyReplicas": _total(rollout.every, "readyReplicas"),
        "availableReplicas": _total(rollout.every, "availableReplicas"),
    }
    failure = condition_of(rollout.new, "ReplicaFailure")
    return {
        "observedGeneration": rollout.item["metadata"]["generation"],
        **{name: number for name, number in counts.items() if number},
        "terminatingReplicas": _total(rollout.every, "terminatingReplicas"),
        "conditions": [_progressing(rollout, counts), *([failure] if failure else [])],
    }


def _progressing(rollout: Rollout, counts: Manifest) -> Manifest:
    """Return the condition; its `lastUpdateTime` is when anything was last seen to move."""
    desk, item, old = rollout.desk, rollout.item, condition_of(rollout.item, "Progressing")
    named = f'ReplicaSet "{rollout.new["metadata"]["name"]}"'
    is_same = named in old.get("message", "")
    moved = any(counts[name] > item["status"].get(name, 0) for name in _MOVING)
    status, why = "True", ("ReplicaSetUpdated", f"{named} is progressing.")
    if all(number == item["spec"]["replicas"] for number in counts.values()):
        why = (_DONE, f"{named} has successfully progressed.")
    elif is_same and old["reason"] == _DONE:
        return old  # a change of scale is no rollout
    elif is_same and not moved and (old["reason"] == _LATE or _left(desk, item, old) <= 0):
        status, why = "False", (_LATE, f"{named} has timed out progressing.")
    new = condition(item, "Progressing", status, why, desk.time)
    is_still = old.get("reason") == why[0] and is_same and not moved
    return new | {"lastUpdateTime": old["lastUpdateTime"] if is_still else desk.time}


def _left(desk: Desk, item: Manifest, progressing: Manifest) -> float:
    since = desk.clock.now() - datetime.fromisoformat(progressing["lastUpdateTime"])
    return float(item["spec"]["progressDeadlineSeconds"]) - since.total_seconds()


def _replica_set(item: Manifest, number: str) -> Manifest:
    template = deepcopy(item["spec"]["template"])
    template["metadata"]["labels"][HASH] = number
    labels = item["spec"]["selector"]["matchLabels"] | {HASH: number}
    return {
        "metadata": {
            "name": f"{item['metadata']['name']}-{number}",
            "namespace": item["metadata"]["namespace"],
            "labels": template["metadata"]["labels"],
            "annotations": {},
            "ownerReferences": [owner_reference(item)],
        },
        "spec": {"replicas": 0, "selector": {"matchLabels": labels}, "template": template},
    }


def _bounds(spec: Manifest) -> tuple[int, int]:
    """Return surge, which rounds up, and unavailable, which rounds down; never are both 0."""
    rolling = spec["strategy"].get("rollingUpdate") or {}
    surge = ceil(_share(rolling.get("maxSurge", "25%"), spec["replicas"]))
    unavailable = int(_share(rolling.get("maxUnavailable", "25%"), spec["replicas"]))
    return surge, unavailable or int(not surge)


def _share(value: int | str, of: int) -> float:
    return value if isinstance(value, int) else int(value.rstrip("%")) * of / 100


def _revision_of(replica_set: Manifest) -> int:
    return int(replica_set["metadata"]["annotations"].get(REVISION, 0))


def _available(replica_set: Manifest) -> int:
    return _total([replica_set], "availableReplicas")


def _total(sets: Sequence[Manifest], name: str) -> int:
    return sum(each["status"].get(name, 0) for each in sets)


def _hash_of(item: Manifest) -> str:
    """Return the hash of a template as a name's part; the same template has always the same."""
    number = int(digest_of(item["spec"]["template"]), 16)
    return "".join(LETTERS[number // 27**place % 27] for place in range(10))

"""What a Deployment reports of its rollout: counts, conditions, and whether it takes too long."""

from collections.abc import Sequence
from datetime import datetime

from providers.contract.manifest import Manifest
from providers.sandbox.clock import read_time
from providers.sandbox.controllers.conditions import condition_of, updated_condition
from providers.simulation.pod_life.conditions import timestamp

_DONE, _LATE = "NewReplicaSetAvailable", "ProgressDeadlineExceeded"
_COUNTS = ("replicas", "updatedReplicas", "readyReplicas", "availableReplicas")


def deployment_status(
    item: Manifest,
    new: Manifest | None,
    old: Sequence[Manifest],
    *,
    now: datetime,
    ending: int,
) -> Manifest:
    """Return the status; numbers that are 0 are left out, as there."""
    every = [*old, new] if new else [*old]
    wanted = item["spec"]["replicas"]
    available = _total(every, "availableReplicas")
    counts = {
        "replicas": _total(every, "replicas"),
        "updatedReplicas": _total([new] if new else [], "replicas"),
        "readyReplicas": _total(every, "readyReplicas"),
        "availableReplicas": available,
        "unavailableReplicas": max(0, _asked(every) - available),
    }
    status: Manifest = {"observedGeneration": item["metadata"]["generation"]}
    status |= {name: number for name, number in counts.items() if number}
    status["terminatingReplicas"] = ending
    conditions = [
        _progressing(item, new, counts, now),
        _available(item, available >= _least(item, wanted), now),
        *_failure(new),
    ]
    status["conditions"] = [entry for entry in conditions if entry]
    return status


def seconds_to_deadline(item: Manifest, status: Manifest, *, now: datetime) -> float | None:
    """Return when a rollout in progress will have taken too long."""
    progressing = condition_of({"status": status}, "Progressing")
    if not progressing or progressing.get("reason") in {_DONE, _LATE}:
        return None
    return _left(item, progressing, now) + 1


def _progressing(
    item: Manifest, new: Manifest | None, counts: Manifest, now: datetime
) -> Manifest | None:
    old = condition_of(item, "Progressing")
    if new is None:
        return old or None
    named = f'ReplicaSet "{new["metadata"]["name"]}"'
    if _is_complete(item, counts):
        return updated_condition(
            item, "Progressing", "True", _DONE, f"{named} has successfully progressed.", now=now
        )
    before = item.get("status") or {}
    is_same_rollout = named in old.get("message", "") or not old
    if old.get("reason") == _DONE and is_same_rollout:
        return old  # a change of scale is no rollout
    moved = any(counts[name] > before.get(name, 0) for name in _COUNTS[1:])
    if not old or moved or not is_same_rollout:
        told = updated_condition(
            item, "Progressing", "True", "ReplicaSetUpdated", f"{named} is progressing.", now=now
        )
        return {**told, "lastUpdateTime": timestamp(now)}
    if _left(item, old, now) > 0 or old["reason"] == _LATE:
        return old
    return updated_condition(
        item, "Progressing", "False", _LATE, f"{named} has timed out progressing.", now=now
    )


def _is_complete(item: Manifest, counts: Manifest) -> bool:
    wanted = item["spec"]["replicas"]
    return all(counts[name] == wanted for name in _COUNTS if name != "readyReplicas")


def _available(item: Manifest, enough: bool, now: datetime) -> Manifest:  # noqa: FBT001 - a fact
    if enough:
        words = ("True", "MinimumReplicasAvailable", "Deployment has minimum availability.")
    else:
        text = "Deployment does not have minimum availability."
        words = ("False", "MinimumReplicasUnavailable", text)
    return updated_condition(item, "Available", *words, now=now)


def _failure(new: Manifest | None) -> list[Manifest]:
    found = condition_of(new or {}, "ReplicaFailure")
    return [{**found, "lastUpdateTime": found["lastTransitionTime"]}] if found else []


def _least(item: Manifest, wanted: int) -> int:
    from providers.sandbox.controllers.deployments import bounds_of  # that one needs this one

    return bounds_of(item["spec"]).least if "rollingUpdate" in item["spec"]["strategy"] else wanted


def _left(item: Manifest, progressing: Manifest, now: datetime) -> float:
    since = (now - read_time(progressing["lastUpdateTime"])).total_seconds()
    return float(item["spec"]["progressDeadlineSeconds"]) - since


def _total(sets: Sequence[Manifest], name: str) -> int:
    return sum(each["status"].get(name, 0) for each in sets)


def _asked(sets: Sequence[Manifest]) -> int:
    return sum(each["spec"]["replicas"] for each in sets)

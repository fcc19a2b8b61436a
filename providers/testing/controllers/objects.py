"""What controllers read of objects and write into them, whatever the kind."""

import uuid
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from math import ceil, floor
from typing import Any, NamedTuple

from providers.contract.manifest import Manifest


def labels_of(item: Manifest) -> dict[str, str]:
    """Return the labels of an object."""
    return item["metadata"].get("labels") or {}


def is_ending(item: Manifest) -> bool:
    """Tell whether an object is being deleted."""
    return bool(item["metadata"].get("deletionTimestamp"))


def owned(items: Iterable[Manifest], owner: Manifest) -> list[Manifest]:
    """Return what an object owns."""
    uid = owner["metadata"]["uid"]
    return [
        item
        for item in items
        if any(one["uid"] == uid for one in item["metadata"].get("ownerReferences") or ())
    ]


def below(owner: Manifest, kind: str, name: str, told: Manifest, **fields: object) -> Manifest:
    """Return a new object that another owns; `told` is what its metadata says besides."""
    metadata = owner["metadata"]
    reference = {
        "apiVersion": owner["apiVersion"],
        "kind": owner["kind"],
        "name": metadata["name"],
        "uid": metadata["uid"],
        "controller": True,
        "blockOwnerDeletion": True,
    }
    place = {"name": name, "namespace": metadata["namespace"], "ownerReferences": [reference]}
    return {"kind": kind, "metadata": {**told, **place}, **fields}


def condition_of(item: Manifest, kind: str) -> Manifest:
    """Return a condition, empty where there is none."""
    conditions = (item.get("status") or {}).get("conditions") or ()
    return next((entry for entry in conditions if entry["type"] == kind), {})


def has(item: Manifest, kind: str) -> bool:
    """Tell whether a condition is True."""
    return condition_of(item, kind).get("status") == "True"


def condition(kind: str, status: str, reason: str, message: str) -> Manifest:
    """Return a condition of now, as AIBrix writes them."""
    now, told = now_text(), {"message": message} if message else {}
    times = {"lastTransitionTime": now, "lastUpdateTime": now}
    return {"type": kind, "status": status, "reason": reason, **told, **times}


def now_text() -> str:
    """Return the time as objects bear it."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def random_suffix() -> str:
    """Return five characters as the API server adds them to a generated name."""
    return uuid.uuid4().hex[:5]


def omit_zeros(numbers: Mapping[str, int]) -> dict[str, int]:
    """Return the numbers without those that are 0, as AIBrix writes them."""
    return {name: number for name, number in numbers.items() if number}


class Bounds(NamedTuple):
    """How many more than wanted may stand, and how many fewer may serve."""

    surge: int
    unavailable: int


def bounds_of(strategy: Manifest, replicas: int) -> Bounds:
    """Return the bounds of a strategy: 0 and 1 where it names none; 0 and 0 counts as 0 and 1."""
    surge = _number(strategy.get("maxSurge", 0), replicas, ceil)
    fewer = _number(strategy.get("maxUnavailable", 0), replicas, floor)
    return Bounds(surge, fewer if surge or fewer else 1)


def _number(value: int | str, replicas: int, to_whole: Any) -> int:
    if isinstance(value, int):
        return value
    return int(to_whole(int(value.removesuffix("%")) * replicas / 100))


def holds(live: Any, patch: Any) -> bool:
    """Tell whether a body says what a merge patch does; what the API server added is no matter."""
    if isinstance(patch, list) and isinstance(live, list):
        return len(live) == len(patch) and all(map(holds, live, patch))
    if not isinstance(patch, dict):
        return bool(live == patch)
    base = live if isinstance(live, dict) else {}
    return all(holds(base.get(name), value) for name, value in patch.items())


def difference(old: Manifest, new: Manifest) -> Manifest:
    """Return the merge patch that makes one body of another."""
    patch: Manifest = {name: None for name in old if name not in new}
    for name, value in new.items():
        before = old.get(name)
        if isinstance(before, dict) and isinstance(value, dict):
            value = difference(before, value) or before  # noqa: PLW2901
        if before != value:
            patch[name] = value
    return patch

"""Who holds what others added once it is ours: the next apply of ours leaves it out and drops it.

An apply takes away what its manager held, names no longer, and holds alone. So what others added
goes in the same write that gives the rest its values again, and pods are replaced once. Who holds
a field may be written like anything else of an object, and changes nothing of what it asks for.
"""

import json
from collections.abc import Iterable, Mapping
from copy import deepcopy
from typing import Any

from providers.contract.manifest import Manifest
from providers.workload.drifting.holders import entries_of, holder_of, is_step
from providers.workload.drifting.paths import Path, Step

Fields = dict[str, Any]


def claimed(live: Manifest, paths: Iterable[Path], *, manager: str) -> list[Manifest]:
    """Return the managers of an object as they are when one alone holds what stands at the paths.

    What is a part of a value that is held as a whole stays: an apply replaces all of that.
    """
    entries = _entries(live)
    mine = _entry_of(manager, live, entries)
    for path in paths:
        for entry in entries:
            if entry is not mine and entry.get("subresource") != "status":
                _lay(mine["fieldsV1"], _taken(entry["fieldsV1"], path))
        if holder_of(entries_of(live), path) is None:
            _lay(mine["fieldsV1"], _marked(path))
    return [entry for entry in entries if entry["fieldsV1"]]


def _entries(live: Manifest) -> list[Manifest]:
    listed = deepcopy(live["metadata"].get("managedFields") or [])
    return [{**entry, "fieldsV1": entry.get("fieldsV1") or {}} for entry in listed]


def _entry_of(manager: str, live: Manifest, entries: list[Manifest]) -> Manifest:
    """Return what a manager holds by apply, a new entry of the list where that is nothing."""
    for entry in entries:
        if (entry.get("manager"), entry.get("operation")) == (manager, "Apply"):
            return entry
    named = {"manager": manager, "operation": "Apply", "apiVersion": live["apiVersion"]}
    entries.append({**named, "fieldsType": "FieldsV1", "fieldsV1": {}})
    return entries[-1]


def _taken(fields: Fields, path: Path) -> Fields:
    """Take, in place, what is held at a path and below; returns it from the top, or nothing."""
    name = next((name for name in fields if is_step(name, path[0])), "")
    if not name:
        return {}
    if len(path) == 1:
        return {name: fields.pop(name)}
    below = _taken(fields[name], path[1:])
    if below and not fields[name]:
        del fields[name]
    return {name: below} if below else {}


def _lay(fields: Fields, more: Mapping[str, Any]) -> None:
    for name, below in more.items():
        _lay(fields.setdefault(name, {}), below)


def _marked(path: Path) -> Fields:
    """Return a place that nobody holds, as managedFields spell it."""
    fields: Fields = {} if isinstance(path[-1], str) else {".": {}}
    for step in reversed(path):
        fields = {_spelt(step): fields}
    return fields


def _spelt(step: Step) -> str:
    if isinstance(step, str):
        return f"f:{step}"
    return f"k:{json.dumps(dict(step), separators=(',', ':'))}"

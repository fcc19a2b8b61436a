"""Who holds which field, by what the API server keeps in managedFields.

Whoever changes a value takes it from all others; whoever applies the same value shares it. So a
field that we still hold by Apply is as we wrote it, and one that nobody holds cannot be traced.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from providers.contract.manifest import Manifest
from providers.workload.drifting.paths import Path, Step

OURS = frozenset({"slipway", "slipway-scale"})
OF_CLUSTER = frozenset(
    {"kube-controller-manager", "kube-scheduler", "cloud-controller-manager", "kube-apiserver"}
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Entry:
    """One manager of an object with the tree of what it holds."""

    manager: str
    operation: str
    subresource: str
    at: datetime | None
    fields: Mapping[str, object]

    @property
    def is_ours(self) -> bool:
        return self.manager in OURS

    @property
    def is_of_cluster(self) -> bool:
        """Tell whether it is a part of the cluster itself, whose writes are meant to be."""
        return self.manager in OF_CLUSTER

    def holds(self, path: Path, *, as_part: bool = False) -> bool:
        """Tell whether it holds a place or something below it, or (`as_part`) all it is a part of.

        A list or map that is one value is held as a whole, whatever is in it.
        """
        here = self.fields
        for step in path:
            found = next((name for name in here if is_step(name, step)), None)
            below = here.get(found) if found else None
            if not isinstance(below, Mapping):
                return as_part and here is not self.fields and not here
            here = below
        return True


def entries_of(live: Manifest) -> tuple[Entry, ...]:
    """Return who manages an object, newest first; what only tells how it is, is left out."""
    listed = (live.get("metadata") or {}).get("managedFields") or ()
    entries = [entry for item in listed if (entry := _entry(item)) is not None]
    return tuple(sorted(entries, key=_age))


def holder_of(entries: Sequence[Entry], path: Path) -> Entry | None:
    """Return who wrote a field last: others before us, None where nobody holds it."""
    holding = [entry for entry in entries if entry.holds(path)]
    holding = holding or [entry for entry in entries if entry.holds(path, as_part=True)]
    return next((entry for entry in holding if not entry.is_ours), next(iter(holding), None))


def is_step(name: str, step: Step) -> bool:
    """Tell whether a name in managedFields is that of a step."""
    if isinstance(step, str):
        return name == f"f:{step}"
    if not name.startswith("k:"):
        return False
    try:
        keys = json.loads(name.removeprefix("k:"))
    except ValueError:
        return False
    return isinstance(keys, dict) and keys == dict(step)


def _entry(item: object) -> Entry | None:
    if not isinstance(item, Mapping) or item.get("subresource") == "status":
        return None
    fields = item.get("fieldsV1")
    return Entry(
        manager=str(item.get("manager") or ""),
        operation=str(item.get("operation") or ""),
        subresource=str(item.get("subresource") or ""),
        at=_time(item.get("time")),
        fields=fields if isinstance(fields, Mapping) else {},
    )


def _age(entry: Entry) -> float:
    return -entry.at.timestamp() if entry.at else 0.0


def _time(text: object) -> datetime | None:
    try:
        return datetime.fromisoformat(str(text))
    except ValueError:
        return None

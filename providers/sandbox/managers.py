"""Who holds which field: the entries of managedFields, read, changed and written in one order.

Knows field paths, not what an apply does with them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from providers.contract.manifest import Manifest
from providers.sandbox.fields import Fields, as_tree, fields_of, from_tree, value_at
from providers.sandbox.shapes import Shape


@dataclass(frozen=True, kw_only=True, slots=True)
class Holder:
    """One manager in one role, and what it holds."""

    manager: str
    operation: str
    api_version: str
    fields: Fields
    subresource: str = ""
    time: str = ""

    def is_same(self, other: "Holder") -> bool:
        """Tell whether two entries are of one manager in one role."""
        mine = (self.manager, self.operation, self.subresource)
        return mine == (other.manager, other.operation, other.subresource)

    def without(self, fields: Fields) -> "Holder":
        return replace(self, fields=self.fields - fields)

    def as_dict(self) -> Manifest:
        """Return the entry of managedFields."""
        entry = {
            "manager": self.manager,
            "operation": self.operation,
            "apiVersion": self.api_version,
            "time": self.time,
            "fieldsType": "FieldsV1",
            "fieldsV1": as_tree(self.fields),
        }
        return entry | ({"subresource": self.subresource} if self.subresource else {})


def holders_of(item: Manifest | None) -> list[Holder]:
    """Return the holders of an object's fields."""
    entries = ((item or {}).get("metadata") or {}).get("managedFields") or []
    return [
        Holder(
            manager=entry["manager"],
            operation=entry["operation"],
            api_version=entry["apiVersion"],
            fields=from_tree(entry.get("fieldsV1") or {}),
            subresource=entry.get("subresource") or "",
            time=entry.get("time") or "",
        )
        for entry in entries
    ]


def write_holders(item: Manifest, holders: Sequence[Holder]) -> None:
    """Write the entries into an object of one's own; who holds nothing is left out."""
    entries = [holder.as_dict() for holder in holders if holder.fields]
    entries.sort(key=lambda e: (e["operation"], e["time"], e["manager"]))
    item["metadata"].pop("managedFields", None)
    if entries:
        item["metadata"]["managedFields"] = entries


def note_update(old: Manifest | None, new: Manifest, shape: Shape, who: Holder) -> None:
    """Note in `new` that it was written by `who` without an apply: what changed is theirs."""
    now_there = fields_of(new, shape)
    changed = frozenset(
        path for path in now_there if old is None or value_at(old, path) != value_at(new, path)
    )
    kept = []
    mine = who
    for holder in holders_of(old):
        if holder.is_same(who):
            mine = replace(who, fields=holder.fields & now_there)
        else:
            kept.append(holder.without(changed) if old else holder)
    kept = [replace(holder, fields=holder.fields & now_there) for holder in kept]
    time = who.time if changed else mine.time
    write_holders(new, [*kept, replace(mine, fields=mine.fields | changed, time=time)])

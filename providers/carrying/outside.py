"""What somebody else changed on a workload of ours, told by who holds its fields.

The API server records the managers of every field; a field of the spec that neither we nor the
controllers hold was changed by hand or by another tool.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from providers.kube.apply import MANAGER, SCALE_MANAGER
from providers.workload.objects import Item, ObjectMeta, present
from providers.workload.slimming import slim

CONTROLLERS = frozenset({"kube-controller-manager", "kube-scheduler", "horizontal-pod-autoscaler"})
MOST_PATHS = 10
_OURS = frozenset({MANAGER, SCALE_MANAGER}) | CONTROLLERS  # what these write is meant to be


class ManagedFields(msgspec.Struct, kw_only=True, frozen=True, rename="camel", gc=False):
    """One entry of who holds what; the fields stay undecoded until somebody looks at them."""

    manager: str | None = None
    operation: str | None = None
    subresource: str | None = None
    fields_v1: msgspec.Raw = msgspec.Raw(b"{}")


class OwnedMeta(ObjectMeta, kw_only=True, frozen=True):
    managed_fields: list[ManagedFields | None] | None = None  # type: ignore[assignment]  # decoded


_Item = TypeVar("_Item", bound=Item)


def changed_outside(
    workload: Item | None, *, controllers: Collection[str] = frozenset()
) -> tuple[str, ...]:
    """Return the paths of the spec that others hold without us, ten at most.

    A field that we hold too has the value that we gave it: a change would have taken it from us.
    What these controllers hold, beside those of Kubernetes, is meant.
    """
    entries = _entries_of(workload) if workload else ()
    if not entries:
        return ()
    theirs = _paths_of(entry for entry in entries if _is_foreign(entry, controllers))
    if not theirs:
        return ()
    ours = _paths_of(entry for entry in entries if _is_meant(entry, controllers))
    return tuple(path for path in theirs if path not in ours)[:MOST_PATHS]


def slim_owned(workload: _Item) -> _Item:
    """Return what verdicts look at of a workload, by `workload/slimming.py`, without own fields."""
    return slim(without_own_fields(workload))


def without_own_fields(workload: _Item) -> _Item:
    """Return a workload without the managers of its fields, unless any of them is foreign.

    What `changed_outside` finds stays the same. Undecoded fields are a view of the whole page that
    they came in, which they would keep in memory; those that stay are copied.
    """
    entries = _entries_of(workload)
    if not entries:
        return workload
    kept = any(_is_foreign(entry, ()) for entry in entries)
    copies = [replace(entry, fields_v1=entry.fields_v1.copy()) for entry in entries if kept]
    return replace(workload, metadata=replace(workload.meta, managed_fields=copies or None))


def _entries_of(workload: Item) -> tuple[ManagedFields, ...]:
    meta = workload.metadata
    return present(meta.managed_fields) if isinstance(meta, OwnedMeta) else ()


def _is_foreign(entry: ManagedFields, controllers: Collection[str]) -> bool:
    return not _is_meant(entry, controllers) and entry.subresource in {None, "", "scale"}


def _is_meant(entry: ManagedFields, controllers: Collection[str]) -> bool:
    return entry.manager in _OURS or entry.manager in controllers


def _paths_of(entries: Iterable[ManagedFields]) -> dict[str, None]:
    """Return the paths in the order in which they were found, each once."""
    return dict.fromkeys(path for entry in entries for path in _spec_paths(entry))


def _spec_paths(entry: ManagedFields) -> Iterator[str]:
    try:
        fields = msgspec.json.decode(entry.fields_v1)
    except msgspec.DecodeError:
        return
    spec = fields.get("f:spec") if isinstance(fields, dict) else None
    if isinstance(spec, dict):
        yield from _leaves(spec, "spec")


def _leaves(fields: Mapping[str, Any], at: str) -> Iterator[str]:
    """Yield the paths below: `f:` names a member, `k:` a list's item by its key, `.` itself."""
    for step, below in fields.items():
        if step == ".":
            continue
        path = at + _spelt(step)
        if isinstance(below, dict) and any(name != "." for name in below):
            yield from _leaves(below, path)
        else:
            yield path


def _spelt(step: str) -> str:
    kind, _, rest = step.partition(":")
    if kind == "f":
        return f".{rest}"
    keys = _keys_of(rest) if kind == "k" else {}
    return f"[{','.join(f'{key}={value}' for key, value in keys.items()) or rest}]"


def _keys_of(text: str) -> Mapping[str, object]:
    try:
        keys = msgspec.json.decode(text)
    except msgspec.DecodeError:
        return {}
    return keys if isinstance(keys, dict) else {}

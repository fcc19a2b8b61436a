"""What somebody else changed on a Deployment of ours, told by who holds its fields.

The API server records the managers of every field; a field of the spec that neither we nor the
controllers hold was changed by hand or by another tool.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from providers.kube.apply import MANAGER, SCALE_MANAGER
from providers.workload.objects import Deployment, ObjectMeta, present

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


class OwnedDeployment(Deployment, kw_only=True, frozen=True):
    """A Deployment with the managers of its fields."""

    metadata: OwnedMeta | None = None


def changed_outside(deployment: OwnedDeployment | None) -> tuple[str, ...]:
    """Return the paths of the spec that others hold without us, ten at most.

    A field that we hold too has the value that we gave it: a change would have taken it from us.
    """
    meta = deployment.metadata if deployment else None
    entries = present(meta.managed_fields if meta else None)
    theirs = _paths_of(entry for entry in entries if _is_foreign(entry))
    if not theirs:
        return ()
    ours = _paths_of(entry for entry in entries if entry.manager in _OURS)
    return tuple(path for path in theirs if path not in ours)[:MOST_PATHS]


def without_own_fields(deployment: OwnedDeployment) -> OwnedDeployment:
    """Return a Deployment without the managers of its fields, unless any of them is foreign.

    What `changed_outside` finds stays the same. Undecoded fields are a view of the whole page that
    they came in, which they would keep in memory; those that stay are copied.
    """
    meta = deployment.metadata
    entries = present(meta.managed_fields if meta else None)
    if meta is None or not entries:
        return deployment
    kept = any(_is_foreign(entry) for entry in entries)
    copies = [replace(entry, fields_v1=entry.fields_v1.copy()) for entry in entries if kept]
    return replace(deployment, metadata=replace(meta, managed_fields=copies or None))


def _is_foreign(entry: ManagedFields) -> bool:
    return entry.manager not in _OURS and entry.subresource in {None, "", "scale"}


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

"""Manifests as text: the same bytes for the same objects, whatever order a database keeps.

PostgreSQL gives the members of stored JSON back in an order of its own, SQLite as written.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from providers.contract.manifest import Manifest
from providers.contract.yaml_text import to_yaml

# What says which object or which part it is comes first; all else follows by its letters.
_LEADING = ("apiVersion", "kind", "metadata", "name", "namespace")
_FIRST = {name: place for place, name in enumerate(_LEADING)}


def manifests_yaml(manifests: Iterable[Manifest]) -> str:
    """Return one document per manifest, as `kubectl apply` takes them; ends with a line break."""
    return to_yaml(in_order(manifest) for manifest in manifests)


def in_order(value: Any) -> Any:
    """Return a manifest, or a part of one, with its members in one order; lists keep theirs."""
    if isinstance(value, list | tuple):
        return [in_order(one) for one in value]
    if isinstance(value, Mapping):
        return {key: in_order(value[key]) for key in sorted(value, key=_place)}
    return value


def _place(name: str) -> tuple[int, str]:
    return _FIRST.get(name, len(_FIRST)), name

"""Sets of field paths: what an object has, who holds it, how it is read, changed and written down.

A path is a tuple of steps as in managedFields: `f:name` a member, `k:{...}` a list's item by its
keys, `v:...` a member of a set, `.` the thing itself. Knows shapes, no kind.
"""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from providers.contract.manifest import Manifest
from providers.sandbox.schema import _KEY_DEFAULTS
from providers.sandbox.shapes import Shape, shape_of

Path = tuple[str, ...]
Fields = frozenset[Path]

_UNOWNED = frozenset(
    {
        "name",
        "namespace",
        "uid",
        "resourceVersion",
        "generation",
        "creationTimestamp",
        "deletionTimestamp",
        "deletionGracePeriodSeconds",
        "managedFields",
        "selfLink",
    }
)
MISSING = object()


def fields_of(body: Manifest, shape: Shape) -> Fields:
    """Return the paths of everything in an object that somebody can hold."""
    metadata = {k: v for k, v in (body.get("metadata") or {}).items() if k not in _UNOWNED}
    held = {k: v for k, v in body.items() if k not in {"apiVersion", "kind", "status", "metadata"}}
    if metadata:
        held["metadata"] = metadata
    return frozenset(_leaves(held, shape, ())) - {()}


def _leaves(value: Any, shape: Shape, at: Path) -> Iterator[Path]:
    if shape.whole or not isinstance(value, dict | list) or not value:
        yield at
    elif isinstance(value, dict):
        for name, below in value.items():
            if below is not None:
                yield from _leaves(below, _below(shape, name), (*at, f"f:{name}"))
    elif shape.form == "set":
        yield from ((*at, f"v:{_compact(item)}") for item in value)
    else:
        for item in value:
            here = (*at, item_step(item, shape))
            if not shape.item.whole:
                yield (*here, ".")
            yield from _leaves(item, shape.item, here)


def _below(shape: Shape, name: str) -> Shape:
    if shape.form == "struct":
        return shape_of(shape.fields.get(name, "any"))
    return shape.item if shape.form == "map" else shape_of("any")


def item_step(item: Manifest, shape: Shape) -> str:
    """Return the step of a keyed list's item."""
    return "k:" + _compact({key: item.get(key, _KEY_DEFAULTS.get(key)) for key in shape.keys})


def _compact(value: object) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def as_tree(fields: Iterable[Path]) -> Manifest:
    """Return paths as managedFields nest them."""
    tree: Manifest = {}
    for path in sorted(fields):
        here = tree
        for step in path:
            here = here.setdefault(step, {})
    return tree


def from_tree(tree: Manifest, at: Path = ()) -> Fields:
    """Return the paths that managedFields nest."""
    if not tree:
        return frozenset({at}) if at else frozenset()
    return frozenset(p for step, below in tree.items() for p in from_tree(below, (*at, step)))


def value_at(body: Any, path: Path) -> Any:
    """Return what stands at a path, MISSING where nothing does."""
    for step in path:
        kind, _, rest = step.partition(":")
        if step == ".":
            continue
        if kind == "f":
            body = body.get(rest, MISSING) if isinstance(body, dict) else MISSING
        else:
            body = _member(body, kind, json.loads(rest))
        if body is MISSING or body is None:
            return MISSING
    return body


def _member(body: Any, kind: str, wanted: Any) -> Any:
    if not isinstance(body, list):
        return MISSING
    if kind == "v":
        return wanted if wanted in body else MISSING
    return next((item for item in body if _has_keys(item, wanted)), MISSING)


def _has_keys(item: Any, wanted: Manifest) -> bool:
    return isinstance(item, dict) and all(
        item.get(key, _KEY_DEFAULTS.get(key)) == value for key, value in wanted.items()
    )


def remove_at(body: Manifest, path: Path) -> None:
    """Remove what stands at a path, in place; removing what is not there is fine."""
    *above, last = [step for step in path if step != "."]
    parent = value_at(body, tuple(above)) if above else body
    kind, _, rest = last.partition(":")
    if kind == "f" and isinstance(parent, dict):
        parent.pop(rest, None)
    elif isinstance(parent, list):
        gone = value_at(parent, (last,))
        parent[:] = [item for item in parent if item is not gone and item != gone]


def shown(path: Path) -> str:
    """Return a path as messages show it."""
    parts = []
    for step in path:
        kind, _, rest = step.partition(":")
        if kind == "f":
            parts.append(f".{rest}")
        elif kind == "k":
            keys = sorted(json.loads(rest).items())
            parts.append(f"[{','.join(f'{key}={json.dumps(value)}' for key, value in keys)}]")
        elif kind == "v":
            parts.append(f"[={rest}]")
    return "".join(parts)

"""Server-side apply: conflicts, merging, taking away what a manager no longer names.

The same input gives the same object whatever the order of sets: everything is sorted before use.
"""

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import replace
from typing import Any

from providers.contract.manifest import Manifest
from providers.sandbox.answers import Cause, Refused
from providers.sandbox.fields import (
    Fields,
    Path,
    fields_of,
    item_step,
    remove_at,
    shown,
    value_at,
)
from providers.sandbox.managers import Holder, holders_of, write_holders
from providers.sandbox.shapes import Shape, shape_of


def applied(
    live: Manifest | None, config: Manifest, shape: Shape, who: Holder, *, force: bool
) -> Manifest:
    """Return the object after an apply; raises Refused with the conflicts unless forced."""
    wanted = fields_of(config, shape)
    holders = holders_of(live)
    others = [holder for holder in holders if not holder.is_same(who)]
    before = next((holder for holder in holders if holder.is_same(who)), None)
    taken = _contested(live, config, wanted, others)
    if taken and not force:
        raise _conflict(taken)
    others = [h.without(frozenset(path for o, path in taken if o is h)) for h in others]
    merged = merge(live, config, shape) if live else deepcopy(config)
    _take_away(merged, (before.fields if before else frozenset()) - wanted, others, wanted)
    same = before is not None and before.fields == wanted
    mine = before if before and same else replace(who, fields=wanted)
    write_holders(merged, [*others, mine])
    return merged


def merge(live: Any, config: Any, shape: Shape) -> Any:
    """Return live with everything that the configuration names laid over it."""
    if config is None:
        return deepcopy(live)
    if shape.whole or live is None or type(live) is not type(config):
        return deepcopy(config)
    if isinstance(config, dict):
        merged = deepcopy(live)
        for name, value in config.items():
            below = shape_of(shape.fields.get(name, "any")) if shape.fields else shape.item
            merged[name] = merge(live.get(name), value, below)
        return merged
    if shape.form == "set":
        return [*live, *(item for item in config if item not in live)]
    return _merge_items(live, config, shape) if isinstance(config, list) else config


def _merge_items(live: list[Manifest], config: list[Manifest], shape: Shape) -> list[Manifest]:
    found = {item_step(item, shape): item for item in live}
    named = [item_step(item, shape) for item in config]
    merged = [
        merge(found.get(step), item, shape.item) for step, item in zip(named, config, strict=True)
    ]
    return [*merged, *(deepcopy(item) for step, item in found.items() if step not in named)]


def _contested(
    live: Manifest | None, config: Manifest, wanted: Fields, others: Sequence[Holder]
) -> list[tuple[Holder, Path]]:
    return [
        (holder, path)
        for holder in others
        for path in sorted(holder.fields & wanted)
        if path[-1] != "." and value_at(live, path) != value_at(config, path)
    ]


def _take_away(merged: Manifest, dropped: Fields, others: Sequence[Holder], wanted: Fields) -> None:
    """Remove fields that nobody holds any longer: the deepest first, items after their members."""
    held = frozenset(path for holder in others for path in holder.fields) | wanted
    for path in sorted(dropped - held, key=lambda p: (-len(p), p)):
        if path[-1] != ".":
            remove_at(merged, path)
        elif not any(other[: len(path) - 1] == path[:-1] for other in held):
            remove_at(merged, path[:-1])
    for path in sorted(dropped - held, key=lambda p: (-len(p), p)):
        _prune(merged, path)


def _prune(merged: Manifest, path: Path) -> None:
    """Remove what a removal left empty above it, but never spec or metadata themselves."""
    for depth in range(len(path) - 1, 1, -1):
        if value_at(merged, path[:depth]) in ({}, []):
            remove_at(merged, path[:depth])


def _conflict(taken: Sequence[tuple[Holder, Path]]) -> Refused:
    causes = [
        Cause(
            field=shown(path),
            message=f"conflict with {_named(holder)}",
            reason="FieldManagerConflict",
        )
        for holder, path in taken
    ]
    count = f"{len(causes)} conflict{'s' if len(causes) > 1 else ''}"
    told = "\n".join(f"- {cause.field}" for cause in causes)
    text = f"conflicts with {_named(taken[0][0])}:\n{told}"
    if len(causes) == 1:
        text = f"{causes[0].message}: {causes[0].field}"
    details = {"causes": [cause.as_dict() for cause in causes]}
    return Refused(409, "Conflict", f"Apply failed with {count}: {text}", details)


def _named(holder: Holder) -> str:
    name = f'"{holder.manager}"'
    if holder.subresource:
        name += f' with subresource "{holder.subresource}"'
    return name if holder.operation == "Apply" else f"{name} using {holder.api_version}"

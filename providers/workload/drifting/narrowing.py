"""Of two large values that differ in one place only that place, so that a person finds it.

The API server takes some lists, such as the roles of a StormService, as one value. Pure, and for
the eye alone: what is compared and put back is the whole.
"""

from collections.abc import Mapping
from typing import Any

from providers.workload.drifting.comparing import is_covered
from providers.workload.drifting.defaults import has_more, is_filled_in
from providers.workload.drifting.paths import Path

# What tells one item of a list from another stays.
_KEPT = "name"


def only_what_differs(ours: Any, theirs: Any, at: Path) -> tuple[Any, Any]:
    """Return both values without what is the same in them, or as they are where all differs."""
    if isinstance(ours, Mapping) and isinstance(theirs, Mapping):
        return _members(ours, theirs, at)
    if are_words(ours) and are_words(theirs):
        return _words(ours, theirs)
    if isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        return _items(ours, theirs, at)
    return ours, theirs


def are_words(value: Any) -> bool:
    """Tell whether a value is a list of texts."""
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _members(
    ours: Mapping[str, Any], theirs: Mapping[str, Any], at: Path
) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    mine: dict[str, Any] = {}
    others: dict[str, Any] = {}
    for name, value in ours.items():
        inside = (*at, name)
        if name not in theirs:
            mine[name] = value
        elif _differ(value, theirs[name], inside):
            mine[name], others[name] = only_what_differs(value, theirs[name], inside)
        elif name == _KEPT:
            mine[name], others[name] = value, theirs[name]
    return mine, {**others, **_more(ours, theirs)}


def _more(ours: Mapping[str, Any], theirs: Mapping[str, Any]) -> dict[str, Any]:
    added = {name: value for name, value in theirs.items() if name not in ours}
    return {name: value for name, value in added.items() if not is_filled_in(name, value)}


def _differ(ours: Any, theirs: Any, at: Path) -> bool:
    return not is_covered(ours, theirs, at) or has_more(ours, theirs)


def _items(ours: list[Any], theirs: list[Any], at: Path) -> tuple[list[Any], list[Any]]:
    pairs = zip(ours, theirs, strict=True)
    differing = [only_what_differs(a, b, at) for a, b in pairs if _differ(a, b, at)]
    return [mine for mine, _ in differing], [others for _, others in differing]


def _words(ours: list[str], theirs: list[str]) -> tuple[list[str], list[str]]:
    mine = [word for word in ours if word not in theirs]
    others = [word for word in theirs if word not in ours]
    return (mine, others) if mine or others else (ours, theirs)

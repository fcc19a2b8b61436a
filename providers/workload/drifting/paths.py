"""Places in an object: steps down its maps and keyed lists, as text and as managedFields say it.

A step is a member's name, or the keys of an item in a list that the API server merges by them;
any other list is one value (k8s.io/api, the markers listType and listMapKey).
"""

from collections.abc import Mapping
from typing import Any

Keys = tuple[tuple[str, object], ...]
Step = str | Keys
Path = tuple[Step, ...]

_LIST_KEYS: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "containers": (("name",),),
    "initContainers": (("name",),),
    "env": (("name",),),
    "volumes": (("name",),),
    "imagePullSecrets": (("name",),),
    "volumeMounts": (("mountPath",),),
    "ports": (("containerPort", "protocol"), ("port", "protocol")),
}
_DEFAULTS: Mapping[str, object] = {"protocol": "TCP"}


def keyed(name: str, items: object) -> dict[Keys, Any] | None:
    """Return the items of a list by their keys; None for a list that is one value."""
    if not isinstance(items, list) or not all(isinstance(item, Mapping) for item in items):
        return None
    for names in _LIST_KEYS.get(name, ()):
        if all(key in item or key in _DEFAULTS for item in items for key in names):
            return {_keys(item, names): item for item in items}
    return None


def _keys(item: Mapping[str, object], names: tuple[str, ...]) -> Keys:
    return tuple((key, item.get(key, _DEFAULTS.get(key))) for key in names)


def text_of(path: Path) -> str:
    """Return `spec.template.spec.containers[name=engine].image`."""
    text = ""
    for step in path:
        if not isinstance(step, str):
            text += f"[{','.join(f'{key}={value}' for key, value in step)}]"
        elif "." in step or "/" in step:
            text += f"[{step}]"
        else:
            text += f".{step}" if text else step
    return text


def value_at(value: Any, path: Path) -> Any:
    """Return what stands at a path, None where nothing does."""
    last = ""
    for step in path:
        if isinstance(step, str):
            value = value.get(step) if isinstance(value, Mapping) else None
            last = step
        else:
            value = (keyed(last, value) or {}).get(step)
    return value


def without(value: Any, path: Path) -> Any:
    """Return a copy in which nothing stands at a path any more; what is beside it is shared."""
    return _without(value, path, "")


def _without(value: Any, path: Path, last: str) -> Any:
    step, below = path[0], path[1:]
    if isinstance(step, str):
        if not isinstance(value, Mapping) or step not in value:
            return value
        kept = {name: item for name, item in value.items() if name != step or below}
        return kept | ({step: _without(value[step], below, step)} if below else {})
    items = keyed(last, value) or {}
    if not below:
        return [item for keys, item in items.items() if keys != step]
    return [_without(item, below, last) if keys == step else item for keys, item in items.items()]


def merge_patch(before: Any, after: Any) -> Any:
    """Return the JSON merge patch (RFC 7386) that makes one of the other."""
    if not isinstance(before, Mapping) or not isinstance(after, Mapping):
        return after
    names = [name for name in {**before, **after} if before.get(name) != after.get(name)]
    return {
        name: merge_patch(before.get(name), after[name]) if name in after else None
        for name in names
    }

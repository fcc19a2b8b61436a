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

"""What an API server fills in by itself beside what somebody wrote, by the names of fields.

Who holds a value that is one to the API server holds all that was filled in inside it, too. So
there only the value tells: what asks for nothing, or for what goes without saying. The defaults are
those of a pod (k8s.io/api) and of the schemas of AIBrix and KServe.
"""

from collections.abc import Mapping
from typing import Any

_DEFAULTS: Mapping[str, object] = {
    "protocol": "TCP",
    "scheme": "HTTP",
    "imagePullPolicy": "IfNotPresent",
    "terminationMessagePath": "/dev/termination-log",
    "terminationMessagePolicy": "File",
    "timeoutSeconds": 1,
    "periodSeconds": 10,
    "successThreshold": 1,
    "failureThreshold": 3,
    "optional": False,
    "apiVersion": "v1",
    "type": "Recreate",
    "mode": "Preferred",
}


def is_filled_in(name: str, value: Any) -> bool:
    """Tell whether a field that we do not name may stand there by itself."""
    if isinstance(value, Mapping):
        return all(is_filled_in(inside, item) for inside, item in value.items())
    if value in (None, "", []):
        return True
    default = _DEFAULTS.get(name)
    return type(value) is type(default) and bool(value == default)


def has_more(ours: Any, theirs: Any) -> bool:
    """Tell whether something was added anywhere inside a value that is otherwise as ours."""
    if isinstance(ours, Mapping) and isinstance(theirs, Mapping):
        return any(_is_more(ours, name, value) for name, value in theirs.items())
    if isinstance(ours, list) and isinstance(theirs, list):
        return any(has_more(a, b) for a, b in zip(ours, theirs, strict=False))
    return False


def _is_more(ours: Mapping[str, Any], name: str, value: Any) -> bool:
    return has_more(ours[name], value) if name in ours else not is_filled_in(name, value)

"""Objects as an API server would keep them: with who holds what, for tests of what others changed.

Slipway holds all that its manifest names; whoever changes a field takes it from Slipway, and what
is added by itself nobody holds.
"""

import json
from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from providers.contract.drifting import DriftedField
from providers.contract.manifest import Manifest
from providers.workload.drifting.paths import Path, Step, keyed
from providers.workload.drifting.telling import tell
from providers.workload.labels import ANNOTATION_DIGEST

AT = "2026-11-30T21:00:00Z"
CONTAINER: Path = ("spec", "template", "spec", "containers", (("name", "engine"),))

MANIFEST: Manifest = {
    "apiVersion": "apps/v1",
    "kind": "Deployment",
    "metadata": {
        "name": "web",
        "namespace": "models",
        "labels": {"slipway.dev/id": "1"},
        "annotations": {ANNOTATION_DIGEST: "abc", "slipway.dev/display-name": "Web"},
    },
    "spec": {
        "replicas": 2,
        "strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 1}},
        "template": {
            "metadata": {"labels": {"slipway.dev/id": "1"}},
            "spec": {
                "containers": [
                    {
                        "name": "engine",
                        "image": "mock:1",
                        "args": ["--model=m", "--port=8000"],
                        "env": [{"name": "COLOUR", "value": "red"}],
                        "ports": [{"name": "http", "containerPort": 8000, "protocol": "TCP"}],
                        "resources": {"requests": {"cpu": "1000m"}},
                        "securityContext": {"allowPrivilegeEscalation": False},
                    }
                ],
                "tolerations": [{"key": "gpu", "operator": "Exists"}],
            },
        },
    },
}


def live_of(manifest: Manifest = MANIFEST) -> Manifest:
    """Return the object right after an apply, with some of what an API server fills in."""
    live = deepcopy(manifest)
    live["metadata"] |= {"uid": "u-1", "resourceVersion": "7", "generation": 1}
    live["spec"] |= {"revisionHistoryLimit": 10}
    live["status"] = {"replicas": 2}
    live["metadata"]["managedFields"] = [
        entry("slipway", _tree(manifest), operation="Apply"),
        entry("kube-controller-manager", {"f:status": {}}, subresource="status"),
    ]
    return live


def entry(manager: str, fields: object, *, operation: str = "Update", **more: object) -> Manifest:
    told = {"manager": manager, "operation": operation, "time": AT, "fieldsType": "FieldsV1"}
    return {**told, "fieldsV1": fields, **more}


def change(live: Manifest, path: Path, value: Any, *, manager: str = "", **more: Any) -> Manifest:
    """Write a value as `manager` would, "" leaving no trace; None takes the field away."""
    changed = deepcopy(live)
    _put(changed, path, value)
    fields = changed["metadata"]["managedFields"]
    for held in fields:
        _drop(held["fieldsV1"], path)
    if manager and value is not None:
        fields.append(entry(manager, _nest(path, value), **more))
    return changed


def drift_of(live: Manifest, manifest: Manifest = MANIFEST, **more: str) -> list[DriftedField]:
    return list(tell(manifest, live, **more))


def _put(value: Any, path: Path, new: Any) -> None:
    last = ""
    for step in path[:-1]:
        value = value.setdefault(step, {}) if isinstance(step, str) else keyed(last, value)[step]  # type: ignore[index]
        last = step if isinstance(step, str) else last
    final = path[-1]
    if isinstance(final, str) and new is None:
        del value[final]
    elif isinstance(final, str):
        value[final] = new
    else:
        value[:] = [item for keys, item in (keyed(last, value) or {}).items() if keys != final]
        value.extend([] if new is None else [new])


def _drop(tree: Any, path: Path) -> None:
    below = tree.get(_spelt(path[0]))
    if below is None:
        return
    if len(path) > 1:
        _drop(below, path[1:])
    if len(path) == 1 or not below:
        del tree[_spelt(path[0])]


def _nest(path: Path, value: Any) -> Manifest:
    tree: Any = _tree_at(str(path[-1]), value)
    for step in reversed(path):
        tree = {_spelt(step): tree}
    return dict(tree)


def _spelt(step: Step) -> str:
    if isinstance(step, str):
        return f"f:{step}"
    return f"k:{json.dumps(dict(step), separators=(',', ':'))}"


def _tree(manifest: Manifest) -> Manifest:
    labels = {part: manifest["metadata"][part] for part in ("labels", "annotations")}
    return dict(_tree_at("", {"metadata": labels, "spec": manifest["spec"]}))


def _tree_at(name: str, value: Any) -> Any:
    if isinstance(value, Mapping):
        return {f"f:{key}": _tree_at(key, below) for key, below in value.items()}
    items = keyed(name, value)
    if items is None:
        return {}
    return {_spelt(keys): {".": {}, **_tree_at("", item)} for keys, item in items.items()}

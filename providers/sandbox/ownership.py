"""Server-side apply: who holds which field, and what an apply lays over an object or takes away.

A path is a tuple of steps as in managedFields: `f:name` a member, `k:{...}` a list's item by its
keys, `.` the item itself. The same input gives the same object whatever the order of sets.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from typing import Any

from providers.contract.manifest import Manifest, canonical_json
from providers.sandbox.messages import Refused, cause

Path = tuple[str, ...]
Leaves = dict[Path, Any]
Paths = frozenset[Path]
Holder = tuple[str, str]  # manager, operation

UNHELD = ("apiVersion", "kind", "status")
UNOWNED = {
    *("name", "namespace", "uid", "resourceVersion", "generation", "creationTimestamp"),
    *("deletionTimestamp", "deletionGracePeriodSeconds", "managedFields"),
}
# Lists whose items are told apart by keys; a port has two of the three.
_KEYS: Mapping[str, tuple[str, ...]] = {
    "containers": ("name",),
    "initContainers": ("name",),
    "env": ("name",),
    "ports": ("containerPort", "port", "protocol"),
    "volumes": ("name",),
    "volumeMounts": ("mountPath",),
    "imagePullSecrets": ("name",),
    "ownerReferences": ("uid",),
}
# Owned and replaced as one, though maps; of a list among them, each item.
_WHOLE = frozenset(
    {"selector", "nodeSelector", "secretKeyRef", "imagePullSecrets", "ownerReferences"}
)
_KEY_DEFAULTS = {"protocol": "TCP"}
_REPLICAS: Path = ("f:spec", "f:replicas")


def apply(live: Manifest | None, config: Manifest, entry: Manifest, *, force: bool) -> Manifest:
    """Return the object after an apply; raises Refused with the conflicts unless forced.

    `entry` is what managedFields will say of the manager that applies, but for its fields.
    """
    present, wanted, me = leaves_of(live or {}), leaves_of(config), _holder(entry)
    entries, held = _holders(live)
    before = held.pop(me, frozenset())
    taken = [
        (holder, path)
        for holder, paths in held.items()
        for path in sorted(paths & wanted.keys())
        if path[-1] != "." and (path not in present or present[path] != wanted[path])
    ]
    if taken and not force:
        raise _conflict(taken)
    for holder, path in taken:
        held[holder] -= {path}
    others = (path for paths in held.values() for path in paths)
    gone = _parents(*before) - _parents(*wanted) - _parents(*others)
    kept = {path: value for path, value in present.items() if not _parents(path) & gone}
    if before != wanted.keys():
        entries[me] = entry
    held[me] = frozenset(wanted)
    source: Manifest = live or config
    body: Manifest = _built(wanted | {p: kept[p] for p in kept if p not in wanted})
    unowned = {name: value for name, value in source["metadata"].items() if name in UNOWNED}
    body["metadata"] = unowned | body.get("metadata", {})
    body["metadata"]["managedFields"] = _written(entries, held)
    return {name: source[name] for name in UNHELD if name in source} | body


def with_replicas(item: Manifest, replicas: int, entry: Manifest) -> Manifest:
    """Return a copy with another number of replicas, set through the scale subresource.

    Who held the number holds it no longer; where nobody did, nobody is noted.
    """
    changed = deepcopy(item)
    changed["spec"]["replicas"] = replicas
    entries, held = _holders(item)
    if any(_REPLICAS in paths for paths in held.values()):
        held = {holder: paths - {_REPLICAS} for holder, paths in held.items()}
        held[_holder(entry)] = frozenset({_REPLICAS})
        changed["metadata"]["managedFields"] = _written({_holder(entry): entry} | entries, held)
    return changed


def leaves_of(body: Manifest) -> Leaves:
    """Return everything in an object that somebody can hold, by its path."""
    metadata = {k: v for k, v in (body.get("metadata") or {}).items() if k not in UNOWNED}
    named = {"metadata": metadata} if metadata else {}
    rest = {k: v for k, v in body.items() if k not in {*UNHELD, "metadata"}}
    return {path: value for path, value in _leaves(rest | named, "", ()) if path}


def _leaves(value: Any, name: str, at: Path) -> Iterator[tuple[Path, Any]]:
    if isinstance(value, dict) and value and name not in _WHOLE:
        for step, below in value.items():
            if below is not None:
                yield from _leaves(below, step, (*at, f"f:{step}"))
    elif isinstance(value, list) and value and name in _KEYS:
        for item in value:
            here = (*at, _item_step(item, _KEYS[name]))
            if name not in _WHOLE:
                yield (*here, "."), None
            yield from _leaves(item, name if name in _WHOLE else "", here)
    else:
        yield at, value


def _item_step(item: Manifest, keys: Iterable[str]) -> str:
    named = {key: item.get(key, _KEY_DEFAULTS.get(key)) for key in keys}
    return "k:" + canonical_json({key: value for key, value in named.items() if value is not None})


def _built(leaves: Leaves) -> Any:
    """Return the value whose leaves these are; an empty one yields to what others have in it."""
    if set(leaves) == {()}:
        return deepcopy(leaves[()])
    below: dict[str, Leaves] = {}
    for path, value in leaves.items():
        if path and path != (".",):
            below.setdefault(path[0], {})[path[1:]] = value
    if any(step.startswith("k:") for step in below):
        return [_built(item) for item in below.values()]
    return {step.removeprefix("f:"): _built(member) for step, member in below.items()}


def _holder(entry: Manifest) -> Holder:
    return entry["manager"], entry["operation"]


def _parents(*paths: Path) -> Paths:
    """Return paths and everything above them."""
    return frozenset(path[:length] for path in paths for length in range(1, len(path) + 1))


def _holders(item: Manifest | None) -> tuple[dict[Holder, Manifest], dict[Holder, Paths]]:
    """Return the entries of managedFields, and what each of them holds."""
    listed = ((item or {}).get("metadata") or {}).get("managedFields") or []
    entries = {_holder(entry): entry for entry in listed}
    return entries, {holder: _paths(entry["fieldsV1"]) for holder, entry in entries.items()}


def _written(
    entries: Mapping[Holder, Manifest], held: Mapping[Holder, Iterable[Path]]
) -> list[Manifest]:
    """Return managedFields in one order; who holds nothing is left out."""
    return [
        {**entries[holder], "fieldsType": "FieldsV1", "fieldsV1": _tree(held[holder])}
        for holder in sorted(held)
        if held[holder]
    ]


def _tree(paths: Iterable[Path]) -> Manifest:
    tree: Manifest = {}
    for path in sorted(paths):
        here = tree
        for step in path:
            here = here.setdefault(step, {})
    return tree


def _paths(tree: Manifest, at: Path = ()) -> Paths:
    if not tree:
        return frozenset({at} if at else ())
    return frozenset(p for step, below in tree.items() for p in _paths(below, (*at, step)))


def _conflict(taken: list[tuple[Holder, Path]]) -> Refused:
    causes = [
        cause(_shown(path), f'conflict with "{manager}"', "FieldManagerConflict")
        for (manager, _), path in taken
    ]
    count = "1 conflict" if len(causes) == 1 else f"{len(causes)} conflicts"
    told = ", ".join(f"{each['message']}: {each['field']}" for each in causes)
    details = {"causes": causes}
    return Refused(409, "Conflict", f"Apply failed with {count}: {told}", details)


def _shown(path: Path) -> str:
    """Return a path as messages show it: `.spec.template.spec.containers[name="c"].image`."""
    steps = (step.replace("f:", ".", 1) for step in path)
    keyed = re.compile(r'k:{"(\w+)":([^,}]*)}')
    return "".join(keyed.sub(r"[\1=\2]", step) for step in steps)

"""Server-side apply: who holds which field, and what an apply lays over an object or takes away.

A path is a tuple of names; a list is held whole, since no two managers of ours share one. The same
input gives the same object whatever the order of sets.
"""

from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from typing import Any

from providers.contract.manifest import Manifest
from providers.sandbox.messages import Refused

Path = tuple[str, ...]
Paths = frozenset[Path]
Holder = tuple[str, str]  # manager, operation

_SERVERS = {
    *("name", "namespace", "uid", "resourceVersion", "generation", "creationTimestamp"),
    *("deletionTimestamp", "deletionGracePeriodSeconds", "managedFields"),
}
_UNHELD = {("apiVersion",), ("kind",), ("status",), *(("metadata", name) for name in _SERVERS)}


def apply(live: Manifest | None, config: Manifest, entry: Manifest, *, force: bool) -> Manifest:
    """Return the object after an apply; raises Refused with the conflicts unless forced.

    `entry` is what managedFields will say of the manager that applies, but for its fields.
    """
    present, wanted = dict(_leaves(live or config)), dict(_leaves(config))
    me, mine = _holder(entry), frozenset(wanted) - _UNHELD
    entries, held = _holders(live)
    before = held.pop(me, frozenset())
    changed = {path for path in mine if present.get(path) != wanted[path]}
    taken = [(who, path) for who in sorted(held) for path in sorted(held[who] & changed)]
    if taken and not force:
        raise _conflict(taken)
    held = {who: paths - changed for who, paths in held.items()}
    gone = _parents(before) - _parents(mine.union(*held.values()))
    kept = {path: value for path, value in present.items() if not _parents({path}) & gone}
    body = _built(kept | {path: value for path, value in wanted.items() if path in mine})
    return _held(body, {me: entry} | entries, held | {me: mine})


def update(live: Manifest, item: Manifest, entry: Manifest) -> Manifest:
    """Return a changed object with who holds it now: what changed is the writer's alone.

    Who held what may be a part of the change. `entry` is what managedFields will say of the writer.
    """
    before, after, me = dict(_leaves(live)), dict(_leaves(item)), _holder(entry)
    changed = frozenset(path for path, value in after.items() if before.get(path) != value)
    written = changed - _UNHELD
    there = _parents(after)
    entries, held = _holders(item)
    held = {who: (paths & there) - written for who, paths in held.items()}
    held[me] = held.get(me, frozenset()) | written
    return _held(item, entries | ({me: entry} if written else {}), held)


def merged(value: Any, patch: Any) -> Any:
    """Return a copy of a value with a JSON merge patch (RFC 7386) laid over it."""
    if not isinstance(patch, dict):
        return deepcopy(patch)
    base = value if isinstance(value, dict) else {}
    kept = {name: deepcopy(below) for name, below in base.items() if name not in patch}
    laid = {name: merged(base.get(name), patch[name]) for name in patch if patch[name] is not None}
    return kept | laid


def _leaves(value: Any, at: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Yield what is there at the ends of all paths, which is never null."""
    if not isinstance(value, dict) or not value or at == ("status",):
        yield at, value
        return
    for name, below in value.items():
        if below is not None:
            yield from _leaves(below, (*at, name))


def _built(leaves: Mapping[Path, Any]) -> Manifest:
    """Return the object whose leaves these are; an empty one yields to what others have in it."""
    body: Manifest = {}
    for path in sorted(leaves, key=len):
        here = body
        for name in path[:-1]:
            here = here.setdefault(name, {})
        here.setdefault(path[-1], deepcopy(leaves[path]))
    return body


def _parents(paths: Iterable[Path]) -> Paths:
    """Return paths and everything above them."""
    return frozenset(path[:length] for path in paths for length in range(1, len(path) + 1))


def _holder(entry: Manifest) -> Holder:
    return entry["manager"], entry["operation"]


def _holders(item: Manifest | None) -> tuple[dict[Holder, Manifest], dict[Holder, Paths]]:
    """Return the entries of managedFields, and what each of them holds."""
    listed = item["metadata"].get("managedFields") or () if item else ()
    held = {}
    for entry in listed:
        marked = (path for path, _ in _leaves(entry["fieldsV1"]))
        paths = (tuple(name.removeprefix("f:") for name in path) for path in marked)
        held[_holder(entry)] = frozenset(paths)
    return {_holder(entry): entry for entry in listed}, held


def _held(
    item: Manifest, entries: Mapping[Holder, Manifest], held: Mapping[Holder, Paths]
) -> Manifest:
    """Return an object with managedFields in one order; who holds nothing is left out."""
    listed = []
    for holder, paths in sorted(held.items()):
        marked = (tuple(f"f:{name}" for name in path) for path in sorted(paths))
        fields = _built({path: {} for path in marked})
        listed += [entries[holder] | {"fieldsV1": fields}] if fields else []
    return {**item, "metadata": item["metadata"] | {"managedFields": listed}}


def _conflict(taken: list[tuple[Holder, Path]]) -> Refused:
    causes = [
        {"field": f".{'.'.join(path)}", "message": f'conflict with "{who}"'}
        for (who, _), path in taken
    ]
    count = "1 conflict" if len(causes) == 1 else f"{len(causes)} conflicts"
    told = ", ".join(f"{cause['message']}: {cause['field']}" for cause in causes)
    return Refused(409, "Conflict", f"Apply failed with {count}: {told}", causes=causes)

"""Where an object differs from the manifest it was written from.

Only what the manifest names counts, and what others put beside it. Values are compared as the API
server understands them: 1000m is 1, and what it adds by itself is no difference. What we still hold
is as we wrote it, whatever the API server made of it then. Of a value that it takes as one, what
else is in it counts where somebody else holds the whole.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from providers.contract.drifting import DriftKind
from providers.contract.manifest import Manifest
from providers.contract.quantity import parse_quantity
from providers.workload.drifting.defaults import has_more, is_filled_in
from providers.workload.drifting.holders import Entry, entries_of, holder_of
from providers.workload.drifting.paths import Path, keyed
from providers.workload.labels import ANNOTATION_DIGEST, ANNOTATION_REVISION

# An object that a later revision leaves as it was is not written, and keeps its first revision.
_BOOKKEEPING = frozenset({ANNOTATION_DIGEST, ANNOTATION_REVISION})
_QUANTITIES = frozenset({"limits", "requests", "emptyDir", "target"})
OWNERS: Path = ("metadata", "ownerReferences")
REPLICAS: Path = ("spec", "replicas")
LEFT = "left to the autoscaler"


@dataclass(frozen=True, kw_only=True, slots=True)
class Difference:
    """One place where an object is not as we wrote it; `holder` None where nobody holds it."""

    path: Path
    kind: DriftKind
    ours: Any = None
    theirs: Any = None
    holder: Entry | None = None


def differences_of(manifest: Manifest, live: Manifest) -> tuple[Difference, ...]:
    """Return every difference, in the order of the manifest."""
    entries = entries_of(live)
    # A manifest without a digest cannot tell another one of ours: it counts as the last.
    is_ours = _digest(manifest) == _digest(live)
    found = (*_metadata(manifest, live), *_walk(manifest.get("spec"), live.get("spec"), ("spec",)))
    told = (_traced(one, entries, is_written=is_ours) for one in found)
    return tuple(one for one in told if one is not None)


def unheld_beside(manifest: Manifest, live: Manifest) -> tuple[Path, ...]:
    """Return what nobody holds and we do not name, beside what differs from ours.

    Mostly that is what the API server filled in; it may be what it refuses next to a value of ours.
    """
    changed = differences_of(manifest, live)
    places = {one.path[:-1] for one in changed if one.kind is not DriftKind.ADDED}
    entries = entries_of(live)
    return tuple(
        one.path
        for one in _walk(manifest.get("spec"), live.get("spec"), ("spec",))
        if one.kind is DriftKind.ADDED
        and one.path[:-1] in places
        and holder_of(entries, one.path) is None
    )


def _metadata(manifest: Manifest, live: Manifest) -> Iterator[Difference]:
    """Compare labels, annotations and owners of ours; anybody may add others."""
    for part in ("labels", "annotations"):
        ours = manifest["metadata"].get(part) or {}
        theirs = live["metadata"].get(part) or {}
        counted = {key: text for key, text in ours.items() if key not in _BOOKKEEPING}
        yield from _members(counted, theirs, ("metadata", part))
    owners = live["metadata"].get("ownerReferences") or ()
    uids = {owner.get("uid") for owner in owners}
    for owner in manifest["metadata"].get("ownerReferences") or ():
        if owner["uid"] not in uids:
            named = f"{owner['kind']} {owner['name']}"
            yield Difference(path=OWNERS, kind=DriftKind.REMOVED, ours=named)


def _walk(ours: Any, theirs: Any, at: Path) -> Iterator[Difference]:
    last = at[-1]
    if isinstance(ours, Mapping) and isinstance(theirs, Mapping):
        yield from _members(ours, theirs, at)
        yield from _beside(ours, theirs, at)
    elif isinstance(last, str) and (mine := keyed(last, ours)) is not None:
        yield from _items(mine, keyed(last, theirs), ours, theirs, at)
    elif not is_covered(ours, theirs, at) or has_more(ours, theirs):
        yield Difference(path=at, kind=DriftKind.CHANGED, ours=ours, theirs=theirs)


def _members(ours: Mapping[str, Any], theirs: Mapping[str, Any], at: Path) -> Iterator[Difference]:
    for name, value in ours.items():
        if theirs.get(name) is not None:
            yield from _walk(value, theirs[name], (*at, name))
        elif value not in ({}, [], None):
            yield Difference(path=(*at, name), kind=DriftKind.REMOVED, ours=value)


def _beside(ours: Mapping[str, Any], theirs: Mapping[str, Any], at: Path) -> Iterator[Difference]:
    """Yield members that we do not name: whether somebody added them is told by who holds them."""
    for name, value in theirs.items():
        path = (*at, name)
        if name in ours:
            continue
        if path != REPLICAS:
            yield Difference(path=path, kind=DriftKind.ADDED, theirs=value)
        elif value == 0:  # which no autoscaler sets: it was stopped by hand
            yield Difference(path=path, kind=DriftKind.CHANGED, ours=LEFT, theirs=value)


def _items(
    mine: Mapping[Any, Any], found: Mapping[Any, Any] | None, ours: Any, theirs: Any, at: Path
) -> Iterator[Difference]:
    if found is None:
        yield Difference(path=at, kind=DriftKind.CHANGED, ours=ours, theirs=theirs)
        return
    for keys, item in mine.items():
        if keys in found:
            yield from _walk(item, found[keys], (*at, keys))
        else:
            yield Difference(path=(*at, keys), kind=DriftKind.REMOVED, ours=item)
    for keys, item in found.items():
        if keys not in mine:
            yield Difference(path=(*at, keys), kind=DriftKind.ADDED, theirs=item)


def _traced(found: Difference, entries: Sequence[Entry], *, is_written: bool) -> Difference | None:
    """Return a difference with who holds it; None for what is none.

    `is_written` tells that the object was last written by us from this very manifest.
    """
    holder = holder_of(entries, found.path)
    if is_written and holder and holder.is_ours and holder.operation == "Apply":
        return found if _is_left_over(found, holder) else None
    if _is_beside(found) and not _was_added(holder, found):
        return None
    return replace(found, holder=None if holder and holder.is_ours else holder)


def _is_left_over(found: Difference, holder: Entry) -> bool:
    """Tell whether it became ours to be taken away, and that was broken off in between."""
    return found.kind is DriftKind.ADDED and holder.holds(found.path)


def _is_beside(found: Difference) -> bool:
    """Tell whether all that we name is as it was, and the difference is what else is there."""
    if found.kind is DriftKind.ADDED:
        return isinstance(found.path[-1], str)
    return found.kind is DriftKind.CHANGED and is_covered(found.ours, found.theirs, found.path)


def _was_added(holder: Entry | None, found: Difference) -> bool:
    """Tell whether somebody put it there, and not the API server in a value of theirs."""
    if holder is None or holder.is_ours or holder.is_of_cluster:
        return False
    if holder.holds(found.path) or holder.holds(found.path[:-1]):
        return True
    return not is_filled_in(str(found.path[-1]), found.theirs)


def is_covered(ours: Any, theirs: Any, at: Path) -> bool:
    """Tell whether all that we name is there, with whatever was filled in beside it."""
    if isinstance(ours, Mapping) and isinstance(theirs, Mapping):
        return all(is_covered(value, theirs.get(name), (*at, name)) for name, value in ours.items())
    if isinstance(ours, list) and isinstance(theirs, list):
        pairs = zip(ours, theirs, strict=False)
        return len(ours) == len(theirs) and all(is_covered(a, b, at) for a, b in pairs)
    return bool(ours == theirs) or _are_the_same_quantity(ours, theirs, at)


def _are_the_same_quantity(ours: Any, theirs: Any, at: Path) -> bool:
    if not _QUANTITIES.intersection(step for step in at if isinstance(step, str)):
        return False
    try:
        return parse_quantity(str(ours)) == parse_quantity(str(theirs))
    except ValueError:
        return False


def _digest(manifest: Manifest) -> str:
    annotations = manifest["metadata"].get("annotations") or {}
    return str(annotations.get(ANNOTATION_DIGEST) or "")

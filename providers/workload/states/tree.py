"""Objects in the order of a tree: each right before what belongs to it, roots as they came."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from providers.contract.manifest import ObjectKey
from providers.contract.observing import ObjectState


def as_tree(objects: Iterable[ObjectState]) -> tuple[ObjectState, ...]:
    """Return the objects as a tree; one whose owner is not among them is a root."""
    given = tuple(objects)
    keys = {item.key for item in given}
    below: dict[ObjectKey | None, list[ObjectState]] = defaultdict(list)
    for item in given:
        known = item if item.below in keys and item.below != item.key else replace(item, below=None)
        below[known.below].append(known)
    return tuple(_walk(below, None))


def _walk(
    below: Mapping[ObjectKey | None, list[ObjectState]], owner: ObjectKey | None
) -> Iterator[ObjectState]:
    for item in below.get(owner, ()):
        yield item
        yield from _walk(below, item.key)

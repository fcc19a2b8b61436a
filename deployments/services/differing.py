"""What differs between two states of one object, as documents: pure, and knows no object."""

from collections.abc import Mapping

Document = Mapping[str, object]


def difference_of(
    before: Document | None, after: Document | None
) -> tuple[Document | None, Document | None]:
    """Return both without the members that are the same in each, however deep they stand.

    Where one is None the object was made or removed, and the other one stays whole. A list that
    differs stays whole, as its places mean nothing without one another.
    """
    if before is None or after is None:
        return before, after
    return _beyond(before, after), _beyond(after, before)


def _beyond(one: Document, other: Document) -> dict[str, object]:
    """Return the members of one that the other has not, or has otherwise."""
    return {
        name: _part(value, other.get(name))
        for name, value in one.items()
        if name not in other or value != other[name]
    }


def _part(value: object, other: object) -> object:
    if isinstance(value, Mapping) and isinstance(other, Mapping):
        return _beyond(value, other)
    return value

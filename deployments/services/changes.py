"""Where two renderings of a launch differ, value by value."""

from collections.abc import Iterator, Mapping, Sequence

from deployments.exceptions import Change
from providers.contract.manifest import Manifest, canonical_json, key_of

MAX_CHANGES = 50


def changed_values(before: Sequence[Manifest], after: Sequence[Manifest]) -> tuple[Change, ...]:
    """Return the values that differ, by kind and path, at most fifty of them."""
    old, new = _values(before), _values(after)
    paths = [path for path in dict.fromkeys((*old, *new)) if old.get(path) != new.get(path)]
    return tuple(
        Change(path=path, before=old.get(path, ""), after=new.get(path, ""))
        for path in paths[:MAX_CHANGES]
    )


def _values(manifests: Sequence[Manifest]) -> dict[str, str]:
    return {
        path: text
        for manifest in manifests
        for path, text in _leaves(manifest, key_of(manifest).kind)
    }


def _leaves(value: object, at: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping) and value:
        for key, item in value.items():
            yield from _leaves(item, f"{at}.{key}")
    elif isinstance(value, list | tuple) and value:
        for index, item in enumerate(value):
            yield from _leaves(item, f"{at}[{index}]")
    else:
        yield at, value if isinstance(value, str) else canonical_json(value)

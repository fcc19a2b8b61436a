"""A nested document as paths and texts, so that two of them can be compared value by value."""

import json
from collections.abc import Iterator, Mapping


def flat(value: object, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield every value with its dotted path; empty ones and nulls are absent, a list is one."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from flat(inner, f"{path}.{key}" if path else str(key))
    elif value not in (None, "", [], ()):
        yield path, text_of(value)


def text_of(value: object) -> str:
    """Return a value as people write it: on and off, a list with commas, all else as it is."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, list | tuple):
        return ", ".join(map(text_of, value))
    return json.dumps(value) if isinstance(value, Mapping) else str(value)

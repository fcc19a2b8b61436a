"""The order of versions: optional `v`, dotted whole numbers, optional `-suffix` that sorts before.

Used for template versions ("latest active") and for engine versions, llama.cpp's builds
(`b10434`) among them.
"""

import re

_VERSION = re.compile(
    r"[vb]?(?P<numbers>[0-9]{1,9}(?:\.[0-9]{1,9}){0,5})(?:-(?P<suffix>[0-9A-Za-z.-]{1,40}))?"
)

VersionKey = tuple[tuple[int, ...], int, tuple[tuple[int, int, str], ...]]


def version_key(text: str) -> VersionKey:
    """Return a key that sorts 1.2 < 1.10-rc1 < 1.10 == v1.10.0; raises ValueError with the form."""
    match = _VERSION.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is not a version; write it like 1.2.0, v1.2 or 1.2.0-rc1")
    numbers = [int(part) for part in match["numbers"].split(".")]
    while len(numbers) > 1 and numbers[-1] == 0:
        numbers.pop()
    suffix = match["suffix"]
    return tuple(numbers), 0 if suffix else 1, _suffix_key(suffix or "")


def _suffix_key(suffix: str) -> tuple[tuple[int, int, str], ...]:
    parts = re.findall(r"\d+|[A-Za-z]+", suffix)
    return tuple((0, int(p), "") if p.isdigit() else (1, 0, p.lower()) for p in parts)

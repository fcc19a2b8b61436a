"""Manifests as a page shows them: the plain YAML, line by line, its keys told apart.

What stands on the page, copied as a whole, is what the cluster was given.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from providers.contract.manifest import Manifest
from providers.contract.yaml_text import to_yaml

# A key stands at the beginning of its line, after blanks and the dash of a list; quoted or not.
_KEY = re.compile(r'(?P<before> *(?:- +)*)(?P<key>[A-Za-z_][\w./-]*|"(?:[^"\\]|\\.)*")(?=:(?: |$))')


@dataclass(frozen=True, kw_only=True, slots=True)
class Line:
    """One line: what stands before its key, the key if it has one, and the rest."""

    before: str
    key: str
    rest: str


@dataclass(frozen=True, kw_only=True, slots=True)
class ShownManifest:
    """One object with its YAML, for a page."""

    kind: str
    name: str
    lines: tuple[Line, ...]


def show_manifests(manifests: Iterable[Manifest]) -> tuple[ShownManifest, ...]:
    """Return manifests for a page, in the order of apply."""
    return tuple(
        ShownManifest(
            kind=str(manifest.get("kind", "")),
            name=str((manifest.get("metadata") or {}).get("name", "")),
            lines=lines_of(to_yaml([manifest])),
        )
        for manifest in manifests
    )


def lines_of(text: str) -> tuple[Line, ...]:
    """Return the lines of a YAML text; joined with line breaks they are the text again."""
    return tuple(_line(line) for line in text.removesuffix("\n").split("\n"))


def _line(text: str) -> Line:
    found = _KEY.match(text)
    if found is None:
        return Line(before="", key="", rest=text)
    return Line(before=found["before"], key=found["key"], rest=text[found.end() :])

"""Manifests as a page shows them: the plain YAML, line by line, its keys told apart.

What stands on the page, copied as a whole, is what the cluster was given.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from providers.contract.manifest import Manifest
from providers.contract.manifest_yaml import manifests_yaml

# A key stands at the beginning of its line, after blanks and the dash of a list; quoted or not.
_KEY = re.compile(r'(?P<before> *(?:- +)*)(?P<key>[A-Za-z_][\w./-]*|"(?:[^"\\]|\\.)*")(?=:(?: |$))')

# Follows from the rest: nobody set it.
_DIGEST = re.compile(r" *[\w.-]+/digest:")


@dataclass(frozen=True, kw_only=True, slots=True)
class Line:
    """One line: what stands before its key, the key if it has one, and the rest.

    `is_overridden` marks what the template alone would not have said.
    """

    before: str
    key: str
    rest: str
    is_overridden: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class ShownManifest:
    """One object with its YAML, for a page."""

    kind: str
    name: str
    lines: tuple[Line, ...]

    @property
    def overridden(self) -> int:
        """Return how many lines the deployer's overrides made."""
        return sum(line.is_overridden for line in self.lines)


def show_manifests(
    manifests: Iterable[Manifest], without_overrides: Sequence[Manifest] = ()
) -> tuple[ShownManifest, ...]:
    """Return manifests for a page, in the order of apply.

    With the manifests that there would be without overrides, lines that differ are marked.
    """
    plain = {_identity(manifest): _text_lines(manifest) for manifest in without_overrides}
    return tuple(
        ShownManifest(
            kind=kind,
            name=name,
            lines=tuple(
                _lines(_text_lines(manifest), plain.get((kind, name), ()) if plain else None)
            ),
        )
        for manifest in manifests
        for kind, name in (_identity(manifest),)
    )


def _identity(manifest: Manifest) -> tuple[str, str]:
    return str(manifest.get("kind", "")), str((manifest.get("metadata") or {}).get("name", ""))


def _text_lines(manifest: Manifest) -> Sequence[str]:
    return manifests_yaml([manifest]).removesuffix("\n").split("\n")


def _lines(texts: Sequence[str], plain: Sequence[str] | None) -> Iterator[Line]:
    """Yield the lines of a YAML text; joined with line breaks they are the text again."""
    changed = frozenset() if plain is None else _changed(plain, texts)
    for number, text in enumerate(texts):
        yield line_of(text, is_overridden=number in changed)


def _changed(before: Sequence[str], after: Sequence[str]) -> frozenset[int]:
    """Return the numbers of the lines of `after` that `before` has not, in the same order."""
    if not before:
        return frozenset(range(len(after)))
    steps = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    return frozenset(
        number
        for name, _, _, first, last in steps
        if name != "equal"
        for number in range(first, last)
        if not _DIGEST.match(after[number])
    )


def line_of(text: str, *, is_overridden: bool = False) -> Line:
    """Return a line of YAML taken apart."""
    found = _KEY.match(text)
    if found is None:
        return Line(before="", key="", rest=text, is_overridden=is_overridden)
    return Line(
        before=found["before"],
        key=found["key"],
        rest=text[found.end() :],
        is_overridden=is_overridden,
    )

"""The difference of an object's YAML as a page shows it: hunks of lines, keys told apart."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from console.web.shown.manifests import Line, line_of
from deployments.diffing.lines import MARKS, Hunk, Side
from deployments.diffing.manifests import Fate, ObjectDiff


@dataclass(frozen=True, kw_only=True, slots=True)
class FateLook:
    """How it is shown what becomes of an object: word, tone, icon."""

    word: str
    tone: str
    icon: str


FATES: Mapping[Fate, FateLook] = {
    Fate.ADDED: FateLook(word="new", tone="ok", icon="circle-plus"),
    Fate.REMOVED: FateLook(word="goes", tone="fail", icon="circle-minus"),
    Fate.CHANGED: FateLook(word="changes", tone="accent", icon="circle-dot"),
}


@dataclass(frozen=True, kw_only=True, slots=True)
class ShownLine:
    """One line: whose it is, its mark, its number in the text that has it, the text."""

    side: Side
    mark: str
    number: int
    line: Line


@dataclass(frozen=True, kw_only=True, slots=True)
class ShownHunk:
    """Lines that stand together, and the line that names their place."""

    header: str
    lines: tuple[ShownLine, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class ShownDiff:
    """One object that is not the same; `added` and `removed` count lines."""

    kind: str
    name: str
    look: FateLook
    added: int
    removed: int
    hunks: tuple[ShownHunk, ...]


def show_diffs(diffs: Sequence[ObjectDiff]) -> tuple[ShownDiff, ...]:
    """Return the differences for a page, in their order."""
    return tuple(
        ShownDiff(
            kind=diff.key.kind,
            name=diff.key.name,
            look=FATES[diff.fate],
            added=_count(diff, Side.AFTER),
            removed=_count(diff, Side.BEFORE),
            hunks=tuple(
                ShownHunk(header=hunk.header, lines=tuple(_lines(hunk))) for hunk in diff.hunks
            ),
        )
        for diff in diffs
    )


def _lines(hunk: Hunk) -> Iterator[ShownLine]:
    for line in hunk.lines:
        yield ShownLine(
            side=line.side,
            mark=MARKS[line.side],
            number=line.after or line.before,
            line=line_of(line.text),
        )


def _count(diff: ObjectDiff, side: Side) -> int:
    return sum(line.side is side for hunk in diff.hunks for line in hunk.lines)

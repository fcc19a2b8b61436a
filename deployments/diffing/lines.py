"""Two texts held against each other line by line, as `diff -u` does."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum

CONTEXT = 3


class Side(StrEnum):
    """Which of the two texts has a line."""

    BOTH = "both"
    BEFORE = "before"
    AFTER = "after"


MARKS = {Side.BOTH: " ", Side.BEFORE: "-", Side.AFTER: "+"}


@dataclass(frozen=True, kw_only=True, slots=True)
class DiffLine:
    """One line without its line break; a number is 0 in the text that does not have it."""

    side: Side
    text: str
    before: int = 0
    after: int = 0

    def __str__(self) -> str:
        """Return the line as a unified diff writes it."""
        return f"{MARKS[self.side]}{self.text}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Hunk:
    """Lines that differ, with up to three equal ones around; `header` names the places."""

    header: str
    lines: tuple[DiffLine, ...]

    def __str__(self) -> str:
        """Return the hunk as a unified diff writes it."""
        return "\n".join((self.header, *map(str, self.lines)))


_Step = tuple[str, int, int, int, int]


def hunks_of(
    before: Sequence[str], after: Sequence[str], *, shown: "Shown | None" = None
) -> tuple[Hunk, ...]:
    """Return what differs; `shown` are the lines to show in place of those that are compared."""
    shown = shown or Shown(before=before, after=after)
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    return tuple(_hunk(steps, shown) for steps in matcher.get_grouped_opcodes(CONTEXT))


@dataclass(frozen=True, kw_only=True, slots=True)
class Shown:
    """The lines that a reader may see, as many on each side as there are to compare."""

    before: Sequence[str]
    after: Sequence[str]


def _hunk(steps: Sequence[_Step], shown: Shown) -> Hunk:
    lines = tuple(line for step in steps for line in _lines(step, shown))
    first, last = steps[0], steps[-1]
    header = f"@@ -{_range(first[1], last[2])} +{_range(first[3], last[4])} @@"
    return Hunk(header=header, lines=lines)


def _lines(step: _Step, shown: Shown) -> Iterator[DiffLine]:
    name, low, high, new_low, new_high = step
    if name == "equal":
        for number in range(low, high):
            line, there = shown.before[number], number - low + new_low + 1
            yield DiffLine(side=Side.BOTH, text=line, before=number + 1, after=there)
        return
    for number in range(low, high):
        yield DiffLine(side=Side.BEFORE, text=shown.before[number], before=number + 1)
    for number in range(new_low, new_high):
        yield DiffLine(side=Side.AFTER, text=shown.after[number], after=number + 1)


def _range(low: int, high: int) -> str:
    """Return a range of lines as `diff -u` writes it: first line and count, a count of 1 left out.

    An empty range is told by the line before it.
    """
    count = high - low
    if count == 1:
        return str(low + 1)
    return f"{low + 1 if count else low},{count}"

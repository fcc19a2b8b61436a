"""Small pieces of sentences: counts, durations and lists, always in the same words."""

from collections.abc import Iterable

_LONGEST = 300
# How a sentence ends that a log would finish.
LOG_SAYS_WHY = "; its log says why"


def count_of(number: int, word: str) -> str:
    """Return `1 pod`, `2 pods`."""
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def duration(seconds: float | None) -> str:
    """Return `40 s`, `7 min`, `3 h` or `2 d`."""
    if seconds is None:
        return "an unknown time"
    for size, unit in ((86_400, "d"), (3_600, "h"), (60, "min")):
        if seconds >= 2 * size:
            return f"{int(seconds // size)} {unit}"
    return f"{int(seconds)} s"


def joined(parts: Iterable[str]) -> str:
    return ", ".join(parts)


def short(text: str | None) -> str:
    """Return foreign words on one line and of bearable length."""
    line = " ".join((text or "").split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"

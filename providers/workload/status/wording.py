"""Small pieces of sentences: counts, durations and lists, always in the same words."""

from collections.abc import Iterable

_LONGEST = 300
# What is looked at of foreign words, which may be without end.
_READ = 10 * _LONGEST
_CODES = {
    126: "its command cannot be executed",
    127: "its command was not found",
}
# A code above 128 is that of a signal.
_SIGNALS = {
    1: "SIGHUP",
    2: "SIGINT",
    4: "SIGILL",
    6: "SIGABRT",
    7: "SIGBUS",
    8: "SIGFPE",
    9: "SIGKILL",
    11: "SIGSEGV",
    13: "SIGPIPE",
    15: "SIGTERM",
}
_FIRST_SIGNAL = 128
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


def exit_code(code: int | None, signal: int | None = None) -> str:
    """Return `code 1`, or `code 137 (SIGKILL)` where it means something; untold is 0."""
    code = code or 0
    number = signal or (code - _FIRST_SIGNAL if code > _FIRST_SIGNAL else 0)
    meaning = _CODES.get(code) or _SIGNALS.get(number, "")
    return f"code {code}{f' ({meaning})' if meaning else ''}"


def joined(parts: Iterable[str]) -> str:
    return ", ".join(parts)


def short(text: str | None) -> str:
    """Return foreign words on one line and of bearable length, without what cannot be shown.

    Controls and marks of direction would change what stands beside them; NUL no database keeps.
    """
    shown = (char if char.isprintable() else " " for char in (text or "")[:_READ])
    line = " ".join("".join(shown).split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"

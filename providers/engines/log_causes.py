"""Finds in the end of a log why an engine did not start; any text, in bounded time.

Knows lines and the table of signatures. Nothing here fetches a log or keeps one.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from providers.engines.signatures import SIGNATURES, Signature

# How many lines from the end are looked at, and how much of each.
LINES, LONGEST = 200, 2_000
# What is shown of a line.
_SHOWN = 240
# Lines that repeat what clients sent: a question about a fault is none.
_OF_CLIENTS = ("received request", "prompt: ", "receive: obj=", "finish: obj=")
# The line below the one that only counts errors.
_DETAIL = "value error,"


@dataclass(frozen=True, kw_only=True, slots=True)
class LogCause:
    """Why an engine did not start: its signature, and the line that tells."""

    signature: Signature
    line: str

    @property
    def code(self) -> str:
        return self.signature.code

    @property
    def sentence(self) -> str:
        """Return what is wrong and, in brackets, what to do."""
        return f"{self.signature.says} ({self.signature.advice})"


def find_cause(lines: Sequence[str]) -> LogCause | None:
    """Return the first cause of the table that the last lines of a log tell, None for none."""
    ends = [line[:LONGEST] for line in lines[-LINES:]]
    lowered = [_told(line.lower()) for line in ends]
    for signature in SIGNATURES:
        for index in range(len(lowered) - 1, -1, -1):
            if any(mark.is_in(lowered[index]) for mark in signature.marks):
                return LogCause(signature=signature, line=_shown(ends, index))
    return None


def _told(line: str) -> str:
    """Return what the engine itself said in a line, empty where it repeats a client."""
    return "" if any(line.find(word) >= 0 for word in _OF_CLIENTS) else line


def _shown(lines: Sequence[str], index: int) -> str:
    """Return a line to show, with the one below where that names the error."""
    chosen = lines[index : index + 2]
    if not chosen[-1].strip().lower().startswith(_DETAIL):
        chosen = chosen[:1]
    line = " ".join(" ".join(chosen).split())
    return line if len(line) <= _SHOWN else f"{line[: _SHOWN - 1]}…"

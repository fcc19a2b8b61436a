"""From the bytes of a container's log to lines that may be shown anywhere: pure.

A container may write anything: progress bars, colours, commands to a terminal, text that runs from
right to left, secrets, no text at all. Lines are put here as a terminal would leave them, what
cannot be seen is made visible or goes, and what looks like a secret is masked.
"""

import re
from collections.abc import Iterable, Iterator
from datetime import datetime

from providers.contract.masking import mask_lines
from providers.contract.observing import LogLine

# A longer line is cut here, with a word that it was.
LONGEST = 16_384

_STAMP = re.compile(rb"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)) ?")
# Commands to a terminal: sequences with parameters, titles and links, and all others.
_ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_]?)")
_DELETE, _REPLACEMENT = 0x7F, 0xFFFD
_HIDDEN = {
    **{code: 0x2400 + code for code in range(0x20) if code != ord("\t")},
    _DELETE: 0x2421,
    **dict.fromkeys(range(0x80, 0xA0), _REPLACEMENT),
    # Line ends of other alphabets, and what turns the direction of writing.
    **dict.fromkeys((0x2028, 0x2029, 0x200E, 0x200F, 0x061C, 0xFEFF), _REPLACEMENT),
    **dict.fromkeys((*range(0x202A, 0x202F), *range(0x2066, 0x206A)), _REPLACEMENT),
}


def lines_of(body: bytes) -> Iterator[LogLine]:
    """Yield the lines of a log that was read with time stamps; nothing that it holds is a fault."""
    pieces = body.split(b"\n")
    if not pieces[-1]:
        pieces.pop()
    stamped = [_stamped(piece) for piece in pieces]
    texts = mask_lines(harmless(raw) for _, raw in stamped)
    for (at, _), text in zip(stamped, texts, strict=True):
        yield LogLine(at=at, text=text)


def _stamped(line: bytes) -> tuple[datetime | None, bytes]:
    """Return when the runtime read a line, to the microsecond, and the line itself."""
    found = _STAMP.match(line)
    if found is None:
        return None, line
    try:
        return datetime.fromisoformat(found[1].decode()), line[found.end() :]
    except ValueError:
        return None, line


def harmless(raw: bytes) -> str:
    """Return one line as text: what a terminal would show of it last, and nothing else."""
    text = _ESCAPES.sub("", raw.decode("utf-8", "replace"))
    shown = _last_written(text.split("\r")).translate(_HIDDEN)
    more = len(shown) - LONGEST
    return shown if more <= 0 else f"{shown[:LONGEST]} … {more} more characters"


def _last_written(parts: Iterable[str]) -> str:
    """Return what stands on a line that was written over and over, as progress bars are."""
    last = ""
    for part in parts:
        last = part if part.strip() else last
    return last

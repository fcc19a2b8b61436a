"""How an engine argument of a template becomes a flag: spelling, and what is wrong with it.

Holds what all engines share; the names come from a dialect, the exceptions from each engine.
"""

import difflib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from providers.engines.dialect import Dialect
from providers.engines.findings import refuse, warn
from providers.engines.launch import Finding
from providers.engines.owned import OWNED

BOOLEANS = frozenset({"true", "false"})

_WHOLE_NUMBER = re.compile(r"-?[0-9]{1,18}")
_SHORTENED_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?[kKmMgGtT](?:i?[bB])?")


@dataclass(frozen=True, kw_only=True, slots=True)
class Piece:
    """One argument as the engine spells it: no tokens where nothing is to be said to the engine.

    `flag` is the long name without dashes; a finding may come with the tokens or instead of them.
    """

    flag: str
    tokens: tuple[str, ...] = ()
    finding: Finding | None = None


def flag_of(key: str) -> str:
    """Return the long flag of a template's key; what follows a dot names a part of a JSON value."""
    head, dot, part = key.partition(".")
    return head.replace("_", "-") + dot + part


def head_of(flag: str) -> str:
    """Return a flag without the part of its JSON value."""
    return flag.partition(".")[0]


def one_word(flag: str, value: str | int, *, finding: Finding | None = None) -> Piece:
    """Return `--flag=value`."""
    return Piece(flag=flag, tokens=(f"--{flag}={value}",), finding=finding)


def two_words(flag: str, value: str | int, *, finding: Finding | None = None) -> Piece:
    """Return `--flag value`, for a parser that knows no equals sign."""
    return Piece(flag=flag, tokens=(f"--{flag}", str(value)), finding=finding)


def bare(flag: str, *, finding: Finding | None = None) -> Piece:
    """Return `--flag`."""
    return Piece(flag=flag, tokens=(f"--{flag}",), finding=finding)


def silent(flag: str) -> Piece:
    """Return nothing to say: the engine does it by itself."""
    return Piece(flag=flag)


def refused(flag: str, path: str, message: str) -> Piece:
    """Return a refusal in place of an argument."""
    return Piece(flag=flag, finding=refuse(path, message))


def find_fault(flag: str, value: str, dialect: Dialect) -> str:
    """Return what is wrong with an argument in this version, empty when nothing is."""
    head = head_of(flag)
    if head in OWNED:
        return OWNED[head]
    if head in dialect.missing:
        return gone_message(head, dialect)
    if flag in dialect.flags:
        return _value_fault(flag, value, dialect)
    if head in dialect.flags:
        return ""
    return misspelling(head, dialect)


def gone_message(flag: str, dialect: Dialect) -> str:
    """Return the sentence about a flag that this version has no more, or not yet."""
    instead = dialect.missing[flag]
    advice = f"write {instead} instead" if instead else "leave it out"
    return f"{dialect.name} does not take {flag.replace('-', '_')}; {advice}"


def misspelling(flag: str, dialect: Dialect) -> str:
    """Return the sentence about a name that is a known one cut short or joined otherwise."""
    known = dialect.flags | OWNED.keys()
    plain = flag.replace("-", "")
    same = sorted(name for name in known if name.replace("-", "") == plain)
    longer = same or sorted(name for name in known if name.startswith(flag))
    if not longer:
        return ""
    owner = next((OWNED[name] for name in longer if name in OWNED), "")
    whole = " or ".join(name.replace("-", "_") for name in longer[:4])
    return f"write the whole name, {whole}" + (f" ({owner})" if owner else "")


def unknown_warning(flag: str, path: str, dialect: Dialect) -> Finding | None:
    """Return the warning about a flag that is passed on though nobody here knows it."""
    if head_of(flag) in dialect.flags:
        return None
    close = difflib.get_close_matches(head_of(flag), dialect.flags, n=1, cutoff=0.85)
    hint = f"; did you mean {close[0].replace('-', '_')}?" if close else ""
    return warn(
        path, f"{dialect.name} is not known to take --{flag}; it is passed on as it is{hint}"
    )


def without_repeats(pieces: Iterable[Piece], *, path: str) -> Iterator[Piece]:
    """Keep the first of the pieces that end in one flag, and refuse the others."""
    seen: set[str] = set()
    for piece in pieces:
        if piece.tokens and piece.flag in seen:
            message = f"--{piece.flag} is set twice; leave one of the arguments that say it out"
            yield refused(piece.flag, piece.finding.path if piece.finding else path, message)
            continue
        if piece.tokens:
            seen.add(piece.flag)
        yield piece


def _value_fault(flag: str, value: str, dialect: Dialect) -> str:
    if flag in dialect.switches:
        return "" if value in BOOLEANS else f"must be true or false; {value!r} was given"
    if value in BOOLEANS:
        return f"needs a value; {value} was given"
    if flag in dialect.integers and value not in dialect.choices.get(flag, ()):
        return number_fault(value)
    if flag in dialect.choices and value not in dialect.choices[flag]:
        known = ", ".join(sorted(dialect.choices[flag], key=_by_size))
        return f"{dialect.name} takes one of {known}; {value!r} was given"
    return ""


def number_fault(value: str) -> str:
    """Return what is wrong with a whole number, empty when nothing is."""
    if _WHOLE_NUMBER.fullmatch(value):
        return ""
    if _SHORTENED_NUMBER.fullmatch(value):
        return f"give the number: {value!r} is thousands to one engine and 1024s to another"
    return f"must be a whole number; {value!r} was given"


def _by_size(text: str) -> tuple[int, str]:
    return (int(text), "") if text.isdigit() else (0, text)

"""The words that a template appends to the command line: what they may say, what they suppress.

Read as the engines' own parsers would: a word with dashes opens a flag, the words behind it are its
values. Nothing here knows which engine it is but by the dialect.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from providers.engines.arguments import Piece, gone_message, head_of, misspelling
from providers.engines.dialect import Dialect
from providers.engines.findings import refuse, warn
from providers.engines.launch import Finding
from providers.engines.owned import OWNED, OWNED_IN_SERVE_ARGS

PATH = "spec.engine.serve_args"

_NO_VALUE = "takes no value; write the flag alone"
_NUMBER = re.compile(r"-[0-9]+(?:\.[0-9]+)?")


@dataclass(frozen=True, kw_only=True, slots=True)
class Group:
    """A flag with its values as written; `flag` is its long name, empty for words before any."""

    flag: str
    tokens: tuple[str, ...]


def group_words(words: Sequence[str], dialect: Dialect) -> tuple[Group, ...]:
    """Return the flags among the words, each with the values behind it."""
    groups: list[Group] = []
    for word in words:
        if _opens_flag(word) or not groups:
            flag = _long_name(word, dialect) if _opens_flag(word) else ""
            groups.append(Group(flag=flag, tokens=(word,)))
        else:
            last = groups[-1]
            groups[-1] = Group(flag=last.flag, tokens=(*last.tokens, word))
    return tuple(groups)


def accepted(groups: Iterable[Group], dialect: Dialect, *, remote_code: bool) -> Iterator[Group]:
    """Leave out what is refused; `remote_code` tells whether code of the model may run."""
    return (group for group in groups if not _fault(group, dialect, remote_code))


def review_words(
    groups: Iterable[Group], dialect: Dialect, *, remote_code: bool
) -> Iterator[Finding]:
    """Say what is refused among the words, and what else there is to know about them."""
    for group in groups:
        fault = _fault(group, dialect, remote_code)
        if fault:
            yield refuse(PATH, f"{_shown(group)}: {fault}")
        elif group.flag == "config":
            yield warn(PATH, "--config: what the file says is not checked here")
        elif head_of(_positive(group.flag, dialect)) not in dialect.flags:
            yield warn(PATH, f"{_shown(group)}: {dialect.name} is not known to take it")


def suppress(pieces: Iterable[Piece], groups: Iterable[Group], dialect: Dialect) -> Iterator[Piece]:
    """Leave out the pieces whose flag stands among the words already."""
    said = {_positive(group.flag, dialect) for group in groups}
    return (piece for piece in pieces if not _is_said(_positive(piece.flag, dialect), said))


def _is_said(flag: str, said: set[str]) -> bool:
    return flag in said or head_of(flag) in said or flag in {head_of(name) for name in said}


def _fault(group: Group, dialect: Dialect, remote_code: bool) -> str:  # noqa: FBT001 - handed down
    head = head_of(_positive(group.flag, dialect))
    if not head:
        return "only flags may stand here; a word by itself could be read as the model"
    if head in OWNED_IN_SERVE_ARGS:
        return OWNED_IN_SERVE_ARGS[head]
    if head in dialect.runs_code and not remote_code and not group.flag.startswith("no-"):
        return "runs code that comes with the model; set spec.engine.allow_remote_code as well"
    if head in dialect.missing:
        return gone_message(head, dialect)
    if head not in dialect.flags:
        return _owned_prefix(head) or misspelling(head, dialect)
    return _spelling_fault(group, dialect) or _stray_word(group, dialect)


def _owned_prefix(flag: str) -> str:
    return next((text for name, text in OWNED.items() if name.startswith(flag)), "")


def _spelling_fault(group: Group, dialect: Dialect) -> str:
    name, equals, _ = group.tokens[0].partition("=")
    if "_" in name.partition(".")[0] and not dialect.takes_underscores:
        return f"write it with dashes, --{group.flag}"
    if equals and (not dialect.takes_equals or group.flag in dialect.switches):
        return "write the value as a word of its own" if _takes_value(group, dialect) else _NO_VALUE
    if (
        _is_negative(group.flag, dialect)
        and _positive(group.flag, dialect) not in dialect.negatable
    ):
        return f"{dialect.name} knows no --no- form of it; leave it out"
    return ""


def _takes_value(group: Group, dialect: Dialect) -> bool:
    return group.flag in dialect.values


def _stray_word(group: Group, dialect: Dialect) -> str:
    alone = group.flag in dialect.switches or _is_negative(group.flag, dialect)
    if len(group.tokens) > 1 and (alone or "=" in group.tokens[0]):
        return f"{group.tokens[1]!r} behind it belongs to no flag and could be read as the model"
    return ""


def _opens_flag(word: str) -> bool:
    return word.startswith("-") and not _NUMBER.fullmatch(word)


def _long_name(word: str, dialect: Dialect) -> str:
    name = word.partition("=")[0]
    if name.startswith("--"):
        head, dot, part = name[2:].partition(".")
        return head.replace("_", "-") + dot + part
    return dialect.shorts.get(name) or dialect.shorts.get(name[:2]) or name


def _is_negative(flag: str, dialect: Dialect) -> bool:
    return flag.startswith("no-") and flag not in dialect.flags


def _positive(flag: str, dialect: Dialect) -> str:
    return flag.removeprefix("no-") if _is_negative(flag, dialect) else flag


def _shown(group: Group) -> str:
    return group.tokens[0].partition("=")[0]

"""Names as people type them: which characters they may hold, and when two of them are the same.

The one place for both rules; whoever stores or compares a name comes here.
"""

import re
import unicodedata
from typing import Annotated

from pydantic import AfterValidator, Field

from providers.contract.versions import version_key

KEY_LENGTH = 400
NAME_LENGTH = 200
SLUG_LENGTH = 100
VERSION_LENGTH = 60

# Controls, surrogates, line and paragraph separators: none belongs in one line of text.
_BREAKS = frozenset({"Cc", "Cs", "Zl", "Zp"})
_INVISIBLE = "Cf"


def name_key(name: str) -> str:
    """Return what two names that look alike share: case, width, spacing and invisibles ignored."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    visible = "".join(char for char in folded if unicodedata.category(char) != _INVISIBLE)
    return " ".join(visible.split())


def version_slug(version: str) -> str:
    """Return one spelling for equal versions: v1.0 and 1.0.0 are one version, and so one key."""
    numbers, _, suffix = version_key(version)
    tail = ".".join(word or str(number) for _, number, word in suffix)
    dotted = ".".join(str(number) for number in numbers)
    return f"{dotted}-{tail}" if "-" in version else dotted


def next_version(version: str) -> str:
    """Return the version that follows: its last number plus one, or the release of a suffix."""
    release, _, suffix = version.partition("-")
    if suffix:
        return release
    head, dot, last = release.rpartition(".")
    letter = "v" if not dot and last.startswith("v") else ""
    return f"{head}{dot}{letter}{int(last.removeprefix('v')) + 1}"


def _one_line(text: str) -> str:
    if any(unicodedata.category(char) in _BREAKS for char in text):
        raise ValueError("must be one line without control characters")
    return text


def _visible(text: str) -> str:
    key = name_key(text)
    if not key:
        raise ValueError("must hold a visible character")
    if len(key) > KEY_LENGTH:
        raise ValueError(f"is too long; at most {NAME_LENGTH} characters")
    return " ".join(text.split())


def _one_word(text: str) -> str:
    if any(char.isspace() for char in text):
        raise ValueError("must be one word, because clients send it as it stands")
    return text


def _spaceless(text: str) -> str:
    if any(char.isspace() for char in text):
        raise ValueError("must hold no space")
    return text


def _slug(text: str) -> str:
    if not re.fullmatch(r"[a-z0-9](?:[-a-z0-9]*[a-z0-9])?", text):
        raise ValueError(
            "must consist of lower-case letters, digits and dashes, "
            "and begin and end with a letter or digit, like qwen3-8b"
        )
    return text


def _version(text: str) -> str:
    if text.startswith("b"):
        raise ValueError(f"{text!r} is not a version; write it like 1.2.0, v1.2 or 1.2.0-rc1")
    version_key(text)
    return text


def _word(text: str) -> str:
    if not name_key(text) or "|" in text:
        raise ValueError("must hold a visible character and no |")
    return " ".join(text.split())


Line = Annotated[str, AfterValidator(_one_line)]
Name = Annotated[Line, Field(max_length=NAME_LENGTH), AfterValidator(_visible)]
Word = Annotated[Line, Field(max_length=60), AfterValidator(_word)]
Slug = Annotated[str, Field(max_length=SLUG_LENGTH), AfterValidator(_slug)]
ServingName = Annotated[Line, Field(max_length=NAME_LENGTH), AfterValidator(_one_word)]
SourceUri = Annotated[str, Field(min_length=1, max_length=500), AfterValidator(_spaceless)]
SourceRevision = Annotated[str, Field(max_length=200), AfterValidator(_spaceless)]
Version = Annotated[str, Field(max_length=VERSION_LENGTH), AfterValidator(_version)]

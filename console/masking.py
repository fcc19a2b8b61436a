"""Keeps secrets out of log lines, whichever way they got in: by key, by shape, or by being ours.

It would rather mask a harmless word than let one secret through. Knows strings and nothing of
where they come from.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import quote

from providers.contract.masking import MASK, VALUE, mask_secrets

# What is nested deeper is written as one string, and masked as that.
DEEPEST = 6
# Shorter ones would be found in every second word.
SHORTEST_KNOWN = 4

_NAMES = r"pass(?:word|wd|phrase)|secret|token|api[_-]?key|private[_-]?key|key-data|credential"
_SECRET_NAME = re.compile(rf"(?i){_NAMES}|authorization|cookie|session")
# In our own lines nothing else is called so; in those of an engine half of the figures are.
_NAMED = re.compile(rf"""(?i)((?:{_NAMES})[a-z_]*["']?\s*[:=]\s*){VALUE}""")


class Masker:
    """A step of structlog that masks every value; `known` are secrets by their own text."""

    def __init__(self, known: Iterable[str] = ()) -> None:
        texts = {text for secret in known for text in (secret, quote(secret, safe=""))}
        # The longest first, in case one stands in another.
        self._known = sorted((t for t in texts if len(t) >= SHORTEST_KNOWN), key=len, reverse=True)

    def __call__(self, logger: Any, method: str, event: Mapping[str, Any]) -> dict[str, Any]:
        """Return the line without secrets."""
        del logger, method
        return {key: self._named(key, value, 1) for key, value in event.items()}

    def mask_text(self, text: str) -> str:
        """Return a text without what is known as a secret or looks like one."""
        for secret in self._known:
            text = text.replace(secret, MASK)
        return _NAMED.sub(rf"\1{MASK}", mask_secrets(text))

    def _named(self, key: object, value: object, depth: int) -> object:
        if isinstance(value, str | bytes) and value and _SECRET_NAME.search(str(key)):
            return MASK
        return self._masked(value, depth)

    def _masked(self, value: object, depth: int) -> object:
        if value is None or isinstance(value, bool | int | float):
            return value
        if depth < DEEPEST and isinstance(value, Mapping):
            return {str(key): self._named(key, one, depth + 1) for key, one in value.items()}
        if depth < DEEPEST and isinstance(value, list | tuple | set | frozenset):
            return [self._masked(one, depth + 1) for one in value]
        return self.mask_text(str(value))

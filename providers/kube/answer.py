"""What came back for one request: status, headers, body, and how to read them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import msgspec

from providers.kube.clock import server_time

_WARNING = re.compile(r'\d{3} \S+ "((?:[^"\\]|\\.)*)"')
_OK = range(200, 300)


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """One answer of an API server; `host` is its host and port for people.

    `cut` tells that the body went on, and was not read to its end.
    """

    status: int
    headers: Mapping[str, str]
    body: bytes
    host: str
    cut: bool = False

    @property
    def is_ok(self) -> bool:
        return self.status in _OK

    @property
    def is_status(self) -> bool:
        """Tell whether it is a word of the API server's own, not of who it passes calls on to."""
        document = self.document()
        return document.get("kind") == "Status" and document.get("apiVersion") == "v1"

    @property
    def now(self) -> datetime:
        return server_time(self.headers)

    @property
    def warnings(self) -> tuple[str, ...]:
        """Return the sentences of the Warning headers."""
        found = _WARNING.findall(self.headers.get("Warning") or "")
        return tuple(dict.fromkeys(text.replace('\\"', '"') for text in found))

    @property
    def retry_after(self) -> float:
        """Return the seconds that the server asks us to wait, 0 when it names none."""
        text = (self.headers.get("Retry-After") or "").strip()
        return float(text) if text.isdecimal() else 0.0

    def document(self) -> dict[str, Any]:
        """Return the body as JSON, empty when it is none."""
        try:
            read = msgspec.json.decode(self.body)
        except msgspec.DecodeError:
            return {}
        return read if isinstance(read, dict) else {}

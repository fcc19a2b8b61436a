"""An answer without an end, read line by line, which another thread may end.

Knows bytes only: what a line says is told in `watching`.
"""

import socket
from collections.abc import Iterator
from contextlib import suppress

import urllib3
from urllib3.exceptions import HTTPError

from providers.kube.answer import Answer

_PIECE = 1 << 16
# What a refusal may say; a stream that was not begun is read no further.
_MOST_WORDS = 1 << 16


class Stream:
    """One answer as it comes in; `host` is the server's for people."""

    def __init__(self, response: urllib3.BaseHTTPResponse, *, host: str) -> None:
        self._response = response
        self._host = host
        self.rest = b""

    @property
    def status(self) -> int:
        """Return the HTTP status that the answer began with."""
        return self._response.status

    def bound(self, seconds: float) -> None:
        """Let silence for so long be the end."""
        connection = getattr(self._response.connection, "sock", None)
        if connection is not None:
            connection.settimeout(seconds)

    def words(self) -> Answer:
        """Return the beginning of the body as an answer: why a stream was refused."""
        body = b""
        with suppress(HTTPError, OSError):
            body = self._response.read(_MOST_WORDS)
        return Answer(
            status=self.status, headers=self._response.headers, body=body, host=self._host
        )

    def lines(self) -> Iterator[bytes]:
        """Yield each whole line until the other side ends, falls silent, or `close` is called.

        What was cut in the middle of a line is no line, and stays in `rest`.
        """
        with suppress(HTTPError, OSError, ValueError):
            while piece := self._response.read1(_PIECE):
                *whole, self.rest = (self.rest + piece).split(b"\n")
                yield from filter(None, whole)

    def close(self) -> None:
        """End the stream, also for a thread that waits for its next line."""
        connection = getattr(self._response.connection, "sock", None)
        if connection is not None:
            with suppress(OSError):
                # Not TLS's own shutdown, which would take its state from the thread that reads.
                socket.socket.shutdown(connection, socket.SHUT_RDWR)

    def release(self) -> None:
        """Let go of the connection; only the thread that reads may do so."""
        with suppress(HTTPError, OSError):
            self._response.close()

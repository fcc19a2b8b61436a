"""The kubelet's own HTTPS port, for logs: TLS on loopback, open to the API server's client
certificate only.
"""

import ssl
import time
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import parse_qs, urlsplit

from providers.simulation.pod_life.log_reading import LogQuery, LogUnavailable, tail_of
from providers.simulation.pod_life.pace import Pace
from tests.cluster.harness.certificates import Pair
from tests.cluster.kubelet.logs import is_running, log_lines
from tests.cluster.kubelet.pods import Care

FOLLOW_EVERY_SECONDS = 0.2
HANDSHAKE_SECONDS = 5.0
CareOf = Callable[[str], Care | None]


class LogServer:
    """Serves `/containerLogs/NAMESPACE/POD/CONTAINER` for all pretended nodes."""

    def __init__(self, care_of: CareOf, *, port: int, serving: Pair, ca: Path, pace: Pace) -> None:
        self.care_of = care_of
        self.pace = pace
        self._address = ("127.0.0.1", port)
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.load_cert_chain(serving.certificate, serving.key)
        self._context.load_verify_locations(ca)
        self._context.verify_mode = ssl.CERT_REQUIRED
        self._server: ThreadingHTTPServer | None = None

    def start(self) -> None:
        """Listen, in a thread."""
        handler = type("Handler", (_Handler,), {"logs": self, "timeout": HANDSHAKE_SECONDS})
        self._server = ThreadingHTTPServer(self._address, handler)
        # The handshake is left to the thread of the connection: a silent peer holds up nobody.
        self._server.socket = self._context.wrap_socket(
            self._server.socket, server_side=True, do_handshake_on_connect=False
        )
        Thread(target=self._server.serve_forever, daemon=True, name="kubelet-logs").start()

    def stop(self) -> None:
        """Close the port."""
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()
            self._server = None

    def following(self, key: str, query: LogQuery, *, follow: bool) -> Iterable[bytes]:
        """Yield what there is, then, if asked to follow, what comes until the container ends."""
        sent = 0
        while True:
            care = self.care_of(key)
            if care is None or self._server is None:
                return
            lines = log_lines(care, query, pace=self.pace)
            chosen = tail_of(lines, query) if not sent else lines[sent:]
            yield from (line.encoded(query) for line in chosen)
            sent = len(lines)
            if not follow or not is_running(care, query.container):
                return
            time.sleep(FOLLOW_EVERY_SECONDS)


class _Handler(BaseHTTPRequestHandler):
    logs: LogServer

    def do_GET(self) -> None:
        """Answer a log request."""
        parts = urlsplit(self.path)
        segments = parts.path.strip("/").split("/")
        if len(segments) != 4 or segments[0] != "containerLogs":
            self._refuse(404, "the stand-in kubelet serves containerLogs only")
            return
        _, namespace, pod, container = segments
        key = f"{namespace}/{pod}"
        if self.logs.care_of(key) is None:
            self._refuse(404, f'pod "{pod}" not found')
            return
        try:
            given = parse_qs(parts.query)
            query, follow = _query(container, given), _holds(given, "follow")
            self._send(self.logs.following(key, query, follow=follow))
        except LogUnavailable as error:
            self._refuse(400, str(error))
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name of the base class
        """Say nothing: what matters is in the API server's log."""

    def _send(self, chunks: Iterable[bytes]) -> None:
        begun = False
        for chunk in chunks:
            if not begun:
                self._begin()
                begun = True
            self.wfile.write(chunk)
            self.wfile.flush()
        if not begun:
            self._begin()
        self.close_connection = True

    def _begin(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/plain")
        self.send_header("Connection", "close")
        self.end_headers()

    def _refuse(self, status: int, message: str) -> None:
        body = message.encode()
        self.send_response(status)
        self.send_header("Content-Type", "text/plain")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def _query(container: str, given: dict[str, list[str]]) -> LogQuery:
    def number(name: str) -> int | None:
        return int(given[name][0]) if name in given else None

    return LogQuery(
        container=container,
        previous=_holds(given, "previous"),
        timestamps=_holds(given, "timestamps"),
        tail_lines=number("tailLines"),
        since=_since(given, number("sinceSeconds")),
    )


def _holds(given: dict[str, list[str]], name: str) -> bool:
    return given.get(name) == ["true"]


def _since(given: dict[str, list[str]], seconds: int | None) -> datetime | None:
    if seconds is not None:
        return datetime.now(UTC) - timedelta(seconds=seconds)
    return datetime.fromisoformat(given["sinceTime"][0]) if "sinceTime" in given else None

"""A Prometheus on loopback that answers in the shapes of its HTTP API, as recorded from one."""

import json
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs

Points = Sequence[tuple[float, str]]


@dataclass(kw_only=True)
class Asked:
    """One query that came in."""

    path: str
    form: Mapping[str, str]
    headers: Mapping[str, str]


@dataclass(kw_only=True)
class Prometheus:
    """Where it is, what it was asked, and what it answers next."""

    url: str
    status: int = 200
    body: bytes = b""
    silent: threading.Event | None = None
    asked: list[Asked] = field(default_factory=list)

    def has(self, *series: tuple[Mapping[str, str], Points]) -> None:
        """Answer with a matrix of these series."""
        result = [{"metric": metric, "values": values} for metric, values in series]
        data = {"resultType": "matrix", "result": result}
        self.answers(200, {"status": "success", "data": data, "warnings": ["a warning"]})

    def refuses(self, status: int, kind: str, error: str) -> None:
        """Answer as it does to a query that it cannot take."""
        self.answers(status, {"status": "error", "errorType": kind, "error": error})

    def answers(self, status: int, body: object) -> None:
        """Answer with any JSON."""
        self.status, self.body = status, json.dumps(body).encode()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    known: Prometheus

    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        form = parse_qs(self.rfile.read(length).decode())
        asked = Asked(
            path=self.path,
            form={name: values[0] for name, values in form.items()},
            headers=dict(self.headers.items()),
        )
        self.known.asked.append(asked)
        if self.known.silent:
            self.known.silent.wait(30)
        self.send_response(self.known.status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(self.known.body)))
        self.end_headers()
        self.wfile.write(self.known.body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
        """Stay quiet."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that gives up is no news."""


@contextmanager
def standing_in() -> Iterator[Prometheus]:
    """Run one until left."""
    known = Prometheus(url="")
    known.has()
    server = _Server(("127.0.0.1", 0), type("Handler", (_Handler,), {"known": known}))
    known.url = f"http://127.0.0.1:{server.server_address[1]}/prom"
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    try:
        yield known
    finally:
        if known.silent:
            known.silent.set()
        server.shutdown()
        server.server_close()

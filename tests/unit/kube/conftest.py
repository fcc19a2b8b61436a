"""A scripted API server on loopback: real sockets, so that time and connections are real too."""

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from providers.contract.protocols import Deadline
from providers.contract.target import ClusterTarget, Connection
from providers.kube.clock import deadline_in
from providers.testing.samples import make_target
from tests.cluster.waiting import wait_for

# Seconds: more than what is expected takes on the busiest machine.
PATIENCE = 30.0


def ample() -> Deadline:
    """Return a deadline that only what never ends would meet."""
    return deadline_in(PATIENCE)


@dataclass(kw_only=True)
class Reply:
    """What the server answers: a status, a body, headers; or how it misbehaves."""

    status: int = 200
    body: bytes = b"{}"
    headers: dict[str, str] = field(default_factory=dict)
    drop: bool = False
    silent_seconds: float = 0.0
    drip_seconds: float = 0.0
    unended: bool = False


@dataclass(kw_only=True)
class Request:
    method: str
    path: str
    body: bytes
    headers: dict[str, str]
    port: int


class ScriptedServer(ThreadingHTTPServer):
    """Answers with the replies of its script in turn; the last one is repeated."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.script: list[Reply] = [Reply()]
        self.seen: list[Request] = []
        self.lock = threading.Lock()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def next_reply(self, request: Request) -> Reply:
        with self.lock:
            self.seen.append(request)
            return self.script.pop(0) if len(self.script) > 1 else self.script[0]

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that gives up is no news."""


def wait_until_seen(server: ScriptedServer) -> None:
    """Wait until a request has come, so that the next one gets the next reply of the script."""
    wait_for(lambda: server.seen, PATIENCE, "a call has come")


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: ScriptedServer

    def handle_any(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        request = Request(
            method=self.command,
            path=self.path,
            body=self.rfile.read(length),
            headers=dict(self.headers.items()),
            port=self.client_address[1],
        )
        reply = self.server.next_reply(request)
        time.sleep(reply.silent_seconds)
        if reply.drop:
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)
            return
        self._send(reply)

    do_GET = do_PATCH = do_POST = do_DELETE = handle_any  # noqa: N815 - the base class's names

    def _send(self, reply: Reply) -> None:
        self.send_response(reply.status)
        for name, value in reply.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(reply.body) + reply.unended))
        self.end_headers()
        if not reply.drip_seconds:
            self.wfile.write(reply.body)
            return
        for byte in reply.body:
            self.wfile.write(bytes([byte]))
            time.sleep(reply.drip_seconds)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
        """Stay quiet."""


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    scripted = ScriptedServer()
    threading.Thread(target=scripted.serve_forever, args=(0.01,), daemon=True).start()
    yield scripted
    scripted.shutdown()
    scripted.server_close()


def kubeconfig_text(url: str, *, token: str = "first-token") -> str:
    return json.dumps(
        {
            "apiVersion": "v1",
            "kind": "Config",
            "current-context": "here",
            "contexts": [{"name": "here", "context": {"cluster": "c", "user": "u"}}],
            "clusters": [{"name": "c", "cluster": {"server": url}}],
            "users": [{"name": "u", "user": {"token": token}}],
        }
    )


TargetAt = Callable[[str], ClusterTarget]


@pytest.fixture
def target_at(tmp_path: Path) -> TargetAt:
    """Return a function that makes a target of a URL, with a kubeconfig of its own."""

    def make(url: str) -> ClusterTarget:
        path = tmp_path / "kubeconfig"
        path.write_text(kubeconfig_text(url))
        return make_target(key=str(path), connection=Connection(kubeconfig=str(path)))

    return make


@pytest.fixture
def target(server: ScriptedServer, target_at: TargetAt) -> ClusterTarget:
    return target_at(server.url)

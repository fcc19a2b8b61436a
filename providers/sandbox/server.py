"""HTTP in front of a cluster: one thread per connection, on loopback, for who knows the token.

The token is the first step of every path: kubectl sends no other kind of credential without TLS,
and neither a page in a browser nor another account of the machine can guess it.
"""

import hmac
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from providers.sandbox.cluster import Cluster
from providers.sandbox.messages import Refused, Response

LOOPBACK = "127.0.0.1"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 60
    disable_nagle_algorithm = True  # else the body waits for the answer to the headers
    server: "SandboxServer"

    def _answer(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        _, given, path = [*self.path.split("/", 2), ""][:3]
        if hmac.compare_digest(given.encode(), self.server.token.encode()):
            headers = dict(self.headers.items())
            response = self.server.cluster.handle(self.command, f"/{path}", headers, body)
        else:
            response = Refused(401, "Unauthorized", "Unauthorized").response()
        time.sleep(response.delay)
        if response.dropped or response.cut is not None:
            self.close_connection = True
        if not response.dropped:
            self._send(response)

    do_GET = do_POST = do_PATCH = do_DELETE = do_PUT = _answer  # noqa: N815 - names of the base

    def _send(self, response: Response) -> None:
        self.send_response_only(response.status)
        for name, value in response.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Type", response.content_type)
        self.send_header("Content-Length", str(len(response.body)))
        self.end_headers()
        self.wfile.write(response.body[: response.cut])

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base's name
        """Say nothing: the console's own log tells of its calls."""


class SandboxServer(ThreadingHTTPServer):
    """Serves one cluster at a free port."""

    request_queue_size = 64

    def __init__(self, cluster: Cluster, token: str) -> None:
        super().__init__((LOOPBACK, 0), _Handler)
        self.cluster, self.token = cluster, token
        self.url = f"http://{LOOPBACK}:{self.server_address[1]}/{token}"


@contextmanager
def serving(cluster: Cluster, *, token: str) -> Iterator[SandboxServer]:
    """Serve a cluster and let its controllers work, both in threads, until left."""
    stopping = threading.Event()
    with SandboxServer(cluster, token) as server:
        threading.Thread(target=server.serve_forever, args=[0.1], daemon=True).start()
        threading.Thread(target=cluster.run_forever, args=[stopping], daemon=True).start()
        try:
            yield server
        finally:
            stopping.set()
            server.shutdown()

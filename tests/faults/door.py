"""A door before a real API server, which fails when it is asked to."""

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from providers.sandbox.faults import Faults
from providers.sandbox.messages import Refused, Request, Response, answer, read_request
from providers.sandbox.server import SandboxServer
from tests.cluster.harness.api import Api

FORWARDED = ("Date", "Retry-After", "Warning")


class Door:
    """Passes requests on to a real API server, or lets them fail."""

    def __init__(self, api: Api) -> None:
        self.faults = Faults()
        self._api = api

    def handle(
        self, method: str, target: str, headers: Mapping[str, str], body: bytes = b""
    ) -> Response:
        """Return the API server's answer, or what a fault makes of it."""
        fault = self.faults.take(_read(method, target, headers, body))
        if fault.status or fault.drop:
            return fault.befall(answer({}))
        return fault.befall(self._forward(method, target, headers, body))

    def _forward(
        self, method: str, target: str, headers: Mapping[str, str], body: bytes
    ) -> Response:
        passed = {name: text for name, text in headers.items() if name in _PASSED}
        response = self._api.pool.request(
            method, self._api.url + target, body=body or None, headers=self._api.headers | passed
        )
        return Response(
            status=response.status,
            body=response.data,
            content_type=response.headers.get("Content-Type", ""),
            headers={
                name: response.headers[name] for name in FORWARDED if name in response.headers
            },
        )


_PASSED = frozenset({"Content-Type", "Accept"})


def _read(method: str, target: str, headers: Mapping[str, str], body: bytes) -> Request | None:
    """Return what is asked, None for what the simulated cluster would not know."""
    try:
        return read_request(method, target, headers, body)
    except Refused:
        return None


@contextmanager
def opened(door: Door) -> Iterator[str]:
    """Serve a door; yields its address."""
    server = SandboxServer(door, token="t")  # type: ignore[arg-type]  # it only handles requests
    threading.Thread(target=server.serve_forever, args=[0.1], daemon=True).start()
    try:
        yield server.url
    finally:
        server.shutdown()
        server.server_close()

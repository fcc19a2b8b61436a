"""A worker's own address for Prometheus, for workers that share no machine with the pages.

Knows one thing: the metrics of the processes here, for who has the token.
"""

import threading
from collections.abc import Callable, Iterable
from http import HTTPStatus
from pathlib import Path
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, make_server

from prometheus_client.exposition import ThreadingWSGIServer

from console.metrics.exposition import expose_processes, is_scraper

# Seconds after which a scraper that sends nothing is hung up on.
SCRAPER_SECONDS = 10


class _Handler(WSGIRequestHandler):
    timeout = SCRAPER_SECONDS

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 the standard library's name
        """Log nothing: a line per scrape tells nobody anything."""


def serve_metrics(port: int, folder: Path) -> ThreadingWSGIServer:
    """Answer on every address of this machine, in a thread that ends with the process."""
    server = make_server(
        "0.0.0.0",  # noqa: S104 scraped from outside the container, and only with the token
        port,
        _answering(folder),
        server_class=ThreadingWSGIServer,
        handler_class=_Handler,
    )
    threading.Thread(target=server.serve_forever, name="metrics", daemon=True).start()
    return server


def _answering(folder: Path) -> Callable[..., Iterable[bytes]]:
    def answer(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        if not is_scraper(environ.get("HTTP_AUTHORIZATION", "")):
            return _refuse(start_response, HTTPStatus.UNAUTHORIZED)
        if environ["PATH_INFO"] != "/metrics" or environ["REQUEST_METHOD"] != "GET":
            return _refuse(start_response, HTTPStatus.NOT_FOUND)
        exposed = expose_processes(folder, accept=environ.get("HTTP_ACCEPT", ""))
        start_response("200 OK", [("Content-Type", exposed.content_type)])
        return [exposed.body]

    return answer


def _refuse(start_response: Callable[..., Any], status: HTTPStatus) -> Iterable[bytes]:
    start_response(f"{status.value} {status.phrase}", [("Content-Type", "text/plain")])
    return [f"{status.phrase}\n".encode()]

"""A cluster that takes connections and never says a word."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from providers.sandbox.kubeconfig import write_kubeconfig


@contextmanager
def silent_cluster(folder: Path) -> Iterator[Path]:
    """Listen on loopback, and give the kubeconfig that leads there."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(64)
        url = f"http://127.0.0.1:{listening.getsockname()[1]}"
        yield write_kubeconfig(folder / "kubeconfig", url=url, namespace="default")

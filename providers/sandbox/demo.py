"""The demo's cluster: a few nodes with accelerators, three namespaces, and a process of its own.

Started by `python -m providers.sandbox`; it writes a kubeconfig into its folder and keeps its
objects there. What it has from the beginning stands in `demo.yaml`.
"""

import argparse
import logging
import secrets
import signal
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

from providers.sandbox.cluster import Cluster
from providers.sandbox.kinds import read_yaml
from providers.sandbox.kubeconfig import write_kubeconfig, write_whole
from providers.sandbox.server import serving
from providers.simulation.pod_life.pace import Pace

DEMO_PACE = Pace(pull_seconds=3.0, load_seconds=6.0, crash_seconds=2.0)
USAGE_PERCENT = 20
USUAL_NAMESPACE = "models"
SAVED_EVERY_SECONDS = 2.0

logger = logging.getLogger(__name__)


def fill(cluster: Cluster) -> None:
    """Add what the demo's cluster has from the beginning, as far as it is not there."""
    for body in read_yaml("demo.yaml"):
        cluster.create(body)


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve the demo's cluster until a signal; says where its kubeconfig is."""
    parser = argparse.ArgumentParser(prog="python -m providers.sandbox", description=__doc__)
    told = "where kubeconfig and objects are kept; remove it to begin anew (default %(default)s)"
    parser.add_argument("--folder", type=Path, default=Path("var/sandbox"), help=told)
    folder: Path = parser.parse_args(arguments).folder
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s sandbox: %(message)s")
    stopping = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stopping.set())
    cluster, state = Cluster(pace=DEMO_PACE, usage=USAGE_PERCENT), folder / "state.json"
    restore(cluster, state)
    fill(cluster)
    with serving(cluster, token=secrets.token_urlsafe()) as server:
        path = write_kubeconfig(folder / "kubeconfig", url=server.url, namespace=USUAL_NAMESPACE)
        sys.stdout.write(f"The simulated cluster is up; its kubeconfig: {path}\n")
        sys.stdout.flush()
        saved = 0
        while not stopping.wait(SAVED_EVERY_SECONDS):
            saved = saved if saved == cluster.store.version else save(cluster, state)
        save(cluster, state)
    return 0


def restore(cluster: Cluster, path: Path) -> None:
    """Take in what was kept, before anybody is served; a file that cannot be read is set aside."""
    if not path.exists():
        return
    try:
        cluster.store.load(path.read_text())
    except (OSError, ValueError, KeyError, TypeError) as error:
        logger.warning("%s cannot be read (%s); the sandbox starts empty", path, error)
        path.replace(path.with_name(f"{path.name}.unreadable"))


def save(cluster: Cluster, path: Path) -> int:
    """Write everything down but events, which kubelets tell anew; return the version of it."""
    with cluster.lock:
        version, text = cluster.store.version, cluster.store.dump()
    write_whole(path, text)
    return version

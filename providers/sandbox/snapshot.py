"""What a simulated cluster keeps across restarts: its objects in one file, replaced as a whole.

Events are not kept: the kubelets tell theirs anew.
"""

import logging
import threading
from pathlib import Path

from providers.sandbox.cluster import Cluster
from providers.sandbox.kubeconfig import write_whole

logger = logging.getLogger(__name__)

EVERY_SECONDS = 2.0


def restore(cluster: Cluster, path: Path) -> bool:
    """Take in what was kept; a file that cannot be read is set aside, and False returned."""
    if not path.exists():
        return False
    try:
        with cluster.lock:
            cluster.store.load(path.read_text())
    except (OSError, ValueError, KeyError, TypeError) as error:
        logger.warning("%s cannot be read (%s); the sandbox starts empty", path, error)
        path.replace(path.with_name(f"{path.name}.unreadable"))
        return False
    return True


def save(cluster: Cluster, path: Path) -> int:
    """Write everything down; return the version that was written."""
    with cluster.lock:
        version, text = cluster.store.version, cluster.store.dump()
    write_whole(path, text)
    return version


def save_until(cluster: Cluster, path: Path, stopping: threading.Event) -> None:
    """Write down what has changed every few seconds, and once more at the end."""
    saved = -1
    while True:
        ending = stopping.wait(EVERY_SECONDS)
        if cluster.store.version != saved:
            saved = save(cluster, path)
        if ending:
            return

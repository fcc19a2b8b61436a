"""Starts a control plane with three nodes, prints its kubeconfig and runs until Ctrl-C."""

import argparse
import logging
import signal
import sys
import threading
from pathlib import Path

from tests.cluster.cast import USUAL_NODES
from tests.cluster.controlplane.build import Missing, find_or_build
from tests.cluster.harness.control_plane import ControlPlane


def main() -> int:
    """Run until a signal; return 1 where there is no control plane to be had."""
    given = _arguments()
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(message)s")
    binaries = find_or_build()
    if isinstance(binaries, Missing):
        sys.stderr.write(binaries.reason + "\n")
        return 1
    with ControlPlane(binaries, given.data_dir) as plane:
        for node in USUAL_NODES:
            plane.kubelet.add_node(node)
        if given.kubeconfig:
            given.kubeconfig.write_text(plane.kubeconfig.read_text())
        sys.stdout.write(f"{given.kubeconfig or plane.kubeconfig}\n")
        sys.stdout.flush()
        _wait_for_signal()
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.cluster.harness", description=__doc__)
    parser.add_argument(
        "--data-dir", type=Path, help="kept between runs; without it a temporary one"
    )
    parser.add_argument("--kubeconfig", type=Path, help="also write the admin's kubeconfig here")
    return parser.parse_args()


def _wait_for_signal() -> None:
    asked = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: asked.set())
    asked.wait()


if __name__ == "__main__":
    raise SystemExit(main())

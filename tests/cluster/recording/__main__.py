"""Records every case anew: `python -m tests.cluster.recording [--only PATTERN]`, in some minutes.

Scenes run side by side on one control plane, those that concern all its nodes or its controllers
afterwards, one at a time. A scene that does not come out is told, and its files stay as they were.
"""

import argparse
import re
import sys
import tempfile
import traceback
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

from providers.sandbox.kubeconfig import write_kubeconfig
from tests.cluster.cast import USUAL_NODES
from tests.cluster.controlplane.build import Missing, find_or_build
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.recording.book import Book
from tests.cluster.recording.door import ListeningDoor
from tests.cluster.recording.scenes import SCENES, Scene
from tests.cluster.recording.stage import Stage, fresh_namespace
from tests.faults.door import opened

AT_ONCE = 4


def main() -> int:
    """Return the number of scenes that did not come out."""
    chosen = [scene for scene in SCENES if re.search(_arguments().only, scene.name)]
    binaries = find_or_build()
    if isinstance(binaries, Missing):
        sys.stderr.write(binaries.reason + "\n")
        return 1
    with ControlPlane(binaries) as plane, ThreadPoolExecutor(AT_ONCE) as pool:
        for node in USUAL_NODES:
            plane.kubelet.add_node(node)
        together = [scene for scene in chosen if not scene.alone]
        told = list(pool.map(lambda scene: _play(scene, plane), together))
        told += [_play(scene, plane) for scene in chosen if scene.alone]
    failed = [text for text in told if text]
    sys.stdout.write(
        "".join(failed) + f"{len(told) - len(failed)} of {len(told)} scenes recorded\n"
    )
    return len(failed)


def _play(scene: Scene, plane: ControlPlane) -> str:
    """Play a scene; return what went wrong."""
    try:
        with tempfile.TemporaryDirectory() as folder, ExitStack() as after:
            scene.play(_stage(plane, Path(folder), after))
    except Exception:  # noqa: BLE001  # one scene that does not come out must not end the others
        return f"{scene.name}: {traceback.format_exc()}\n"
    sys.stdout.write(f"{scene.name}\n")
    sys.stdout.flush()
    return ""


def _stage(plane: ControlPlane, folder: Path, after: ExitStack) -> Stage:
    namespace = fresh_namespace(plane)
    after.callback(plane.api.delete, f"/api/v1/namespaces/{namespace}")
    door = ListeningDoor(plane.api)
    url = after.enter_context(opened(door))
    path = write_kubeconfig(folder / "kubeconfig", url=url, namespace=namespace)
    return Stage(
        plane=plane, door=door, kubeconfig=path, namespace=namespace, book=Book(), after=after
    )


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.cluster.recording", description=__doc__)
    parser.add_argument("--only", default="", help="scenes whose name this expression finds")
    return parser.parse_args()


if __name__ == "__main__":
    raise SystemExit(main())

"""The demo's cluster: a few nodes with accelerators, three namespaces, and a process of its own.

Started by `python -m providers.sandbox`; it writes a kubeconfig into its folder and keeps its
objects there.
"""

import argparse
import logging
import secrets
import signal
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

from providers.contract.manifest import Manifest
from providers.sandbox.cluster import Cluster, add_system_namespaces, live_cluster
from providers.sandbox.kubeconfig import write_kubeconfig
from providers.sandbox.nodes import NodeSpec, add_node
from providers.sandbox.server import serving
from providers.sandbox.snapshot import restore, save_until
from providers.simulation.pod_life.pace import Pace

DEMO_PACE = Pace(pull_seconds=3.0, load_seconds=6.0, crash_seconds=2.0)
USAGE_PERCENT = 20
NODES = (
    NodeSpec(
        name="h100-1",
        capacity={"nvidia.com/gpu": "8"},
        labels={"nvidia.com/gpu.product": "NVIDIA-H100-80GB-HBM3"},
    ),
    NodeSpec(
        name="l40s-1",
        capacity={"nvidia.com/gpu": "4"},
        labels={"nvidia.com/gpu.product": "NVIDIA-L40S"},
    ),
    NodeSpec(
        name="mi300x-1",
        capacity={"amd.com/gpu": "8"},
        labels={"amd.com/gpu.product-name": "AMD_Instinct_MI300X_OAM"},
    ),
    NodeSpec(name="cpu-1"),
)
# What each namespace may use; nothing means that nobody has bounded it.
QUOTAS: Mapping[str, Mapping[str, str]] = {
    "models": {"requests.nvidia.com/gpu": "8", "pods": "40"},
    "research": {"requests.nvidia.com/gpu": "2", "pods": "10"},
    "playground": {},
}
SECRETS: Mapping[str, Mapping[str, str]] = {"hf-token": {"token": "c2ltdWxhdGVk"}}
CLAIMS = ("models",)


def fill(cluster: Cluster) -> None:
    """Add what the demo's cluster has from the beginning, as far as it is not there."""
    add_system_namespaces(cluster)
    for node in NODES:
        add_node(cluster, node)
    for namespace, hard in QUOTAS.items():
        cluster.create("namespaces", {"metadata": {"name": namespace}})
        for plural, body in _content(hard):
            cluster.create(
                plural, {**body, "metadata": body["metadata"] | {"namespace": namespace}}
            )


def _content(hard: Mapping[str, str]) -> list[tuple[str, Manifest]]:
    content: list[tuple[str, Manifest]] = [
        ("secrets", {"metadata": {"name": name}, "data": dict(data)})
        for name, data in SECRETS.items()
    ]
    content += [("persistentvolumeclaims", {"metadata": {"name": name}}) for name in CLAIMS]
    if hard:
        quota = {"metadata": {"name": "team"}, "spec": {"hard": dict(hard)}}
        content.append(("resourcequotas", quota))
    return content


def main(arguments: Sequence[str] | None = None) -> int:
    """Run until a signal."""
    given = _parse(arguments)
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s sandbox: %(message)s")
    stopping = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stopping.set())
    run(given.folder, port=given.port, stopping=stopping)
    return 0


def run(folder: Path, *, port: int, stopping: threading.Event) -> None:
    """Serve the demo's cluster until told to stop; says where its kubeconfig is."""
    cluster, state = live_cluster(pace=DEMO_PACE, usage=USAGE_PERCENT), folder / "state.json"
    restore(cluster, state)
    fill(cluster)
    token = secrets.token_urlsafe()
    with serving(cluster, token=token, port=port) as server:
        path = folder / "kubeconfig"
        write_kubeconfig(path, url=server.url, namespace=next(iter(QUOTAS)))
        sys.stdout.write(f"The simulated cluster is up; its kubeconfig: {path}\n")
        sys.stdout.flush()
        save_until(cluster, state, stopping)


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m providers.sandbox", description=__doc__)
    parser.add_argument(
        "--folder",
        type=Path,
        default=Path("var/sandbox"),
        help="where kubeconfig and objects are kept; remove it to begin anew (default %(default)s)",
    )
    parser.add_argument("--port", type=int, default=0, help="0 (the default) takes any free one")
    return parser.parse_args(arguments)

"""The demo's process: one command, a kubeconfig, and objects that outlive it."""

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import urllib3

from providers.contract.manifest import Manifest
from providers.sandbox.cluster import Cluster
from providers.sandbox.demo import fill, restore, save
from tests.cluster.waiting import wait_for

from .conftest import APPLY, DEPLOYMENTS, deployment

ROOT = Path(__file__).parents[3]


@contextmanager
def running(folder: Path) -> Iterator[str]:
    """Run the demo; yields the address that its kubeconfig names."""
    process = subprocess.Popen(  # noqa: S603 - our own module
        [sys.executable, "-m", "providers.sandbox", "--folder", str(folder)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    try:
        line = process.stdout.readline()
        assert str(folder / "kubeconfig") in line
        read = json.loads((folder / "kubeconfig").read_text())
        yield read["clusters"][0]["cluster"]["server"]
    finally:
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=60) == 0
        process.stdout.close()


def ask(url: str, method: str, path: str, body: Manifest | None = None) -> Manifest:
    answer = urllib3.request(
        method,
        url + path,
        body=None if body is None else json.dumps(body),
        headers={"Content-Type": APPLY},
        timeout=60,
        retries=False,
    )
    assert answer.status < 300, answer.data
    read: Manifest = answer.json()
    return read


def test_a_demo_that_is_started_again_knows_its_deployments(tmp_path: Path) -> None:
    with running(tmp_path) as url:
        target = f"{DEPLOYMENTS}/d?fieldManager=slipway&force=true"
        made = ask(url, "PATCH", target, deployment(replicas=2))
        uid = ask(url, "GET", "/api/v1/namespaces/kube-system")["metadata"]["uid"]
        assert (tmp_path / "kubeconfig").stat().st_mode & 0o077 == 0
    with running(tmp_path) as again:
        assert again != url
        found = ask(again, "GET", f"{DEPLOYMENTS}/d")
        assert found["metadata"]["uid"] == made["metadata"]["uid"]
        assert ask(again, "GET", "/api/v1/namespaces/kube-system")["metadata"]["uid"] == uid
        wait_for(
            lambda: ask(again, "GET", f"{DEPLOYMENTS}/d").get("status", {}).get("replicas") == 2,
            60,
            "its controllers go on",
        )


def test_the_demo_offers_accelerators_of_several_makers() -> None:
    cluster = Cluster()
    fill(cluster)
    fill(cluster)
    offered = {
        name: amount
        for node in cluster.store.items("nodes")
        for name, amount in node["status"]["allocatable"].items()
        if "/" in name
    }
    assert set(offered) == {"nvidia.com/gpu", "amd.com/gpu"}
    namespaces = {item["metadata"]["name"] for item in cluster.store.items("namespaces")}
    assert {"models", "research", "playground"} < namespaces


def test_a_state_that_cannot_be_read_is_set_aside(tmp_path: Path) -> None:
    state = tmp_path / "state.json"
    state.write_text('{"version": 3, "obj')
    restore(Cluster(), state)
    assert (tmp_path / "state.json.unreadable").exists()
    cluster = Cluster()
    fill(cluster)
    save(cluster, state)
    again = Cluster()
    restore(again, state)
    assert again.store.dump() == cluster.store.dump()

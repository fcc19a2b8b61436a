"""The stand-in for KServe acts on what it watches, and its autoscalers are not among that."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from providers.contract.manifest import Manifest
from providers.contract.target import Connection
from providers.sandbox.cluster import VirtualCluster
from providers.sandbox.kubeconfig import write_kubeconfig
from providers.sandbox.server import serving
from providers.testing.controllers import inference
from providers.testing.controllers.running import Kserve

METADATA = {"name": "web", "namespace": "default"}
SERVICE: Manifest = {
    "kind": "InferenceService",
    "metadata": METADATA,
    "spec": {"predictor": {"containers": [{"name": "kserve-container", "image": "mock:1"}]}},
}
BELOW = {**METADATA, "name": "web-predictor"}
AUTOSCALERS = "horizontalpodautoscalers"


@pytest.fixture
def cluster() -> VirtualCluster:
    cluster = VirtualCluster(foreign=True)
    cluster.create({"kind": "Node", "metadata": {"name": "cpu-1"}})
    cluster.create(SERVICE)
    return cluster


@pytest.fixture
def kserve(cluster: VirtualCluster, tmp_path: Path) -> Iterator[Kserve]:
    """One that has done all that there is to do."""
    with serving(cluster, token="t") as server:
        path = write_kubeconfig(tmp_path / "kubeconfig", url=server.url, namespace="default")
        kserve = Kserve(Connection(kubeconfig=str(path)))
        settle(cluster, kserve)
        yield kserve


def settle(cluster: VirtualCluster, kserve: Kserve) -> None:
    before: list[str] = []
    while (now := versions(cluster)) != before:
        before = now
        work(kserve)
        cluster.advance(60)


def versions(cluster: VirtualCluster) -> list[str]:
    """Return the versions of all that it watches."""
    watched = ("inferenceservices", "deployments", "services")
    items = [item for plural in watched for item in cluster.store.items(plural)]
    return [item["metadata"]["resourceVersion"] for item in items]


def work(kserve: Kserve) -> None:
    """Let it take a few looks: what it writes itself wakes it once more."""
    for _ in range(4):
        kserve.step()


def are_there(cluster: VirtualCluster, plural: str) -> bool:
    return bool(cluster.store.items(plural))


def lose(cluster: VirtualCluster, plural: str) -> None:
    for item in cluster.store.items(plural):
        cluster.desk.delete(item)
    cluster.advance(1)
    assert not are_there(cluster, plural)


def test_an_autoscaler_that_is_deleted_comes_back_with_the_next_change(
    cluster: VirtualCluster, kserve: Kserve
) -> None:
    lose(cluster, AUTOSCALERS)
    work(kserve)
    assert not are_there(cluster, AUTOSCALERS)
    (service,) = cluster.store.items("inferenceservices")
    told = {"metadata": {"annotations": {"anybody": "here"}}}
    cluster.desk.merge(service, told, manager="kubectl-annotate", dry=False)
    work(kserve)
    assert are_there(cluster, AUTOSCALERS)


@pytest.mark.parametrize("plural", ["deployments", "services"])
def test_what_it_watches_comes_back_by_itself_and_takes_the_autoscaler_along(
    cluster: VirtualCluster, kserve: Kserve, plural: str
) -> None:
    lose(cluster, AUTOSCALERS)
    lose(cluster, plural)
    work(kserve)
    assert are_there(cluster, plural)
    assert are_there(cluster, AUTOSCALERS)


@pytest.mark.parametrize(("is_done", "looks"), [(True, 1), (False, 4)])
def test_what_was_refused_is_tried_again_though_nothing_changes(
    cluster: VirtualCluster,
    kserve: Kserve,
    monkeypatch: pytest.MonkeyPatch,
    *,
    is_done: bool,
    looks: int,
) -> None:
    taken: list[object] = []

    def reconcile(*given: object) -> bool:
        taken.append(given)
        return is_done

    monkeypatch.setattr(inference, "reconcile", reconcile)
    lose(cluster, "deployments")
    work(kserve)
    assert len(taken) == looks

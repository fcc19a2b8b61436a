"""A launch beside an InferenceService that nobody has taken up."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from providers.contract.checks import Result
from providers.contract.manifest import Manifest
from providers.contract.target import ClusterTarget, Connection
from providers.kserve.provider import provider
from providers.kube.clock import deadline_in
from providers.sandbox.cluster import VirtualCluster
from providers.sandbox.kubeconfig import write_kubeconfig
from providers.sandbox.server import serving
from providers.testing.samples import make_request, make_target

from .conftest import NAMESPACE

THEIRS: Manifest = {
    "kind": "InferenceService",
    "metadata": {"name": "theirs", "namespace": NAMESPACE},
    "spec": {"predictor": {"containers": [{"name": "kserve-container", "image": "theirs:1"}]}},
}


@pytest.fixture
def cluster() -> VirtualCluster:
    cluster = VirtualCluster(foreign=True)
    cluster.create({"kind": "Namespace", "metadata": {"name": NAMESPACE}})
    return cluster


@pytest.fixture
def target(cluster: VirtualCluster, tmp_path: Path) -> Iterator[ClusterTarget]:
    with serving(cluster, token="t") as server:
        path = write_kubeconfig(tmp_path / "kubeconfig", url=server.url, namespace=NAMESPACE)
        connection = Connection(kubeconfig=str(path))
        yield make_target(key=str(tmp_path), connection=connection, default_namespace=NAMESPACE)


def warnings(target: ClusterTarget) -> list[str]:
    request = make_request(provider, namespace=NAMESPACE)
    checks = provider.preflight(request, target, capacity=None, deadline=deadline_in(30))
    assert Result.FAIL not in {check.result for check in checks}
    return [check.message for check in checks if check.code == "ControllerNotResponding"]


def test_is_warned_of_it_and_may_go_on(cluster: VirtualCluster, target: ClusterTarget) -> None:
    cluster.create(THEIRS)
    assert warnings(target) == []
    cluster.advance(120)
    (message,) = warnings(target)
    assert "has not taken up InferenceService theirs" in message


def test_is_not_warned_once_it_was_taken_up(cluster: VirtualCluster, target: ClusterTarget) -> None:
    finalizers = ["inferenceservice.finalizers"]
    cluster.create({**THEIRS, "metadata": {**THEIRS["metadata"], "finalizers": finalizers}})
    cluster.advance(120)
    assert warnings(target) == []

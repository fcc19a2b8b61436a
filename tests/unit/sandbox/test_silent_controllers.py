"""A StormService whose controller is silent: what is in its way is told, else that it is away."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from providers.contract.checks import Check
from providers.contract.protocols import Applied
from providers.contract.request import DeployRequest
from providers.contract.status import Status
from providers.contract.target import ClusterTarget, Connection
from providers.kube.clock import deadline_in
from providers.sandbox.cluster import VirtualCluster
from providers.sandbox.faults import Fault
from providers.sandbox.kubeconfig import write_kubeconfig
from providers.sandbox.server import serving
from providers.stormservice.provider import provider
from providers.testing.samples import make_request, make_target, ref_of

from .conftest import NAMESPACE, SLOW_PACE, furnished

REQUEST = make_request(provider, namespace=NAMESPACE)
UNREADABLE = Fault(verb="get", resource="services", status=403)


@pytest.fixture
def cluster() -> VirtualCluster:
    return furnished(VirtualCluster(pace=SLOW_PACE, foreign=True))


@pytest.fixture
def target(cluster: VirtualCluster, tmp_path: Path) -> Iterator[ClusterTarget]:
    with serving(cluster, token="t") as server:
        path = write_kubeconfig(tmp_path / "kubeconfig", url=server.url, namespace=NAMESPACE)
        yield make_target(key=str(tmp_path), connection=Connection(kubeconfig=str(path)))


def service_of_its_name(cluster: VirtualCluster) -> None:
    metadata = {"name": REQUEST.runtime_name, "namespace": NAMESPACE}
    cluster.create({"kind": "Service", "metadata": metadata, "spec": {"ports": [{"port": 80}]}})


def launched(cluster: VirtualCluster, target: ClusterTarget) -> Applied:
    """Launch, and let as much time pass as a controller may take to answer."""
    applied = provider.create(REQUEST, target, deadline=deadline_in(30))
    cluster.advance(60)
    return applied


def looked_at(target: ClusterTarget, applied: Applied) -> Status:
    return provider.get(ref_of(REQUEST, applied), target, deadline=deadline_in(30)).status


def checked(target: ClusterTarget, request: DeployRequest = REQUEST) -> dict[str, Check]:
    checks = provider.preflight(request, target, capacity=None, deadline=deadline_in(30))
    return {check.code: check for check in checks}


def test_where_nothing_is_in_its_way_the_controller_is_asked_after(
    cluster: VirtualCluster, target: ClusterTarget
) -> None:
    status = looked_at(target, launched(cluster, target))
    assert status.reason == "ControllerNotResponding"
    assert status.message.endswith("is the controller manager of AIBrix running?")


def test_a_service_of_the_name_that_it_needs_is_told_instead(
    cluster: VirtualCluster, target: ClusterTarget
) -> None:
    applied = launched(cluster, target)
    service_of_its_name(cluster)
    status = looked_at(target, applied)
    assert status.reason == "ReconcileFailed"
    assert "remove it or give it another name" in status.message


def test_what_may_not_be_looked_at_is_no_obstacle(
    cluster: VirtualCluster, target: ClusterTarget
) -> None:
    applied = launched(cluster, target)
    service_of_its_name(cluster)
    cluster.faults.append(UNREADABLE)
    assert looked_at(target, applied).reason == "ControllerNotResponding"


def test_a_look_that_fails_costs_no_verdict(cluster: VirtualCluster, target: ClusterTarget) -> None:
    applied = launched(cluster, target)
    cluster.faults.append(Fault(verb="get", resource="services", status=500))
    assert looked_at(target, applied).reason == "ControllerNotResponding"


def test_a_taken_name_refuses_a_launch_at_its_name(
    cluster: VirtualCluster, target: ClusterTarget
) -> None:
    assert "NameTaken" not in checked(target)
    service_of_its_name(cluster)
    assert checked(target)["NameTaken"].field == "name"


def test_a_name_that_may_not_be_looked_at_is_told_as_unknown(
    cluster: VirtualCluster, target: ClusterTarget
) -> None:
    cluster.faults.append(UNREADABLE)
    assert checked(target)["NameUnknown"].result == "unknown"

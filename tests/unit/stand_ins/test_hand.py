"""What a stand-in controller reads of a cluster is all that is there, or it does nothing."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from providers.contract.errors import Unavailable
from providers.contract.target import Connection
from providers.kube.resources import PODS, STORM_SERVICES, Resource
from providers.sandbox.cluster import VirtualCluster
from providers.sandbox.faults import Fault
from providers.sandbox.kubeconfig import write_kubeconfig
from providers.sandbox.server import serving
from providers.testing.controllers.hand import Hand
from providers.testing.controllers.running import Aibrix, working

UNKNOWN = Resource(api_version="example.com/v1", kind="Unknown", plural="unknowns")


@pytest.fixture
def cluster() -> VirtualCluster:
    return VirtualCluster()


@pytest.fixture
def connection(cluster: VirtualCluster, tmp_path: Path) -> Iterator[Connection]:
    with serving(cluster, token="t") as server:
        path = write_kubeconfig(tmp_path / "kubeconfig", url=server.url, namespace="default")
        yield Connection(kubeconfig=str(path))


@pytest.fixture
def hand(connection: Connection) -> Hand:
    return Hand(connection, "tests", (PODS, STORM_SERVICES, UNKNOWN))


def test_of_a_kind_that_is_not_installed_there_are_none(hand: Hand) -> None:
    assert hand.list("Unknown") == []


def test_a_list_that_fails_is_not_taken_for_an_empty_one(
    cluster: VirtualCluster, hand: Hand
) -> None:
    cluster.faults.append(Fault(status=500))
    with pytest.raises(Unavailable):
        hand.list("Pod")


def test_what_breaks_a_controller_down_is_told_in_the_end(
    connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    has_begun = threading.Event()

    def step(_: Aibrix) -> None:
        has_begun.set()
        raise KeyError("replicas")

    monkeypatch.setattr(Aibrix, "step", step)
    with pytest.raises(KeyError, match="replicas"), working(Aibrix(connection)):
        assert has_begun.wait(30)

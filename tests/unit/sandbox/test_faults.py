"""Faults on request, and what Slipway's own client makes of them."""

import http.client
import json
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from providers.contract.errors import Unavailable
from providers.contract.protocols import Deadline
from providers.contract.target import Connection
from providers.kube import silence
from providers.kube.client import KubeClient, client_for
from providers.kube.lists import Selection, read_list
from providers.kube.resources import SECRETS
from providers.sandbox.cluster import VirtualCluster
from providers.sandbox.faults import Fault
from providers.sandbox.kubeconfig import write_kubeconfig
from providers.sandbox.server import serving
from providers.testing.samples import make_target
from providers.workload.objects import Item

from .conftest import NAMESPACE, PODS, Desk

PATH = f"/api/v1/namespaces/{NAMESPACE}/secrets"
ALL = Selection(namespace=NAMESPACE)


def soon(seconds: float = 30.0) -> Deadline:
    return Deadline(at=time.monotonic() + seconds)


@pytest.fixture
def client(
    cluster: VirtualCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[KubeClient]:
    # On a busy machine a moment lasts long; it is not to be taken for a server that is silent.
    monkeypatch.setattr(silence, "SILENT_SECONDS", 600.0)
    for number in range(3):
        metadata = {"name": f"s{number}", "namespace": NAMESPACE}
        cluster.create({"kind": "Secret", "metadata": metadata})
    with serving(cluster, token="t") as server:
        path = write_kubeconfig(tmp_path / "kubeconfig", url=server.url, namespace=NAMESPACE)
        target = make_target(key=str(tmp_path), connection=Connection(kubeconfig=str(path)))
        yield client_for(target, deadline=soon())


def test_without_faults_everything_is_read(client: KubeClient) -> None:
    assert len(read_list(client, SECRETS, Item, ALL, deadline=soon()).items) == 3


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (Fault(drop=True), "does not answer"),
        (Fault(latency=600.0), "no answer within"),
        (Fault(status=500), "answered 500"),
        (Fault(status=503), "answered 503"),
        (Fault(truncate=20), "does not answer"),
    ],
    ids=["down", "slow", "500", "503", "cut"],
)
def test_a_fault_makes_the_cluster_unavailable(
    client: KubeClient, cluster: VirtualCluster, fault: Fault, words: str
) -> None:
    cluster.faults.append(fault)
    with pytest.raises(Unavailable) as failed:
        read_list(client, SECRETS, Item, ALL, deadline=soon(0.6 if fault.latency else 30.0))
    assert words in failed.value.message
    cluster.faults.clear()
    assert len(read_list(client, SECRETS, Item, ALL, deadline=soon()).items) == 3


def test_a_429_of_longer_than_the_deadline_is_told(
    client: KubeClient, cluster: VirtualCluster
) -> None:
    cluster.faults.append(Fault(status=429, retry_after=9))
    with pytest.raises(Unavailable) as failed:
        read_list(client, SECRETS, Item, ALL, deadline=soon(5.0))
    assert "asks to wait 9 s" in failed.value.message


def test_a_429_that_passes_is_waited_for(client: KubeClient, cluster: VirtualCluster) -> None:
    cluster.faults.append(
        Fault(verb="list", resource="secrets", status=429, retry_after=1, times=1)
    )
    began = time.monotonic()
    assert len(read_list(client, SECRETS, Item, ALL, deadline=soon()).items) == 3
    assert time.monotonic() - began > 0.9


def test_a_list_that_expires_half_way_begins_again(
    client: KubeClient, cluster: VirtualCluster
) -> None:
    for number in range(1000):
        metadata = {"name": f"x{number}", "namespace": NAMESPACE}
        cluster.create({"kind": "Secret", "metadata": metadata})
    cluster.faults.append(Fault(continued=True, status=410, times=1))
    assert len(read_list(client, SECRETS, Item, ALL, deadline=soon()).items) == 1003
    assert cluster.faults == []


@pytest.mark.parametrize(
    ("fault", "hit"),
    [
        (Fault(verb="list", status=500), True),
        (Fault(verb="get", status=500), False),
        (Fault(resource="pods", status=500), False),
        (Fault(resource="secrets", namespace=NAMESPACE, status=500), True),
        (Fault(namespace="other", status=500), False),
        (Fault(continued=True, status=500), False),
    ],
)
def test_a_fault_befalls_what_it_names(
    cluster: VirtualCluster, desk: Desk, fault: Fault, *, hit: bool
) -> None:
    cluster.faults.append(fault)
    assert desk.ask("GET", PATH).status == (500 if hit else 200)


def test_faults_are_set_and_cleared_by_a_path_of_their_own(desk: Desk) -> None:
    asked = desk.ask("POST", "/sandbox/faults", {"status": 503, "times": 1})
    assert asked.body["faults"][0]["status"] == 503
    assert desk.ask("GET", PATH).status == 503
    assert desk.ask("GET", PATH).status == 200
    desk.ask("POST", "/sandbox/faults", {"drop": True})
    assert desk.ask("DELETE", "/sandbox/faults").body == {"faults": []}
    assert desk.ask("GET", PATH).status == 200


def test_a_fault_that_nobody_knows_is_refused_by_name(desk: Desk) -> None:
    asked = desk.ask("POST", "/sandbox/faults", {"explode": True})
    assert asked.status == 400
    assert "latency" in asked.body["message"]


def test_a_fault_of_the_sandbox_itself_becomes_a_500(cluster: VirtualCluster, desk: Desk) -> None:
    cluster.store.put(
        {"kind": "Pod", "metadata": {"name": "b", "namespace": NAMESPACE, "uid": "1"}}
    )
    asked = desk.ask("GET", f"{PODS}/b/log")
    assert (asked.status, asked.body["reason"]) == (500, "InternalError")


def test_who_does_not_know_the_token_is_refused(cluster: VirtualCluster) -> None:
    with serving(cluster, token="right") as server:
        address = urlsplit(server.url)
        assert address.path == "/right"
        for path in ("/wrong/version", "/version", "/", "/sandbox/faults"):
            connection = http.client.HTTPConnection(str(address.hostname), address.port, timeout=30)
            connection.request("GET", path)
            answer = connection.getresponse()
            assert (answer.status, json.loads(answer.read())["reason"]) == (401, "Unauthorized")
            connection.close()

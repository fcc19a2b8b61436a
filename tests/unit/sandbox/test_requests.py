"""What is asked of the simulated cluster beside the ways that a launch goes."""

import pytest

from providers.contract.manifest import Manifest
from providers.sandbox.cluster import Cluster, VirtualCluster
from providers.sandbox.kinds import fill_in

from .conftest import DEPLOYMENTS, NAMESPACE, Desk, deployment

SECRETS = f"/api/v1/namespaces/{NAMESPACE}/secrets"


@pytest.fixture
def coloured(cluster: VirtualCluster) -> None:
    for name, colour in (("a", "red"), ("b", "blue"), ("c", "")):
        metadata = {"name": name, "namespace": NAMESPACE}
        labels = {"labels": {"colour": colour}} if colour else {}
        cluster.create({"kind": "Secret", "metadata": metadata | labels})


@pytest.mark.parametrize(
    ("selector", "names"),
    [
        ("labelSelector=colour%3Dred", "a"),
        ("labelSelector=colour!%3Dred", "bc"),
        ("labelSelector=colour", "ab"),
        ("labelSelector=colour+in+(red,blue)", "ab"),
        ("labelSelector=colour+in+(red,blue),colour!%3Dred", "b"),
        ("fieldSelector=metadata.name!%3Da,metadata.name!%3Db", "c"),
    ],
)
def test_a_list_holds_what_its_selectors_choose(
    coloured: None, desk: Desk, selector: str, names: str
) -> None:
    found = desk.items(f"{SECRETS}?{selector}")
    assert "".join(item["metadata"]["name"] for item in found) == names


@pytest.mark.parametrize(
    ("method", "target", "status"),
    [
        ("GET", f"{SECRETS}?labelSelector=colour+notin+(red)", 400),
        ("GET", f"{SECRETS}?limit=1&continue=forgotten", 410),
        ("PUT", f"{SECRETS}/a", 405),
        ("PATCH", f"{SECRETS}/a", 405),
        ("POST", f"{SECRETS}/a", 405),
        ("GET", "/apis/nope.example/v1", 404),
        ("GET", f"{DEPLOYMENTS}/d/scale", 404),
    ],
)
def test_what_is_not_known_is_refused(desk: Desk, method: str, target: str, status: int) -> None:
    assert desk.ask(method, target, {}).status == status


def test_pages_show_the_moment_at_which_the_list_began(
    coloured: None, cluster: VirtualCluster, desk: Desk
) -> None:
    first = desk.get(f"{SECRETS}?limit=2")
    cluster.create({"kind": "Secret", "metadata": {"name": "d", "namespace": NAMESPACE}})
    token = first["metadata"]["continue"]
    rest = desk.get(f"{SECRETS}?limit=2&continue={token}")
    assert [item["metadata"]["name"] for item in rest["items"]] == ["c"]
    assert "continue" not in rest["metadata"]


def test_a_number_of_replicas_alone_makes_no_deployment(desk: Desk) -> None:
    stub: Manifest = deployment() | {"spec": {"replicas": 2}}
    asked = desk.apply(stub)
    assert (asked.status, asked.body["reason"]) == (422, "Invalid")
    assert desk.ask("GET", f"{DEPLOYMENTS}/d").status == 404


def test_what_somebody_holds_by_a_finalizer_stays(desk: Desk, cluster: VirtualCluster) -> None:
    held = deployment(replicas=1)
    held["metadata"]["finalizers"] = ["somebody.example/holds"]
    desk.apply(held)
    desk.ask("DELETE", f"{DEPLOYMENTS}/d", {"propagationPolicy": "Foreground"})
    cluster.advance(60)
    left = desk.get(f"{DEPLOYMENTS}/d")["metadata"]
    assert left["finalizers"] == ["somebody.example/holds"]


def test_only_what_is_left_out_is_filled_in() -> None:
    body: Manifest = {"a": 2, "list": [{}, {"x": 1}], "given": {}}
    fill_in(body, {"a": 1, "list[]": {"x": 0}, "given?": {"y": 1}, "absent?": {"y": 1}})
    assert body == {"a": 2, "list": [{"x": 0}, {"x": 1}], "given": {}}
    given: Manifest = {"given": {"z": 1}}
    fill_in(given, {"given?": {"y": 1}, "new": {"deep": 3}})
    assert given == {"given": {"z": 1, "y": 1}, "new": {"deep": 3}}


def test_other_makers_kinds_are_there_only_where_they_are_installed() -> None:
    path = "/apis/orchestration.aibrix.ai/v1alpha1"
    bare, rich = Cluster(), Cluster(foreign=True)
    assert bare.handle("GET", path, {}).status == 404
    assert bare.handle("GET", f"{path}/stormservices", {}).status == 404
    assert rich.handle("GET", path, {}).status == 200
    assert rich.handle("GET", f"{path}/stormservices", {}).status == 200

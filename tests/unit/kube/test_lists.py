import json

import pytest

from providers.contract.errors import Rejected, Unavailable
from providers.contract.manifest import Manifest
from providers.contract.target import ClusterTarget
from providers.kube.client import KubeClient, client_for
from providers.kube.lists import (
    Selection,
    decode_page,
    read_list,
    read_object,
    read_one,
    trouble_of,
)
from providers.kube.resources import DEPLOYMENTS, NAMESPACES, PODS
from providers.workload.objects import Deployment, Namespace, ObjectMeta, Pod
from tests.unit.kube.conftest import Reply, ScriptedServer, ample


def pod(name: str, **metadata: object) -> Manifest:
    return {"metadata": {"name": name, "namespace": "team", **metadata}}


def page(*items: object, token: str = "") -> bytes:
    return json.dumps({"metadata": {"continue": token}, "items": items}).encode()


@pytest.fixture
def client(target: ClusterTarget) -> KubeClient:
    return client_for(target, deadline=ample())


def test_all_pages_are_read_in_order(server: ScriptedServer, client: KubeClient) -> None:
    server.script = [Reply(body=page(pod("a"), token="t1")), Reply(body=page(pod("b")))]

    read = read_list(client, PODS, Pod, Selection(namespace="team", labels="x=y"), deadline=ample())

    assert [item.name for item in read.items] == ["a", "b"]
    assert [seen.path for seen in server.seen] == [
        "/api/v1/namespaces/team/pods?limit=500&labelSelector=x%3Dy",
        "/api/v1/namespaces/team/pods?limit=500&labelSelector=x%3Dy&continue=t1",
    ]


def test_of_every_page_only_what_shall_be_kept_is_kept(
    server: ScriptedServer, client: KubeClient
) -> None:
    server.script = [Reply(body=page(pod("a"), token="t1")), Reply(body=page(pod("b")))]

    def without_namespace(item: Pod) -> Pod:
        return Pod(metadata=ObjectMeta(name=item.name))

    read = read_list(client, PODS, Pod, Selection(), deadline=ample(), keep=without_namespace)

    assert [(item.name, item.namespace) for item in read.items] == [("a", ""), ("b", "")]


def test_a_list_that_expires_half_way_begins_again(
    server: ScriptedServer, client: KubeClient
) -> None:
    server.script = [
        Reply(body=page(pod("old"), token="t1")),
        Reply(status=410),
        Reply(body=page(pod("new"))),
    ]

    read = read_list(client, PODS, Pod, Selection(), deadline=ample())

    assert [item.name for item in read.items] == ["new"]


def test_a_list_that_always_expires_is_given_up(server: ScriptedServer, client: KubeClient) -> None:
    server.script = [Reply(status=410)]

    with pytest.raises(Unavailable, match="expired 3 times"):
        read_list(client, PODS, Pod, Selection(), deadline=ample())


def test_a_list_stops_when_it_has_enough(server: ScriptedServer, client: KubeClient) -> None:
    server.script = [Reply(body=page(pod("a"), token="t1"))]

    read = read_list(client, PODS, Pod, Selection(most=1), deadline=ample())

    assert (len(read.items), read.cut, len(server.seen)) == (1, True, 1)


def test_a_kind_that_may_not_be_read_is_an_answer(
    server: ScriptedServer, client: KubeClient
) -> None:
    words = 'pods is forbidden: User "u" cannot list resource "pods"'
    server.script = [Reply(status=403, body=json.dumps({"message": words}).encode())]

    read = read_list(client, PODS, Pod, Selection(), deadline=ample())

    assert words in read.forbidden
    assert read.trouble == read.forbidden
    assert read.items == ()


def test_a_kind_that_is_not_installed_is_an_answer(
    server: ScriptedServer, client: KubeClient
) -> None:
    server.script = [Reply(status=404, body=b"404 page not found\n")]

    assert read_list(client, PODS, Pod, Selection(), deadline=ample()).missing


def test_one_bad_item_costs_no_other() -> None:
    bad = {
        "metadata": {"name": "bad", "namespace": "team", "labels": {"slipway.dev/id": "7"}},
        "spec": {"replicas": "three"},
    }
    good = {"metadata": {"name": "good", "namespace": "team"}, "spec": {"replicas": 3}}

    items, unread, token = decode_page(page(bad, good, token="t"), Deployment, DEPLOYMENTS)

    assert [item.name for item in items] == ["good"]
    assert token == "t"
    assert str(unread[0]).startswith("Deployment team/bad: ")
    assert "$.spec.replicas" in unread[0].why
    assert unread[0].labels == {"slipway.dev/id": "7"}


@pytest.mark.parametrize(
    "item", ["text", 7, [], {"metadata": 7}, {"metadata": {"name": 7, "labels": []}}]
)
def test_an_item_of_any_shape_is_told_and_breaks_nothing(item: object) -> None:
    items, unread, _ = decode_page(page(item, pod("good")), Pod, PODS)

    assert [found.name for found in items] == ["good"]
    assert len(unread) == 1
    assert str(unread[0]).startswith("Pod ")


def test_nulls_among_the_items_are_left_out() -> None:
    items, unread, token = decode_page(page(None, pod("a"), None), Pod, PODS)

    assert [item.name for item in items] == ["a"]
    assert (unread, token) == ([], "")


@pytest.mark.parametrize("body", [b'{"items": null}', b'{"metadata": null}', b"{}"])
def test_a_list_without_items_is_empty(body: bytes) -> None:
    assert decode_page(body, Pod, PODS) == ([], [], "")


@pytest.mark.parametrize("body", [b"", b"<html>", b'{"items": 7}', b"[]"])
def test_an_answer_that_is_no_list_is_unavailable(body: bytes) -> None:
    with pytest.raises(Unavailable, match="no list"):
        decode_page(body, Pod, PODS)


def test_many_bad_items_are_named_up_to_three_and_counted() -> None:
    bad = [{"metadata": {"name": f"p{n}"}, "spec": 7} for n in range(5)]
    _, unread, _ = decode_page(page(*bad), Pod, PODS)

    assert trouble_of(unread).count("Pod p") == 3
    assert trouble_of(unread).endswith("and 2 more")


def test_an_object_that_is_missing_is_none(server: ScriptedServer, client: KubeClient) -> None:
    server.script = [Reply(status=404, body=b'{"kind": "Status"}')]

    assert read_object(client, DEPLOYMENTS, "web", "team", deadline=ample()) is None


def test_an_object_that_may_not_be_read_is_rejected(
    server: ScriptedServer, client: KubeClient
) -> None:
    words = 'deployments.apps "web" is forbidden: User "u" cannot get resource "deployments"'
    server.script = [Reply(status=403, body=json.dumps({"message": words}).encode())]

    with pytest.raises(Rejected) as caught:
        read_object(client, DEPLOYMENTS, "web", "team", deadline=ample())

    assert caught.value.code == "Forbidden"


def test_one_object_is_told_from_none_and_from_one_that_does_not_decode(
    server: ScriptedServer, client: KubeClient
) -> None:
    server.script = [
        Reply(body=b'{"metadata": {"name": "team"}}'),
        Reply(status=404),
        Reply(body=b'{"metadata": {"name": "team"}, "status": 7}'),
    ]
    reads = [read_one(client, NAMESPACES, Namespace, "team", deadline=ample()) for _ in range(3)]

    assert [len(read.items) for read in reads] == [1, 0, 0]
    assert [bool(read.trouble) for read in reads] == [False, False, True]


def test_a_name_cannot_leave_its_place_in_the_path() -> None:
    assert DEPLOYMENTS.item("../x?y", "a/b") == (
        "/apis/apps/v1/namespaces/a%2Fb/deployments/..%2Fx%3Fy"
    )

"""The simulated cluster measured: what pods use, and the pages of their engines behind a proxy."""

from providers.sandbox.cluster import VirtualCluster

from .conftest import NAMESPACE, PODS, Desk, deployment

USE = f"/apis/metrics.k8s.io/v1beta1/namespaces/{NAMESPACE}/pods"


def test_what_pods_use_can_be_listed_by_label(desk: Desk, cluster: VirtualCluster) -> None:
    desk.apply(deployment("a", replicas=2))
    desk.apply(deployment("b"))
    cluster.advance(60)
    names = {pod["metadata"]["name"] for pod in desk.items(f"{PODS}?labelSelector=app%3Da")}
    used = desk.items(f"{USE}?labelSelector=app%3Da")
    assert {one["metadata"]["name"] for one in used} == names
    assert len(names) == 2


def test_the_page_of_an_engine_is_reached_through_the_pod(
    desk: Desk, cluster: VirtualCluster
) -> None:
    desk.apply(deployment())
    cluster.advance(60)
    [pod] = desk.items(PODS)
    asked = desk.ask("GET", f"{PODS}/{pod['metadata']['name']}:8000/proxy/metrics")
    assert asked.status == 200
    assert "vllm:num_requests_running " in asked.text


def test_a_pod_that_does_not_listen_and_one_that_is_not_there_are_told_apart(
    desk: Desk, cluster: VirtualCluster
) -> None:
    desk.apply(deployment(word="never-ready"))
    cluster.advance(60)
    [pod] = desk.items(PODS)
    asked = desk.ask("GET", f"{PODS}/{pod['metadata']['name']}:8000/proxy/metrics")
    assert (asked.status, asked.body["message"]) == (503, "error trying to reach service: refused")
    assert desk.ask("GET", f"{PODS}/gone:8000/proxy/metrics").status == 404
    assert desk.items(USE) == []

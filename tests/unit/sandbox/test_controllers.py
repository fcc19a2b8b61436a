"""What follows from a write: pods, places, words of failure, removal in order."""

import pytest

from providers.contract.manifest import Manifest
from providers.sandbox.cluster import VirtualCluster

from .conftest import APPLY, DEPLOYMENTS, NAMESPACE, PODS, Desk, deployment

EVENTS = f"/api/v1/namespaces/{NAMESPACE}/events"


def waiting(desk: Desk) -> str:
    status = desk.items(PODS)[0]["status"]["containerStatuses"][0]
    return str((status["state"].get("waiting") or {}).get("reason"))


@pytest.mark.parametrize(
    ("word", "reason"),
    [
        ("image-not-found", "ImagePullBackOff"),
        ("unauthorized", "ImagePullBackOff"),
        ("crash", "CrashLoopBackOff"),
        ("oom", "CrashLoopBackOff"),
    ],
)
def test_a_word_makes_a_pod_fail(
    cluster: VirtualCluster, desk: Desk, word: str, reason: str
) -> None:
    desk.apply(deployment(word=word))
    cluster.advance(9)
    assert waiting(desk) == reason


def test_a_word_of_the_namespace_holds_for_its_pods(cluster: VirtualCluster, desk: Desk) -> None:
    cluster.create(
        {
            "kind": "Namespace",
            "metadata": {"name": "sick", "annotations": {"slipway.dev/simulate": "crash"}},
        },
    )
    cluster.advance()
    body = deployment()
    target = "/apis/apps/v1/namespaces/sick/deployments"
    assert desk.ask("POST", target, body).status == 201
    cluster.advance(9)
    pod = desk.items("/api/v1/namespaces/sick/pods")[0]
    assert pod["status"]["containerStatuses"][0]["restartCount"] >= 1


def test_an_unknown_word_is_told_where_the_pod_is_looked_at(
    cluster: VirtualCluster, desk: Desk
) -> None:
    desk.apply(deployment(word="explode"))
    cluster.advance(3)
    assert waiting(desk) == "CreateContainerConfigError"
    assert any("unknown word 'explode'" in event["message"] for event in desk.items(EVENTS))


def test_a_pod_waits_for_a_secret_and_starts_when_it_comes(
    cluster: VirtualCluster, desk: Desk
) -> None:
    body = deployment()
    ref = {"secretKeyRef": {"name": "hf-token", "key": "token"}}
    container = body["spec"]["template"]["spec"]["containers"][0]
    container["env"] = [{"name": "HF_TOKEN", "valueFrom": ref}]
    desk.apply(body)
    cluster.advance(3)
    assert waiting(desk) == "CreateContainerConfigError"
    secret = {
        "kind": "Secret",
        "metadata": {"name": "hf-token", "namespace": NAMESPACE},
        "data": {"token": "eA=="},
    }
    cluster.create(secret)
    cluster.advance(10)
    assert desk.get(f"{DEPLOYMENTS}/d")["status"]["readyReplicas"] == 1


def test_an_evicted_pod_is_replaced(cluster: VirtualCluster, desk: Desk) -> None:
    desk.apply(deployment(word="evict:3"))
    cluster.advance(6)
    phases = sorted(pod["status"]["phase"] for pod in desk.items(PODS))
    assert "Failed" in phases
    assert len(phases) > 1


def gpus(count: int, **spec: object) -> Manifest:
    body = deployment(**spec)  # type: ignore[arg-type]
    limits = {"nvidia.com/gpu": str(count)}
    body["spec"]["template"]["spec"]["containers"][0]["resources"] = {"limits": limits}
    return body


def test_a_pod_waits_for_accelerators_and_takes_them_when_they_are_free(
    cluster: VirtualCluster, desk: Desk
) -> None:
    desk.apply(gpus(3, replicas=3))
    cluster.advance(60)
    pods = desk.items(PODS)
    waits = next(pod for pod in pods if not pod["spec"].get("nodeName"))
    message = waits["status"]["conditions"][0]["message"]
    assert message.startswith("0/2 nodes are available: 2 Insufficient nvidia.com/gpu.")
    bound = next(pod for pod in pods if pod["spec"].get("nodeName"))
    desk.ask("DELETE", f"{PODS}/{bound['metadata']['name']}")
    cluster.advance(60)
    assert desk.get(f"{DEPLOYMENTS}/d")["status"]["readyReplicas"] == 2
    assert desk.get(f"{PODS}/{waits['metadata']['name']}")["spec"]["nodeName"]


@pytest.mark.parametrize(
    ("toleration", "ready"),
    [
        ({"key": "team", "value": "a"}, 1),
        ({"operator": "Exists"}, 1),
        ({"key": "other", "operator": "Exists"}, 0),
    ],
)
def test_a_taint_keeps_out_who_does_not_tolerate_it(
    cluster: VirtualCluster, desk: Desk, toleration: Manifest, ready: int
) -> None:
    taint = {"key": "team", "value": "a", "effect": "NoSchedule"}
    for name in ("one", "two"):
        node = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name}}
        node["spec"] = {"taints": [taint]}
        desk.ask("PATCH", f"/api/v1/nodes/{name}?fieldManager=somebody&force=true", node, APPLY)
    body = deployment()
    body["spec"]["template"]["spec"]["tolerations"] = [toleration]
    desk.apply(body)
    cluster.advance(60)
    assert desk.get(f"{DEPLOYMENTS}/d")["status"].get("readyReplicas", 0) == ready


def test_a_quota_that_grows_lets_the_missing_pod_in(cluster: VirtualCluster, desk: Desk) -> None:
    quota = {
        "kind": "ResourceQuota",
        "metadata": {"name": "team", "namespace": NAMESPACE},
        "spec": {"hard": {"requests.nvidia.com/gpu": "2"}},
    }
    cluster.create(quota)
    desk.apply(gpus(1, replicas=3))
    cluster.advance(10)
    path = f"/api/v1/namespaces/{NAMESPACE}/resourcequotas/team"
    assert desk.get(path)["status"]["used"] == {"requests.nvidia.com/gpu": "2"}
    wider = {
        "apiVersion": "v1",
        "kind": "ResourceQuota",
        "metadata": {},
        "spec": {"hard": {"requests.nvidia.com/gpu": "3"}},
    }
    desk.ask("PATCH", f"{path}?fieldManager=somebody", wider, APPLY)
    cluster.advance(10)
    status = desk.get(f"{DEPLOYMENTS}/d")["status"]
    assert status["readyReplicas"] == 3
    assert "ReplicaFailure" not in {entry["type"] for entry in status["conditions"]}


def test_refusals_again_and_again_become_one_event(cluster: VirtualCluster, desk: Desk) -> None:
    quota = {
        "kind": "ResourceQuota",
        "metadata": {"name": "team", "namespace": NAMESPACE},
        "spec": {"hard": {"pods": "0"}},
    }
    cluster.create(quota)
    desk.apply(deployment())
    cluster.advance(4000)
    refusals = [event for event in desk.items(EVENTS) if event["reason"] == "FailedCreate"]
    assert 1 <= len(refusals) <= 11
    assert any(event["count"] > 1 for event in refusals)


def test_a_deletion_in_the_foreground_ends_with_the_deployment(
    cluster: VirtualCluster, desk: Desk
) -> None:
    desk.apply(deployment(word="slow-stop:5"))
    cluster.advance(60)
    gone: list[str] = []
    cluster.store.listen(
        lambda change: gone.append(change.key.plural) if change.new is None else None
    )
    policy = {"propagationPolicy": "Foreground"}
    assert desk.ask("DELETE", f"{DEPLOYMENTS}/d", policy).body["kind"] == "Deployment"
    cluster.advance(3)
    assert desk.get(f"{DEPLOYMENTS}/d")["metadata"]["finalizers"] == ["foregroundDeletion"]
    cluster.advance(60)
    assert [plural for plural in gone if plural != "events"] == [
        "pods",
        "replicasets",
        "deployments",
    ]


def test_a_deletion_in_the_background_ends_with_the_pods(
    cluster: VirtualCluster, desk: Desk
) -> None:
    desk.apply(deployment(word="slow-stop:5"))
    cluster.advance(60)
    desk.ask("DELETE", f"{DEPLOYMENTS}/d")
    cluster.advance(3)
    assert desk.ask("GET", f"{DEPLOYMENTS}/d").status == 404
    assert len(desk.items(PODS)) == 1
    cluster.advance(60)
    assert desk.items(PODS) == []


def test_a_namespace_takes_everything_along(cluster: VirtualCluster, desk: Desk) -> None:
    desk.apply(deployment(word="slow-stop:5"))
    cluster.advance(60)
    desk.ask("DELETE", f"/api/v1/namespaces/{NAMESPACE}")
    cluster.advance(1)
    refused = desk.apply(deployment("late"))
    assert refused.status == 403
    assert "because it is being terminated" in refused.body["message"]
    cluster.advance(60)
    assert desk.ask("GET", f"/api/v1/namespaces/{NAMESPACE}").status == 404
    assert not cluster.store.items("pods", NAMESPACE)


def test_a_poisoned_object_stops_nobody_else(cluster: VirtualCluster, desk: Desk) -> None:
    poison = {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "poison", "namespace": NAMESPACE, "uid": "1", "generation": 1},
        "spec": {"selector": {"matchLabels": {"app": "d"}}, "replicas": "many"},
    }
    cluster.store.put(poison)
    desk.apply(deployment(replicas=2))
    cluster.advance(30)
    assert desk.get(f"{DEPLOYMENTS}/d")["status"]["readyReplicas"] == 2


def test_what_is_stored_is_never_changed(cluster: VirtualCluster, desk: Desk) -> None:
    seen: list[tuple[Manifest, str]] = []
    cluster.store.listen(
        lambda change: seen.append((change.new, repr(change.new))) if change.new else None
    )
    desk.apply(deployment(replicas=2))
    cluster.advance(60)
    desk.apply(deployment(env="2", replicas=3))
    cluster.advance(60)
    desk.ask("DELETE", f"{DEPLOYMENTS}/d", {"propagationPolicy": "Foreground"})
    cluster.advance(60)
    assert len(seen) > 30
    assert [item for item, before in seen if repr(item) != before] == []

"""What others change on the simulated cluster is told and put back as on a real one."""

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from providers.contract.drifting import Drift, DriftKind, PutBack
from providers.contract.errors import Rejected, Unavailable
from providers.contract.manifest import Manifest
from providers.contract.protocols import Applied, Deadline
from providers.contract.request import DeploymentRef, DeployRequest
from providers.contract.target import ClusterTarget, Connection
from providers.kubernetes.provider import provider
from providers.sandbox.cluster import VirtualCluster
from providers.sandbox.faults import Fault
from providers.sandbox.kubeconfig import write_kubeconfig
from providers.sandbox.server import serving
from providers.testing.samples import make_request, make_target, ref_of

from .conftest import APPLY, DEPLOYMENTS, NAMESPACE

MERGE = "application/merge-patch+json"
CONTAINERS = "spec.template.spec.containers[name=engine]"


@dataclass(frozen=True, kw_only=True)
class Scene:
    """One deployment on a cluster, and what a stranger does to it."""

    cluster: VirtualCluster
    target: ClusterTarget
    request: DeployRequest
    applied: Applied

    @property
    def path(self) -> str:
        return f"{DEPLOYMENTS}/{self.request.runtime_name}"

    def live(self) -> Manifest:
        body: Manifest = json.loads(self.cluster.handle("GET", self.path, {}).body)
        return body

    def patch(self, body: Manifest, *, manager: str = "kubectl-edit", kind: str = MERGE) -> None:
        target = f"{self.path}?fieldManager={manager}&force=true"
        answer = self.cluster.handle(
            "PATCH", target, {"Content-Type": kind}, json.dumps(body).encode()
        )
        assert answer.status == 200, answer.body

    def drift(self) -> Drift:
        return provider.drift(self.manifests, self.ref, self.target, deadline=soon())

    def put_back(self) -> PutBack:
        seen = {one.fingerprint for one in self.drift().fields}
        return provider.put_back(self.manifests, self.ref, self.target, seen=seen, deadline=soon())

    @property
    def manifests(self) -> tuple[Manifest, ...]:
        return provider.render(self.request, self.target)

    @property
    def ref(self) -> DeploymentRef:
        return ref_of(self.request, self.applied)


def soon() -> Deadline:
    return Deadline(at=time.monotonic() + 5)


@pytest.fixture
def scene(cluster: VirtualCluster, tmp_path: Path) -> Iterator[Scene]:
    with serving(cluster, token="t") as server:
        path = write_kubeconfig(tmp_path / "kubeconfig", url=server.url, namespace=NAMESPACE)
        target = make_target(key=str(tmp_path), connection=Connection(kubeconfig=str(path)))
        request = make_request(provider, namespace=NAMESPACE)
        applied = provider.create(request, target, deadline=soon())
        cluster.advance(60)
        yield Scene(cluster=cluster, target=target, request=request, applied=applied)


def with_env(live: Manifest, *env: Manifest) -> Manifest:
    (container,) = live["spec"]["template"]["spec"]["containers"]
    container["env"] = [*container["env"], *env]
    return {"spec": {"template": live["spec"]["template"]}}


def test_a_variable_that_somebody_added_is_told_and_taken_away_again(scene: Scene) -> None:
    before = scene.live()["spec"]["template"]
    scene.patch(with_env(scene.live(), {"name": "EXTRA", "value": "1"}))

    (found,) = scene.drift().fields

    assert (found.path, found.kind) == (f"{CONTAINERS}.env[name=EXTRA]", DriftKind.ADDED)
    assert found.holder.who == "somebody with kubectl edit"
    assert scene.put_back().fields == (found,)
    assert scene.live()["spec"]["template"] == before
    assert scene.drift() == Drift()


def test_several_changes_are_put_back_at_once(scene: Scene) -> None:
    scene.patch({"spec": {"minReadySeconds": 5, "progressDeadlineSeconds": 3, "replicas": 4}})

    found = {one.path: one.kind for one in scene.drift().fields}

    assert found == {
        "spec.replicas": DriftKind.CHANGED,
        "spec.progressDeadlineSeconds": DriftKind.CHANGED,
        "spec.minReadySeconds": DriftKind.ADDED,
    }
    scene.put_back()
    assert scene.drift() == Drift()
    assert scene.live()["spec"]["replicas"] == 1


def test_what_was_added_and_what_was_changed_is_put_back_by_one_write(scene: Scene) -> None:
    before = scene.live()["spec"]
    body = with_env(scene.live(), {"name": "EXTRA", "value": "1"})
    body["spec"]["template"]["spec"] |= {"shareProcessNamespace": True}
    scene.patch({"spec": {**body["spec"], "minReadySeconds": 5, "progressDeadlineSeconds": 3}})
    changed = scene.live()["metadata"]["generation"]

    scene.put_back()

    assert scene.live()["spec"] == before
    assert scene.live()["metadata"]["generation"] == changed + 1
    assert scene.drift() == Drift()


def test_what_was_broken_off_before_it_was_taken_away_is_told_and_put_back(scene: Scene) -> None:
    scene.patch({"spec": {"minReadySeconds": 5}})
    agreed = {one.fingerprint for one in scene.drift().fields}
    scene.cluster.faults.append(Fault(verb="apply", resource="deployments", status=503))
    with pytest.raises(Unavailable):
        scene.put_back()
    scene.cluster.faults.clear()

    (found,) = scene.drift().fields

    assert (found.path, found.kind) == ("spec.minReadySeconds", DriftKind.ADDED)
    assert {found.fingerprint} == agreed
    scene.put_back()
    assert scene.drift() == Drift()


def test_what_a_rollout_makes_newer_in_between_is_put_back_all_the_same(scene: Scene) -> None:
    scene.patch({"spec": {"minReadySeconds": 5}})
    newer = Fault(verb="merge", resource="deployments", status=409, times=10)
    scene.cluster.faults.append(newer)

    scene.put_back()

    assert scene.drift() == Drift()


def test_a_tool_that_applies_is_named_as_one_that_writes_again(scene: Scene) -> None:
    body = {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": scene.request.runtime_name},
        "spec": {"progressDeadlineSeconds": 9},
    }
    scene.patch(body, manager="argocd-controller", kind=APPLY)

    drift = scene.drift()

    assert [one.holder.who for one in drift.fields] == ["Argo CD"]
    assert [one.writes_again for one in drift.co_managers] == [True]


def test_an_object_of_somebody_else_that_took_a_name_of_ours_is_left_alone(scene: Scene) -> None:
    services = f"/api/v1/namespaces/{NAMESPACE}/services"
    scene.cluster.handle("DELETE", f"{services}/{scene.request.runtime_name}", {})
    scene.cluster.create(
        {
            "kind": "Service",
            "metadata": {"name": scene.request.runtime_name, "namespace": NAMESPACE},
            "spec": {"type": "ClusterIP", "selector": {}, "ports": []},
        }
    )

    (found,) = scene.drift().fields

    assert found.kind is DriftKind.GONE
    assert "bears its name" in found.obstacle
    done = scene.put_back()
    assert (done.fields, done.left) == ((), (found,))


def test_a_refusal_comes_before_the_first_write(scene: Scene) -> None:
    scene.patch({"spec": {"replicas": 4}})
    scene.cluster.faults.append(Fault(verb="apply", resource="deployments", status=403))

    with pytest.raises(Rejected):
        scene.put_back()

    assert scene.live()["spec"]["replicas"] == 4


def test_autoscalers_that_may_not_be_read_are_no_reason_to_fight_one(scene: Scene) -> None:
    scene.patch({"spec": {"replicas": 4}})
    scene.cluster.faults.append(Fault(verb="list", resource="horizontalpodautoscalers", status=403))

    with pytest.raises(Rejected) as refused:
        scene.put_back()

    assert "autoscalers may not be read" in refused.value.message

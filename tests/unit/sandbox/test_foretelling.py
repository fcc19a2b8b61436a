"""A deletion foretold on the simulated cluster: what goes, what is not ours, what is hidden."""

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from providers.contract.protocols import Deadline
from providers.contract.removing import Going
from providers.contract.request import DeploymentRef
from providers.contract.target import ClusterTarget, Connection
from providers.kubernetes.provider import provider
from providers.sandbox.cluster import VirtualCluster
from providers.sandbox.faults import Fault
from providers.sandbox.kubeconfig import write_kubeconfig
from providers.sandbox.server import serving
from providers.testing.samples import make_request, make_target, ref_of
from providers.workload.labels import LABEL_ID

from .conftest import DEPLOYMENTS, NAMESPACE, SLOW_PACE

AUTOSCALED = {"min_replicas": 1, "max_replicas": 3, "enable_auto_scaling": True}


@dataclass(frozen=True, kw_only=True)
class Scene:
    """One deployment that runs, with an autoscaler of its own."""

    cluster: VirtualCluster
    target: ClusterTarget
    ref: DeploymentRef

    def foretold(self) -> Going:
        return provider.what_goes(self.ref, self.target, deadline=soon())


def soon() -> Deadline:
    return Deadline(at=time.monotonic() + 20)


@pytest.fixture
def scene(tmp_path: Path) -> Iterator[Scene]:
    cluster = VirtualCluster(pace=SLOW_PACE)
    cluster.create({"kind": "Node", "metadata": {"name": "cpu"}})
    cluster.create({"kind": "Namespace", "metadata": {"name": NAMESPACE}})
    with serving(cluster, token="t") as server:
        path = write_kubeconfig(tmp_path / "kubeconfig", url=server.url, namespace=NAMESPACE)
        connection = Connection(kubeconfig=str(path))
        target = make_target(key=str(tmp_path), connection=connection)
        request = make_request(provider, overrides=AUTOSCALED)
        applied = provider.create(request, target, deadline=soon())
        cluster.advance(60)
        yield Scene(cluster=cluster, target=target, ref=ref_of(request, applied))


def test_every_object_of_it_goes_in_the_order_of_deletion(scene: Scene) -> None:
    going = scene.foretold()
    assert [one.object.kind for one in going.objects] == [
        "HorizontalPodAutoscaler",
        "Service",
        "EndpointSlice",
        "Deployment",
        "ReplicaSet",
        "Pod",
    ]
    assert (going.staying, going.unreadable) == ((), {})


def test_a_workload_that_lost_its_labels_goes_all_the_same(scene: Scene) -> None:
    before = scene.foretold()
    path = f"{DEPLOYMENTS}/{scene.ref.runtime_name}"
    body = json.dumps({"metadata": {"labels": {LABEL_ID: None}}}).encode()
    kind = {"Content-Type": "application/merge-patch+json"}
    assert scene.cluster.handle("PATCH", path, kind, body).status == 200

    assert scene.foretold() == before
    assert not provider.delete(scene.ref, scene.target, deadline=soon()).gone
    scene.cluster.advance(60)
    assert provider.delete(scene.ref, scene.target, deadline=soon()).gone
    assert scene.foretold().objects == ()


def test_a_workload_of_the_same_name_that_is_not_of_our_making_stays(scene: Scene) -> None:
    path = f"{DEPLOYMENTS}/{scene.ref.runtime_name}"
    body = json.dumps({"metadata": {"labels": {LABEL_ID: None}}}).encode()
    scene.cluster.handle("PATCH", path, {"Content-Type": "application/merge-patch+json"}, body)
    stranger = replace(scene.ref, workload_uid="another")

    going = provider.what_goes(stranger, scene.target, deadline=soon())

    assert "Deployment" not in {one.object.kind for one in going.objects}
    provider.delete(stranger, scene.target, deadline=soon())
    assert scene.cluster.handle("GET", path, {}).status == 200


def test_an_autoscaler_of_somebody_else_stays(scene: Scene) -> None:
    target = {"apiVersion": "apps/v1", "kind": "Deployment", "name": scene.ref.runtime_name}
    for name, aim in (("theirs", target), ("elsewhere", {**target, "name": "another"})):
        scene.cluster.create(
            {
                "kind": "HorizontalPodAutoscaler",
                "metadata": {"name": name, "namespace": NAMESPACE},
                "spec": {"scaleTargetRef": aim, "maxReplicas": 2},
            }
        )
    going = scene.foretold()
    assert [key.name for key in going.staying] == ["theirs"]
    names = {one.object.name for one in going.objects}
    assert names.isdisjoint({"theirs", "elsewhere"})


def test_what_may_not_be_read_is_named_and_the_rest_is_told(scene: Scene) -> None:
    scene.cluster.faults.append(Fault(verb="list", resource="replicasets", status=403))
    going = scene.foretold()
    assert going.unreadable.keys() == {"ReplicaSet"}
    assert "Deployment" in {one.object.kind for one in going.objects}

"""A workload that lost its labels and is held: its deletion is not over before that is gone too."""

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path

import pytest

from providers.carrying.taking import MOST_AT_ONCE
from providers.contract.errors import Rejected
from providers.contract.manifest import Manifest
from providers.contract.protocols import Deadline
from providers.contract.request import DeploymentRef, Intent
from providers.contract.status import Phase, Status
from providers.contract.target import ClusterTarget, Connection
from providers.kube.door import door
from providers.kubernetes.provider import provider
from providers.sandbox.cluster import VirtualCluster
from providers.sandbox.faults import Fault
from providers.sandbox.kubeconfig import write_kubeconfig
from providers.sandbox.server import serving
from providers.testing.samples import make_request, make_target, ref_of
from providers.workload.labels import LABEL_ID

from .conftest import DEPLOYMENTS, NAMESPACE

KEEP = "example.com/keep"


@dataclass(frozen=True, kw_only=True)
class Scene:
    """One deployment whose deletion was asked for long ago."""

    cluster: VirtualCluster
    target: ClusterTarget
    ref: DeploymentRef

    def merge(self, metadata: Manifest) -> None:
        path = f"{DEPLOYMENTS}/{self.ref.runtime_name}"
        body = json.dumps({"metadata": metadata}).encode()
        kind = {"Content-Type": "application/merge-patch+json"}
        assert self.cluster.handle("PATCH", path, kind, body).status == 200


def soon() -> Deadline:
    return Deadline(at=time.monotonic() + 20)


@pytest.fixture
def scene(cluster: VirtualCluster, tmp_path: Path) -> Iterator[Scene]:
    with serving(cluster, token="t") as server:
        path = write_kubeconfig(tmp_path / "kubeconfig", url=server.url, namespace=NAMESPACE)
        target = make_target(key=str(tmp_path), connection=Connection(kubeconfig=str(path)))
        request = make_request(provider, namespace=NAMESPACE)
        ref = ref_of(request, provider.create(request, target, deadline=soon()))
        cluster.advance(60)
        since = cluster.at - timedelta(minutes=6)
        gone = replace(ref, intent=Intent.DELETED, intent_since=since)
        scene = Scene(cluster=cluster, target=target, ref=gone)
        scene.merge({"labels": {LABEL_ID: None}, "finalizers": [KEEP]})
        assert not provider.delete(gone, target, deadline=soon()).gone
        cluster.advance(60)
        yield scene


def by_itself(scene: Scene) -> Status:
    return provider.get(scene.ref, scene.target, deadline=soon()).status


def among_some(scene: Scene) -> Status:
    found = provider.get_several([scene.ref], scene.target, deadline=soon())
    return found[scene.ref.id].status


def in_a_pass(scene: Scene) -> Status:
    shared = door.read_shared(scene.target, with_events_of=(), deadline=soon())
    found = provider.list(scene.target, [scene.ref], shared, deadline=soon())
    return found.observations[scene.ref.id].status


@pytest.mark.parametrize("look", [by_itself, among_some, in_a_pass])
def test_every_look_names_it_with_what_holds_it_until_it_is_gone(
    scene: Scene, look: Callable[[Scene], Status]
) -> None:
    status = look(scene)

    assert (status.phase, status.reason, status.closed) == (
        Phase.DELETING,
        "PendingFinalizer",
        False,
    )
    assert f"waiting for more than 5 min for Deployment {scene.ref.runtime_name}" in status.message
    assert KEEP in status.message
    scene.merge({"finalizers": None})
    assert look(scene).closed


def gone_long_ago(scene: Scene, number: int) -> DeploymentRef:
    return replace(scene.ref, id=f"{number:032x}", runtime_name=f"gone-{number}")


def test_where_many_end_in_one_pass_those_not_looked_for_wait_for_a_later_one(
    scene: Scene,
) -> None:
    scene.merge({"labels": None})
    others = [gone_long_ago(scene, number) for number in range(MOST_AT_ONCE)]
    shared = door.read_shared(scene.target, with_events_of=(), deadline=soon())
    found = provider.list(scene.target, [*others, scene.ref], shared, deadline=soon())
    status = found.observations[scene.ref.id].status
    assert all(found.observations[ref.id].status.closed for ref in others)
    assert (status.phase, status.closed) == (Phase.DELETING, False)
    assert "looked at in a later pass" in status.message

    assert in_a_pass(scene).reason == "PendingFinalizer"
    scene.merge({"finalizers": None})
    assert in_a_pass(scene).closed


@pytest.mark.parametrize("look", [by_itself, among_some, in_a_pass])
def test_what_may_not_be_read_by_its_name_is_not_taken_for_gone(
    scene: Scene, look: Callable[[Scene], Status]
) -> None:
    scene.merge({"labels": None})
    scene.cluster.faults.append(Fault(verb="get", resource="deployments", status=403))
    status = look(scene)
    assert (status.phase, status.closed) == (Phase.DELETING, False)
    assert "what is left cannot be seen" in status.message
    with pytest.raises(Rejected) as refusal:
        provider.delete(scene.ref, scene.target, deadline=soon())
    assert refusal.value.code == "Forbidden"


@pytest.fixture
def running(scene: Scene) -> Scene:
    """Another one beside, whose deletion nobody asked for, stripped of its labels."""
    request = make_request(provider, name="kept", namespace=NAMESPACE)
    ref = ref_of(request, provider.create(request, scene.target, deadline=soon()))
    scene.cluster.advance(60)
    kept = replace(scene, ref=ref)
    assert by_itself(kept).phase is Phase.READY
    kept.merge({"labels": None})
    return kept


@pytest.mark.parametrize("look", [by_itself, among_some, in_a_pass])
def test_one_that_lost_its_labels_is_no_removed_one_but_changed_outside(
    running: Scene, look: Callable[[Scene], Status]
) -> None:
    status = look(running)

    assert (status.phase, status.reason) == (Phase.READY, "Available")
    assert [note.message for note in status.notes] == [
        "metadata.labels was changed outside of Slipway"
    ]
    running.cluster.handle("DELETE", f"{DEPLOYMENTS}/{running.ref.runtime_name}", {}, b"")
    running.cluster.advance(60)
    assert look(running).reason == "RemovedOutside"


def test_it_is_not_changed_before_its_labels_are_put_back(running: Scene) -> None:
    request = make_request(provider, name="kept", namespace=NAMESPACE, deployment_id=running.ref.id)
    checks = provider.preflight(request, running.target, capacity=None, deadline=soon())
    assert "LabelsRemoved" in {check.code for check in checks}
    with pytest.raises(Rejected, match="put them back first") as refusal:
        provider.update(request, running.ref, running.target, deadline=soon())
    assert refusal.value.code == "LabelsRemoved"

    manifests = provider.render(request, running.target)
    drift = provider.drift(manifests, running.ref, running.target, deadline=soon())
    assert f"metadata.labels[{LABEL_ID}]" in {field.path for field in drift.fields}
    seen = {field.fingerprint for field in drift.fields}
    put = provider.put_back(manifests, running.ref, running.target, seen=seen, deadline=soon())

    assert put.left == ()
    assert by_itself(running).notes == ()
    assert provider.update(request, running.ref, running.target, deadline=soon()).workload_uid

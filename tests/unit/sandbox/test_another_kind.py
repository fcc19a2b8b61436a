"""A kind that only a test knows goes through every shared verb on the simulated cluster."""

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from providers.contract.checks import Result
from providers.contract.errors import Rejected
from providers.contract.manifest import Manifest
from providers.contract.protocols import Applied, Deadline, Observation
from providers.contract.request import DeploymentRef, DeployRequest, Intent
from providers.contract.status import Phase
from providers.contract.target import ClusterTarget, Connection
from providers.kube.door import door
from providers.kubernetes.provider import provider as k8s_deployment
from providers.sandbox.cluster import VirtualCluster
from providers.sandbox.kinds import BY_NAME, BY_PLURAL, Kind
from providers.sandbox.kubeconfig import write_kubeconfig
from providers.sandbox.server import serving
from providers.testing.samples import make_request, make_target, ref_of
from tests.unit.carrying.made_up import CARRIER, DIGEST, FLOTILLAS, FlotillaProvider

from .conftest import NAMESPACE, PODS

MERGE = "application/merge-patch+json"
PATH = f"/apis/sea.example/v1/namespaces/{NAMESPACE}/flotillas"
PROVIDER = FlotillaProvider()


def soon() -> Deadline:
    return Deadline(at=time.monotonic() + 30)


@dataclass(frozen=True, kw_only=True)
class Sea:
    """A cluster that knows the kind and has no controller for it: the test does its work."""

    cluster: VirtualCluster
    target: ClusterTarget
    request: DeployRequest

    def create(self) -> Applied:
        return PROVIDER.create(self.request, self.target, deadline=soon())

    def ref(self, applied: Applied | None) -> DeploymentRef:
        return ref_of(self.request, applied)

    def ask(self, method: str, path: str, body: Manifest, kind: str = "application/json") -> None:
        sent = json.dumps(body).encode()
        answer = self.cluster.handle(method, path, {"Content-Type": kind}, sent)
        assert answer.status in {200, 201}, answer.body

    def control(self, *, ready: bool = True) -> None:
        """Do what a controller would: two pods, and a word that the change was seen."""
        name = self.request.runtime_name
        status = {"status": {"seenGeneration": 1}}
        self.ask("PATCH", f"{PATH}/{name}?fieldManager=admiral", status, MERGE)
        for number in range(2):
            self.ask("POST", PODS, self._pod(f"{name}-{number}"))
        if ready:
            self.cluster.advance(60)

    def _pod(self, name: str) -> Manifest:
        flotilla, _ = PROVIDER.render(self.request, self.target)
        labels = {**flotilla["metadata"]["labels"], "ship": "a", DIGEST: "new"}
        owner = {"apiVersion": FLOTILLAS.api_version, "kind": FLOTILLAS.kind, "controller": True}
        named = {"name": self.request.runtime_name, "uid": self.live()["metadata"]["uid"]}
        return {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {"name": name, "labels": labels, "ownerReferences": [{**owner, **named}]},
            "spec": flotilla["spec"]["template"]["spec"],
        }

    def live(self) -> Manifest:
        answer = self.cluster.handle("GET", f"{PATH}/{self.request.runtime_name}", {})
        body: Manifest = json.loads(answer.body)
        return body


@pytest.fixture
def sea(cluster: VirtualCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Sea]:
    kind = Kind(name="Flotilla", plural="flotillas", group="sea.example", generation=True)
    tables: tuple[tuple[Any, str], ...] = ((BY_NAME, kind.name), (BY_PLURAL, kind.plural))
    for table, key in tables:
        monkeypatch.setitem(table, key, kind)
    with serving(cluster, token="t") as server:
        path = write_kubeconfig(tmp_path / "kubeconfig", url=server.url, namespace=NAMESPACE)
        target = make_target(key=str(tmp_path), connection=Connection(kubeconfig=str(path)))
        request = make_request(k8s_deployment, namespace=NAMESPACE)
        yield Sea(cluster=cluster, target=target, request=request)


def listed(sea: Sea, *refs: DeploymentRef) -> tuple[dict[str, Observation], list[str]]:
    shared = door.read_shared(sea.target, with_events_of=(), deadline=soon())
    found = PROVIDER.list(sea.target, refs, shared, deadline=soon())
    return dict(found.observations), [str(one.key) for one in found.unmatched]


def test_it_is_checked_beforehand_with_a_dry_run_of_every_object_and_of_a_pod(sea: Sea) -> None:
    checks = PROVIDER.preflight(sea.request, sea.target, capacity=None, deadline=soon())

    accepted = [check.message for check in checks if check.code == "Accepted"]
    assert [text.rpartition(" ")[2] for text in accepted] == ["Flotilla", "Service", "Pod"]
    assert not [check for check in checks if check.result is Result.FAIL]


def test_it_is_applied_once_and_read_alike_by_one_by_several_and_by_a_full_pass(sea: Sea) -> None:
    applied = sea.create()
    sea.control()
    version = sea.live()["metadata"]["resourceVersion"]
    assert sea.create() == applied
    assert sea.live()["metadata"]["resourceVersion"] == version

    ref = sea.ref(applied)
    one = PROVIDER.get(ref, sea.target, deadline=soon())
    several = PROVIDER.get_several([ref], sea.target, deadline=soon())
    passed, unmatched = listed(sea, ref)

    assert (one.status.phase, one.status.message) == (Phase.READY, "1 of 1 replicas ready")
    assert several[ref.id].status == replace(
        one.status, observed_at=several[ref.id].status.observed_at
    )
    assert passed[ref.id].status == replace(
        one.status, observed_at=passed[ref.id].status.observed_at
    )
    assert unmatched == []
    assert one.endpoint.url.startswith(f"http://{sea.request.runtime_name}-pier.")


def test_its_objects_are_told_as_a_tree_with_the_pods_below_what_owns_them(sea: Sea) -> None:
    ref = sea.ref(sea.create())
    sea.control()

    objects = PROVIDER.resources(ref, sea.target, deadline=soon()).objects

    told = [(one.key.kind, one.state, one.below.kind if one.below else "") for one in objects]
    assert told[0] == ("Flotilla", "Afloat", "")
    assert told.count(("Pod", "Running", "Flotilla")) == 2
    assert any(one.key.name.endswith("-pier") for one in objects)


def test_what_others_change_is_told_and_put_back(sea: Sea) -> None:
    ref = sea.ref(sea.create())
    sea.control()
    manifests = PROVIDER.render(sea.request, sea.target)
    path = f"{PATH}/{sea.request.runtime_name}?fieldManager=kubectl-edit"
    sea.ask("PATCH", path, {"spec": {"ships": 7}}, MERGE)

    (found,) = PROVIDER.drift(manifests, ref, sea.target, deadline=soon()).fields
    assert (found.path, found.ours, found.theirs) == ("spec.ships", "1", "7")
    seen = {found.fingerprint}
    PROVIDER.put_back(manifests, ref, sea.target, seen=seen, deadline=soon())
    assert sea.live()["spec"]["ships"] == 1


def test_an_update_writes_what_differs(sea: Sea) -> None:
    applied = sea.create()
    scaling = replace(sea.request.scaling, min_replicas=3, max_replicas=3)
    request = replace(sea.request, scaling=scaling, revision=2)

    PROVIDER.update(request, sea.ref(applied), sea.target, deadline=soon())

    assert sea.live()["spec"]["ships"] == 3


def test_a_name_that_is_somebody_else_s_is_refused_and_nothing_is_left(sea: Sea) -> None:
    pier = PROVIDER.render(sea.request, sea.target)[1]
    stranger = {**pier, "metadata": {"name": pier["metadata"]["name"]}}
    sea.ask("POST", f"/api/v1/namespaces/{NAMESPACE}/services", stranger)

    with pytest.raises(Rejected, match="does not belong to this deployment"):
        sea.create()

    assert sea.live()["code"] == 404


def test_what_a_deletion_takes_is_foretold_and_then_gone(sea: Sea) -> None:
    ref = replace(sea.ref(sea.create()), intent=Intent.DELETED)
    sea.control()

    going = PROVIDER.what_goes(ref, sea.target, deadline=soon())
    assert [one.object.kind for one in going.objects if one.object.kind != "EndpointSlice"] == [
        "Service",
        "Flotilla",
        "Pod",
        "Pod",
    ]
    PROVIDER.delete(ref, sea.target, deadline=soon())
    sea.cluster.advance(60)
    assert PROVIDER.delete(ref, sea.target, deadline=soon()).gone


def test_what_no_record_owns_is_found_and_removed_by_its_uid(sea: Sea) -> None:
    sea.create()
    shared = door.read_shared(sea.target, with_events_of=(), deadline=soon())
    strays = PROVIDER.list(sea.target, (), shared, deadline=soon()).unmatched
    assert {one.key.kind for one in strays} == {"Flotilla", "Service"}
    assert [one.key.kind for one in strays if one.is_workload] == [CARRIER.shape.kind]

    PROVIDER.remove(strays, sea.target, deadline=soon())
    sea.cluster.advance(60)

    assert sea.live()["code"] == 404

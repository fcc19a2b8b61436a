"""The life of a k8s-deployment on a real control plane, and what it says to what goes wrong."""

import uuid
from dataclasses import replace

import pytest

from providers.contract.checks import Result
from providers.contract.errors import InvalidRequest, Rejected, Unavailable
from providers.contract.manifest import Manifest
from providers.contract.protocols import Listing, Observation
from providers.contract.status import Phase
from providers.contract.target import Connection
from providers.kube.clock import deadline_in
from providers.kube.door import door
from providers.kubernetes.provider import provider
from providers.testing.samples import spec_with
from tests.cluster.harness.api import Api, namespaced
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.launching import (
    SECONDS,
    Launch,
    delete_launch,
    eventually,
    failed,
    launch_in,
    objects_of,
    preflight,
    set_quota,
    target_for,
)

pytestmark = pytest.mark.usefixtures("cluster_nodes")

AUTOSCALED = {"enable_auto_scaling": True, "min_replicas": 1, "max_replicas": 3}


def test_a_launch_passes_its_preflight_runs_and_is_removed(
    control_plane: ControlPlane, namespace: str
) -> None:
    slow = spec_with(engine={"env": {"SLIPWAY_SIMULATE": "slow-stop:5"}})
    launch = launch_in(control_plane, namespace, spec=slow, overrides=AUTOSCALED)
    assert {check.result for check in preflight(launch)} == {Result.PASS}

    applied = launch.create()
    seen = launch.wait_until_ready(1)

    assert seen.workload_uid == applied.workload_uid
    assert [key.kind for key in applied.objects] == [
        "Deployment",
        "Service",
        "HorizontalPodAutoscaler",
    ]
    name = launch.request.runtime_name
    assert seen.endpoint.url == f"http://{name}.{namespace}.svc.cluster.local:8000"
    assert not delete_launch(launch).gone
    eventually("everything is gone", lambda: delete_launch(launch).gone)
    assert objects_of(launch) == []
    assert delete_launch(launch).gone


def test_service_and_autoscaler_go_with_their_deployment(
    control_plane: ControlPlane, namespace: str
) -> None:
    launch = launch_in(control_plane, namespace, overrides=AUTOSCALED)
    launch.create()

    launch.api.delete(launch.deployment_path)

    eventually("nothing survives the Deployment", lambda: not objects_of(launch))


def test_a_create_that_is_repeated_writes_nothing(
    control_plane: ControlPlane, namespace: str
) -> None:
    launch = launch_in(control_plane, namespace, overrides=AUTOSCALED)
    first = launch.create()
    before = launch.api.get(launch.deployment_path)["metadata"]["generation"]

    assert launch.create() == first
    assert launch.api.get(launch.deployment_path)["metadata"]["generation"] == before


def test_a_create_finishes_what_another_left_half_done(
    control_plane: ControlPlane, namespace: str
) -> None:
    launch = launch_in(control_plane, namespace, overrides=AUTOSCALED)
    first = launch.create()
    launch.api.delete(launch.autoscaler_path)
    launch.api.delete(launch.path("services", "api/v1"))

    assert launch.create().workload_uid == first.workload_uid
    assert launch.api.find(launch.autoscaler_path)
    assert launch.api.find(launch.path("services", "api/v1"))


def test_a_refusal_half_way_leaves_nothing_behind(
    control_plane: ControlPlane, namespace: str
) -> None:
    set_quota(control_plane.api, namespace, services="0")
    launch = launch_in(control_plane, namespace)

    with pytest.raises(Rejected) as caught:
        launch.create()

    assert caught.value.code == "QuotaExceeded"
    assert caught.value.left_behind == ()
    eventually("nothing is left", lambda: not objects_of(launch))


def test_a_refusal_half_way_takes_the_namespace_along_that_was_made_for_it(
    control_plane: ControlPlane,
) -> None:
    name = f"made-{uuid.uuid4().hex[:8]}"
    launch = launch_in(control_plane, name, creatable_namespace=name, service_type="NoSuchType")

    with pytest.raises(InvalidRequest) as caught:
        launch.create()

    assert "spec.type" in caught.value.fields
    eventually("the namespace goes", lambda: _is_going(control_plane.api, name))


def _is_going(api: Api, namespace: str) -> bool:
    found = api.find(f"/api/v1/namespaces/{namespace}")
    return found is None or "deletionTimestamp" in found["metadata"]


def test_a_namespace_that_may_be_made_is_made_and_said_to_be(
    control_plane: ControlPlane,
) -> None:
    name = f"made-{uuid.uuid4().hex[:8]}"
    launch = launch_in(control_plane, name, creatable_namespace=name)

    checks = preflight(launch)
    assert (checks[0].code, checks[0].result) == ("NamespaceToBeMade", Result.UNKNOWN)
    assert failed(checks) == {}
    assert control_plane.api.find(f"/api/v1/namespaces/{name}") is None

    launch.create()
    launch.wait_until_ready(1)
    made = control_plane.api.get(f"/api/v1/namespaces/{name}")
    assert made["metadata"]["labels"]["app.kubernetes.io/managed-by"] == "slipway"
    control_plane.api.delete(f"/api/v1/namespaces/{name}")


def test_another_cluster_at_the_address_gets_no_writes(
    control_plane: ControlPlane, namespace: str
) -> None:
    launch = launch_in(control_plane, namespace, uid=str(uuid.uuid4()))

    with pytest.raises(Rejected) as caught:
        launch.create()

    assert caught.value.code == "ClusterChanged"
    assert objects_of(launch) == []


def test_an_account_without_rights_is_told_so_and_reads_go_on(
    control_plane: ControlPlane, namespace: str
) -> None:
    launch = launch_in(control_plane, namespace)
    launch.create()
    launch.wait_until_ready(1)
    account: Manifest = {
        "apiVersion": "v1",
        "kind": "ServiceAccount",
        "metadata": {"name": "reader"},
    }
    control_plane.api.create(namespaced(namespace, "serviceaccounts"), account)
    path = control_plane.service_account_kubeconfig(namespace, "reader")
    launch.target = replace(
        launch.target, key="reader", connection=Connection(kubeconfig=str(path))
    )

    status = launch.get().status
    assert "Forbidden" in {note.reason for note in status.notes}
    assert status.phase is not Phase.DELETED
    with pytest.raises(Rejected) as caught:
        launch.update(launch.with_env(COLOUR="blue"))
    assert caught.value.code == "Forbidden"


def test_a_bad_token_is_refused_as_such(control_plane: ControlPlane, namespace: str) -> None:
    path = control_plane.token_kubeconfig("no-such-token", name="bad")
    launch = launch_in(control_plane, namespace, connection=Connection(kubeconfig=str(path)))
    launch.target = replace(launch.target, key="bad")

    for call in (launch.create, launch.get):
        with pytest.raises(Rejected) as caught:
            call()
        assert caught.value.code == "CredentialsRefused"


def test_an_object_that_was_removed_outside_is_not_made_again_by_a_read(
    control_plane: ControlPlane, namespace: str
) -> None:
    launch = launch_in(control_plane, namespace)
    launch.create()
    launch.api.delete(launch.deployment_path)

    eventually("removed", lambda: launch.get().status.reason == "RemovedOutside")

    assert launch.api.find(launch.deployment_path) is None


def test_a_list_and_a_live_read_say_the_same(control_plane: ControlPlane, namespace: str) -> None:
    good = launch_in(control_plane, namespace, overrides=AUTOSCALED)
    bad = launch_in(
        control_plane, namespace, spec=spec_with(engine={"env": {"SLIPWAY_SIMULATE": "crash"}})
    )
    for launch in (good, bad):
        launch.create()
    good.wait_until_ready(1)
    eventually("the crash is told", lambda: bad.get().status.reason == "CrashLoop")

    def told_alike() -> bool:
        """Compare them; what crashes may move on between the two looks."""
        listing = listing_of(control_plane, namespace, good, bad)
        ids = {found.deployment_id for found in listing.unmatched}
        assert not ids & {good.request.id, bad.request.id}
        return all(
            says(listing.observations[launch.request.id]) == says(launch.get())
            for launch in (good, bad)
        )

    eventually("the list says the same", told_alike)


def listing_of(plane: ControlPlane, namespace: str, *launches: Launch) -> Listing:
    target = target_for(plane, namespace)
    shared = door.read_shared(target, with_events_of=(namespace,), deadline=deadline_in(SECONDS))
    refs = [launch.ref for launch in launches]
    return provider.list(target, refs, shared, deadline=deadline_in(SECONDS))


def says(seen: Observation) -> object:
    return seen.status.phase, seen.status.reason, seen.endpoint, seen.workload_uid


def test_objects_that_match_no_record_are_named(
    control_plane: ControlPlane, namespace: str
) -> None:
    launch = launch_in(control_plane, namespace)
    launch.create()
    listing = listing_of(control_plane, namespace)

    found = {item.key.kind for item in listing.unmatched if item.deployment_id == launch.request.id}
    assert found == {"Deployment", "Service"}


def test_a_silent_cluster_is_unavailable_for_every_verb(
    control_plane: ControlPlane, namespace: str
) -> None:
    path = control_plane.layout.folder / "kubeconfigs" / "closed.kubeconfig"
    text = control_plane.kubeconfig.read_text().replace(control_plane.url, "https://127.0.0.1:1")
    path.write_text(text)
    launch = launch_in(control_plane, namespace, connection=Connection(kubeconfig=str(path)))
    launch.target = replace(launch.target, key="closed")

    for call in (
        launch.create,
        launch.get,
        lambda: preflight(launch),
        lambda: delete_launch(launch),
    ):
        with pytest.raises(Unavailable, match="connection refused"):
            call()

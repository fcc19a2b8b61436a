"""The life of a k8s-deployment on a real control plane, and what it says to what goes wrong."""

import uuid
from dataclasses import replace

import pytest

from providers.contract.checks import Check, Result
from providers.contract.errors import InvalidRequest, Rejected, Unavailable
from providers.contract.manifest import Manifest
from providers.contract.protocols import Deletion
from providers.contract.status import Phase
from providers.contract.target import Connection
from providers.kube.clock import deadline_in
from providers.kube.door import door
from providers.kubernetes.provider import provider
from providers.testing.samples import spec_with
from tests.cluster.harness.api import Api, namespaced
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.launching import Launch, eventually, launch_in, target_for

pytestmark = pytest.mark.usefixtures("cluster_nodes")

AUTOSCALED = {"enable_auto_scaling": True, "min_replicas": 1, "max_replicas": 3}


def preflight(launch: Launch) -> tuple[Check, ...]:
    return provider.preflight(
        launch.request, launch.target, capacity=None, deadline=deadline_in(4.5)
    )


def failed(checks: tuple[Check, ...]) -> dict[str, Check]:
    return {check.code: check for check in checks if check.result is Result.FAIL}


def quota(api: Api, namespace: str, **hard: str) -> None:
    spec = {"hard": {name.replace("__", "/"): text for name, text in hard.items()}}
    body: Manifest = {
        "apiVersion": "v1",
        "kind": "ResourceQuota",
        "metadata": {"name": "team"},
        "spec": spec,
    }
    path = namespaced(namespace, "resourcequotas")
    api.create(path, body)
    eventually("the quota counts", lambda: api.get(f"{path}/team").get("status", {}).get("used"))


def delete(launch: Launch) -> Deletion:
    return provider.delete(launch.ref, launch.target, deadline=deadline_in(3))


def objects_of(launch: Launch) -> list[str]:
    """Return the kinds of what carries the deployment's id."""
    selector = f"slipway.dev/id={launch.request.id}"
    kinds = {
        "deployments": "apis/apps/v1",
        "replicasets": "apis/apps/v1",
        "services": "api/v1",
        "pods": "api/v1",
        "horizontalpodautoscalers": "apis/autoscaling/v2",
    }
    return [
        plural
        for plural, api in kinds.items()
        if launch.api.get(
            namespaced(launch.request.namespace, plural, api=api), labelSelector=selector
        )["items"]
    ]


def test_a_launch_passes_its_preflight_runs_and_is_removed(
    control_plane: ControlPlane, namespace: str
) -> None:
    launch = launch_in(control_plane, namespace, overrides=AUTOSCALED)
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
    assert not delete(launch).gone
    eventually("everything is gone", lambda: delete(launch).gone)
    assert objects_of(launch) == []
    assert delete(launch).gone


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
    quota(control_plane.api, namespace, services="0")
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


def test_a_missing_namespace_is_refused_with_the_line_that_makes_it(
    control_plane: ControlPlane,
) -> None:
    launch = launch_in(control_plane, "nowhere-to-be-found")

    checks = failed(preflight(launch))

    assert list(checks) == ["NamespaceMissing"]
    assert "kubectl create namespace nowhere-to-be-found" in checks["NamespaceMissing"].message
    assert checks["NamespaceMissing"].field == "target.namespace"
    with pytest.raises(Rejected) as caught:
        launch.create()
    assert caught.value.code == "NamespaceMissing"


def _source(**more: object) -> dict[str, object]:
    return {"type": "huggingface", "uri": "Qwen/Qwen3-0.6B", **more}


def test_a_missing_secret_and_a_missing_key_fail_at_their_field(
    control_plane: ControlPlane, namespace: str
) -> None:
    spec = spec_with(model_source=_source(auth_secret_ref={"name": "hf", "key": "token"}))
    launch = launch_in(control_plane, namespace, spec=spec)
    assert "SecretMissing" in failed(preflight(launch))

    secret = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "hf"}}
    path = namespaced(namespace, "secrets")
    control_plane.api.create(path, {**secret, "stringData": {"other": "x"}})
    wrong = failed(preflight(launch))["SecretKeyMissing"]
    assert wrong.message == "secret hf has no key token"
    assert wrong.field == "spec.model_source.auth_secret_ref"

    control_plane.api.merge(f"{path}/hf", {"stringData": {"token": "x"}})
    assert failed(preflight(launch)) == {}


def test_a_missing_claim_account_and_pull_secret_are_told(
    control_plane: ControlPlane, namespace: str
) -> None:
    spec = spec_with(model_source=_source(cache={"claim": "models", "mount_path": "/models"}))
    launch = launch_in(
        control_plane,
        namespace,
        spec=spec,
        service_account="nobody",
        image_pull_secrets=("registry",),
    )

    checks = preflight(launch)

    assert {"VolumeClaimMissing", "ServiceAccountMissing"} <= set(failed(checks))
    pull = next(check for check in checks if check.code == "PullSecretMissing")
    assert pull.result is Result.WARN


def test_a_quota_without_room_fails_before_anything_is_made(
    control_plane: ControlPlane, namespace: str
) -> None:
    quota(control_plane.api, namespace, pods="1")
    launch = launch_in(control_plane, namespace, overrides={"min_replicas": 2})

    checks = preflight(launch)

    assert failed(checks)["QuotaExceeded"].field == "overrides.min_replicas"
    assert objects_of(launch) == []


def test_a_pod_that_no_quota_admits_is_found_by_trying_one(
    control_plane: ControlPlane, namespace: str
) -> None:
    quota(control_plane.api, namespace, **{"limits.memory": "1Gi"})
    launch = launch_in(control_plane, namespace)

    said = failed(preflight(launch))["QuotaExceeded"].message

    assert "must specify limits.memory" in said


def test_what_runs_already_makes_a_full_quota_a_warning(
    control_plane: ControlPlane, namespace: str
) -> None:
    launch = launch_in(control_plane, namespace)
    launch.create()
    launch.wait_until_ready(1)
    quota(control_plane.api, namespace, pods="1")

    checks = preflight(launch)

    assert failed(checks) == {}
    assert "QuotaExceeded" in {c.code for c in checks if c.result is Result.WARN}


def test_what_the_api_server_refuses_is_a_failed_check_in_its_own_words(
    control_plane: ControlPlane, namespace: str
) -> None:
    launch = launch_in(control_plane, namespace, service_type="NoSuchType")

    check = failed(preflight(launch))["RefusedByCluster"]

    assert check.field == "spec.type"
    assert 'Unsupported value: "NoSuchType"' in check.message


def test_a_name_that_is_taken_by_somebody_else_is_not_taken_over(
    control_plane: ControlPlane, namespace: str
) -> None:
    launch = launch_in(control_plane, namespace)
    body: Manifest = {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": launch.request.runtime_name},
        "spec": {"ports": [{"port": 80}]},
    }
    control_plane.api.create(namespaced(namespace, "services"), body)

    assert "NameTaken" in failed(preflight(launch))
    with pytest.raises(Rejected) as caught:
        launch.create()

    assert caught.value.code == "NameTaken"
    assert objects_of(launch) == []


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

    target = target_for(control_plane, namespace)
    shared = door.read_shared(target, with_events_of=(namespace,), deadline=deadline_in(9))
    listing = provider.list(target, [good.ref, bad.ref], shared, deadline=deadline_in(9))

    for launch in (good, bad):
        listed, live = listing.observations[launch.request.id], launch.get()
        assert (listed.status.phase, listed.status.reason) == (
            live.status.phase,
            live.status.reason,
        )
        assert (listed.endpoint, listed.workload_uid) == (live.endpoint, live.workload_uid)
    ids = {found.deployment_id for found in listing.unmatched}
    assert not ids & {good.request.id, bad.request.id}


def test_objects_that_match_no_record_are_named(
    control_plane: ControlPlane, namespace: str
) -> None:
    launch = launch_in(control_plane, namespace)
    launch.create()
    shared = door.read_shared(launch.target, with_events_of=(), deadline=deadline_in(9))

    listing = provider.list(launch.target, [], shared, deadline=deadline_in(9))

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

    for call in (launch.create, launch.get, lambda: preflight(launch), lambda: delete(launch)):
        with pytest.raises(Unavailable, match="connection refused"):
            call()

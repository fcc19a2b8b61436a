"""What a preflight says on a real control plane, before anything is made."""

import pytest

from providers.contract.checks import Result
from providers.contract.errors import Rejected
from providers.contract.manifest import Manifest
from providers.testing.samples import spec_with
from tests.cluster.harness.api import namespaced
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.launching import failed, launch_in, objects_of, preflight, set_quota

pytestmark = pytest.mark.usefixtures("cluster_nodes")


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
    set_quota(control_plane.api, namespace, pods="1")
    launch = launch_in(control_plane, namespace, overrides={"min_replicas": 2})

    checks = preflight(launch)

    assert failed(checks)["QuotaExceeded"].field == "overrides.min_replicas"
    assert objects_of(launch) == []


def test_a_pod_that_no_quota_admits_is_found_by_trying_one(
    control_plane: ControlPlane, namespace: str
) -> None:
    set_quota(control_plane.api, namespace, **{"limits.memory": "1Gi"})
    launch = launch_in(control_plane, namespace)

    said = failed(preflight(launch))["QuotaExceeded"].message

    assert "must specify limits.memory" in said


def test_what_runs_already_makes_a_full_quota_a_warning(
    control_plane: ControlPlane, namespace: str
) -> None:
    set_quota(control_plane.api, namespace, pods="1")
    launch = launch_in(control_plane, namespace)
    launch.create()
    launch.wait_until_ready(1)

    checks = preflight(launch)

    assert failed(checks) == {}
    assert "QuotaExceeded" in {c.code for c in checks if c.result is Result.WARN}


def test_what_counts_under_a_quota_already_is_not_asked_for_twice(
    control_plane: ControlPlane, namespace: str
) -> None:
    set_quota(control_plane.api, namespace, pods="3")
    launch = launch_in(control_plane, namespace, overrides={"min_replicas": 2})
    launch.create()
    launch.wait_until_ready(2)

    launch.request = launch.rescaled(min_replicas=3)
    fitting = preflight(launch)
    launch.request = launch.rescaled(min_replicas=4)
    greedy = failed(preflight(launch))

    assert "QuotaExceeded" not in {check.code for check in fitting}
    assert greedy["QuotaExceeded"].field == "overrides.min_replicas"


def test_an_autoscaler_that_would_end_replicas_is_a_warning(
    control_plane: ControlPlane, namespace: str
) -> None:
    launch = launch_in(control_plane, namespace, overrides={"min_replicas": 3})
    launch.create()
    launch.request = launch.rescaled(enable_auto_scaling=True, min_replicas=1, max_replicas=2)

    check = next(c for c in preflight(launch) if c.code == "AutoscalerEndsReplicas")

    assert check.result is Result.WARN
    assert "3 replicas run now; the autoscaler will end all but 2" in check.message


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

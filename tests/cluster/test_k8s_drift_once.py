"""What others added and changed on a real control plane is put back by one write."""

import pytest

from providers.carrying import restoring
from providers.contract.drifting import DriftKind
from providers.contract.errors import Unavailable
from providers.contract.manifest import Manifest
from tests.cluster.drifting import drift_of, is_clean, kubectl, named, only, put_back, running
from tests.cluster.harness.api import namespaced
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.launching import Launch, eventually

pytestmark = pytest.mark.usefixtures("cluster_nodes")

REPLICA_SETS = "replicasets"
STRATEGIC = "application/strategic-merge-patch+json"


def replica_sets(launch: Launch) -> set[str]:
    path = namespaced(launch.request.namespace, REPLICA_SETS, api="apis/apps/v1")
    return {item["metadata"]["name"] for item in launch.api.get(path)["items"]}


def live(launch: Launch) -> Manifest:
    return launch.api.get(launch.deployment_path)


def meddle(launch: Launch) -> None:
    """Change the pods in every way at once: values, an entry of a list, a field, a whole list."""
    source = {"fieldRef": {"fieldPath": "metadata.name"}}
    variables = [
        {"name": "COLOUR", "value": None, "valueFrom": source},
        {"name": "EXTRA", "value": "1"},
    ]
    container = {
        "name": "engine",
        "image": "docker.io/other:1",
        "env": variables,
        "volumeMounts": [{"name": "mine", "mountPath": "/mine"}],
    }
    pod = {
        "containers": [container, {"name": "sidecar", "image": "docker.io/side:1"}],
        "volumes": [{"name": "mine", "emptyDir": {}}],
        "hostAliases": [{"ip": "10.0.0.1", "hostnames": ["a"]}],
        "nodeSelector": {"pool": "theirs"},
    }
    patch: Manifest = {"spec": {"minReadySeconds": 1, "template": {"spec": pod}}}
    launch.api.ask("PATCH", launch.deployment_path, patch, STRATEGIC, fieldManager="kubectl-patch")


def test_pods_are_replaced_once_though_fields_were_added_and_changed(
    control_plane: ControlPlane, namespace: str
) -> None:
    launch = running(control_plane, namespace)
    ours, spec = replica_sets(launch), live(launch)["spec"]
    meddle(launch)
    eventually("their pods are asked for", lambda: len(replica_sets(launch)) == 2)
    before, changed = replica_sets(launch), live(launch)["metadata"]["generation"]

    put_back(launch)

    assert live(launch)["spec"] == spec
    assert live(launch)["metadata"]["generation"] == changed + 1
    assert is_clean(launch)
    launch.wait_until_ready(1)
    assert replica_sets(launch) == before
    (kept,) = ours
    path = namespaced(launch.request.namespace, REPLICA_SETS, kept, api="apis/apps/v1")
    eventually("ours runs again", lambda: launch.api.get(path)["status"].get("readyReplicas") == 1)


def test_what_was_put_back_leaves_no_holder_beside_us(
    control_plane: ControlPlane, namespace: str
) -> None:
    launch = running(control_plane, namespace)
    before = held(launch)
    meddle(launch)

    put_back(launch)

    assert held(launch) == before


def held(launch: Launch) -> dict[str, object]:
    """Return who holds what of the spec."""
    entries = live(launch)["metadata"]["managedFields"]
    return {
        f"{one['manager']} {one['operation']}": one["fieldsV1"]["f:spec"]
        for one in entries
        if "f:spec" in one["fieldsV1"]
    }


def test_what_was_broken_off_in_between_is_told_as_before_and_put_back(
    control_plane: ControlPlane, namespace: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    launch = running(control_plane, namespace)
    kubectl(control_plane, launch, "set", "env", named(launch), "EXTRA=1")
    before = only(launch)

    def silent(*_: object, **__: object) -> None:
        raise Unavailable("no answer")

    with monkeypatch.context() as broken:
        broken.setattr(restoring, "apply_object", silent)
        with pytest.raises(Unavailable):
            put_back(launch)

    found = only(launch)
    assert (found.kind, found.fingerprint) == (DriftKind.ADDED, before.fingerprint)
    put_back(launch)
    assert is_clean(launch)


def test_where_nobody_holds_anything_what_was_added_goes_too(
    control_plane: ControlPlane, namespace: str
) -> None:
    launch = running(control_plane, namespace)
    spec = live(launch)["spec"]
    kubectl(control_plane, launch, "set", "env", named(launch), "EXTRA=1", "COLOUR=blue")
    launch.api.merge(launch.deployment_path, {"metadata": {"managedFields": [{}]}})
    assert {field.holder.who for field in drift_of(launch).fields} == {"unknown manager"}

    put_back(launch)

    assert live(launch)["spec"] == spec
    assert is_clean(launch)

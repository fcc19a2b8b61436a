"""What others change on a real control plane, by kubectl and as tools do: told and put back."""

from pathlib import Path

import pytest

from providers.contract.drifting import Drift, DriftKind
from providers.contract.errors import Rejected
from providers.contract.manifest import Manifest
from providers.kube.clock import deadline_in
from providers.kubernetes.provider import provider
from tests.cluster.drifting import (
    AUTOSCALED,
    CONTAINER,
    drift_of,
    is_clean,
    kubectl,
    manifests_of,
    named,
    only,
    put_back,
    running,
)
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.launching import SECONDS, eventually

pytestmark = pytest.mark.usefixtures("cluster_nodes")


@pytest.mark.parametrize("overrides", [{"min_replicas": 2}, AUTOSCALED])
def test_what_only_we_and_the_cluster_wrote_has_not_drifted(
    control_plane: ControlPlane, namespace: str, overrides: dict[str, object]
) -> None:
    launch = running(control_plane, namespace, **overrides)

    assert drift_of(launch) == Drift()


def test_kubectl_set_image_is_told_and_put_back(
    control_plane: ControlPlane, namespace: str
) -> None:
    launch = running(control_plane, namespace)

    kubectl(control_plane, launch, "set", "image", named(launch), "engine=docker.io/other:1")

    found = only(launch)
    assert (found.path, found.theirs) == (f"{CONTAINER}.image", "docker.io/other:1")
    assert found.holder.who == "somebody with kubectl set"
    assert found.restarts
    assert found.expressed_by.startswith("engine.image")
    put_back(launch)
    assert is_clean(launch)
    launch.wait_until_ready(1)


def test_kubectl_edit_of_many_fields_at_once_is_told_field_by_field_and_put_back(
    control_plane: ControlPlane, namespace: str, tmp_path: Path
) -> None:
    launch = running(control_plane, namespace)
    editor = tmp_path / "editor.sh"
    editor.write_text(
        "#!/bin/sh\n"
        "sed -i -e 's/value: red/value: blue/'"
        " -e 's/^\\( *\\)env:$/\\1env:\\n\\1- name: HF_TOKEN\\n\\1  value: hf_verysecret/'"
        " -e '/enableServiceLinks/d' -e '/progressDeadlineSeconds/s/[0-9]*$/77/' \"$1\"\n"
    )
    editor.chmod(0o755)

    kubectl(control_plane, launch, "edit", named(launch), KUBE_EDITOR=str(editor))

    found = {field.path: field for field in drift_of(launch).fields}
    assert set(found) == {
        f"{CONTAINER}.env[name=COLOUR].value",
        f"{CONTAINER}.env[name=HF_TOKEN]",
        "spec.progressDeadlineSeconds",
        "spec.template.spec.enableServiceLinks",
    }
    token = found[f"{CONTAINER}.env[name=HF_TOKEN]"]
    assert (token.kind, token.ours) == (DriftKind.ADDED, "")
    assert "verysecret" not in token.theirs
    taken = found.pop("spec.template.spec.enableServiceLinks")
    assert (taken.kind, taken.holder.who) == (DriftKind.REMOVED, "unknown manager")
    assert {field.holder.who for field in found.values()} == {"somebody with kubectl edit"}
    assert all(field.holder.at for field in found.values())
    put_back(launch)
    assert is_clean(launch)
    launch.wait_until_ready(1)


def test_kubectl_annotate_and_label_of_ours_is_told_and_of_others_is_not(
    control_plane: ControlPlane, namespace: str
) -> None:
    launch = running(control_plane, namespace)

    kubectl(control_plane, launch, "annotate", named(launch), "team=a", "--overwrite")
    assert is_clean(launch)
    kubectl(
        control_plane,
        launch,
        "annotate",
        named(launch),
        "slipway.dev/display-name=x",
        "--overwrite",
    )
    kubectl(control_plane, launch, "label", named(launch), "app.kubernetes.io/managed-by-")

    found = {field.path: field for field in drift_of(launch).fields}
    label = found["metadata.labels[app.kubernetes.io/managed-by]"]
    annotation = found["metadata.annotations[slipway.dev/display-name]"]
    assert (label.kind, annotation.kind) == (DriftKind.REMOVED, DriftKind.CHANGED)
    assert (annotation.ours, annotation.theirs) == ("demo", "x")
    assert annotation.holder.who == "somebody with kubectl annotate"
    put_back(launch)
    assert is_clean(launch)
    kept = launch.api.get(launch.deployment_path)["metadata"]["annotations"]
    assert kept["team"] == "a"


def test_a_restart_and_a_pause_by_hand_are_told_as_added(
    control_plane: ControlPlane, namespace: str
) -> None:
    launch = running(control_plane, namespace)

    kubectl(control_plane, launch, "rollout", "restart", named(launch))
    kubectl(control_plane, launch, "rollout", "pause", named(launch))

    found = {field.path: field for field in drift_of(launch).fields}
    assert found["spec.paused"].theirs == "true"
    assert {field.kind for field in found.values()} == {DriftKind.ADDED}
    assert {field.holder.who for field in found.values()} == {"somebody with kubectl rollout"}
    put_back(launch)
    assert is_clean(launch)


def test_a_service_that_is_gone_comes_back_owned_by_the_deployment(
    control_plane: ControlPlane, namespace: str
) -> None:
    launch = running(control_plane, namespace)
    path = launch.path("services", "api/v1")

    kubectl(control_plane, launch, "delete", "service", launch.request.runtime_name)

    found = only(launch)
    assert (found.kind, found.key.kind) == (DriftKind.GONE, "Service")
    put_back(launch)
    (owner,) = launch.api.get(path)["metadata"]["ownerReferences"]
    assert owner["uid"] == launch.ref.workload_uid
    assert is_clean(launch)


def test_a_tool_that_applies_with_force_is_named_as_one_that_writes_again(
    control_plane: ControlPlane, namespace: str
) -> None:
    launch = running(control_plane, namespace)
    name = launch.request.runtime_name
    body: Manifest = {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {
            "name": name,
            "annotations": {"argocd.argoproj.io/tracking-id": "shop:apps/Deployment:x/y"},
        },
        "spec": {"progressDeadlineSeconds": 99},
    }
    launch.api.apply(launch.deployment_path, body, manager="argocd-controller")

    found = drift_of(launch)
    (field,) = found.fields
    assert (field.path, field.theirs) == ("spec.progressDeadlineSeconds", "99")
    assert (field.holder.who, field.holder.operation) == ("Argo CD", "Apply")
    assert [(one.name, one.writes_again) for one in found.co_managers] == [("Argo CD", True)]
    put_back(launch)
    assert is_clean(launch)


def test_a_variable_that_was_turned_into_another_kind_is_put_back(
    control_plane: ControlPlane, namespace: str
) -> None:
    launch = running(control_plane, namespace)
    source = {"fieldRef": {"fieldPath": "metadata.name"}}
    container = {"name": "engine", "env": [{"name": "COLOUR", "value": None, "valueFrom": source}]}
    patch: Manifest = {"spec": {"template": {"spec": {"containers": [container]}}}}
    launch.api.ask(
        "PATCH",
        launch.deployment_path,
        patch,
        "application/strategic-merge-patch+json",
        fieldManager="kubectl-patch",
    )
    paths = {field.path for field in drift_of(launch).fields}
    assert paths == {
        f"{CONTAINER}.env[name=COLOUR].value",
        f"{CONTAINER}.env[name=COLOUR].valueFrom",
    }

    put_back(launch)

    assert is_clean(launch)


def test_what_changed_since_somebody_looked_is_not_overwritten(
    control_plane: ControlPlane, namespace: str
) -> None:
    launch = running(control_plane, namespace)
    kubectl(control_plane, launch, "set", "env", named(launch), "COLOUR=blue")
    seen = {field.fingerprint for field in drift_of(launch).fields}
    kubectl(control_plane, launch, "set", "env", named(launch), "COLOUR=green")

    with pytest.raises(Rejected) as refused:
        provider.put_back(
            manifests_of(launch),
            launch.ref,
            launch.target,
            seen=seen,
            deadline=deadline_in(SECONDS),
        )

    assert refused.value.code == "DriftChanged"
    assert only(launch).theirs == "green"


def test_once_put_back_the_note_of_the_status_is_gone_too(
    control_plane: ControlPlane, namespace: str
) -> None:
    launch = running(control_plane, namespace)
    kubectl(control_plane, launch, "set", "env", named(launch), "COLOUR=blue")
    eventually(
        "the note is there",
        lambda: "ChangedOutside" in {note.reason for note in launch.get().status.notes},
    )

    put_back(launch)

    eventually(
        "the note is gone",
        lambda: "ChangedOutside" not in {note.reason for note in launch.get().status.notes},
    )


def test_a_service_that_no_longer_goes_with_its_workload_is_told_and_put_back(
    control_plane: ControlPlane, namespace: str
) -> None:
    launch = running(control_plane, namespace)
    service = f"service/{launch.request.runtime_name}"

    kubectl(
        control_plane,
        launch,
        "patch",
        service,
        "--type=merge",
        '--patch={"metadata": {"ownerReferences": null}}',
    )

    found = only(launch)
    assert (found.key.kind, found.path) == ("Service", "metadata.ownerReferences")
    assert found.ours == f"Deployment {launch.request.runtime_name}"
    put_back(launch)
    assert is_clean(launch)

"""What others change on a real control plane, by kubectl and as tools do: told and put back."""

import os
import subprocess
from pathlib import Path

import pytest

from providers.contract.drifting import Drift, DriftedField, DriftKind, PutBack
from providers.contract.errors import Rejected
from providers.contract.manifest import Manifest
from providers.kube.clock import deadline_in
from providers.kubernetes.provider import provider
from providers.testing.samples import spec_with
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.launching import Launch, Sampler, eventually, launch_in, linger

pytestmark = pytest.mark.usefixtures("cluster_nodes")

AUTOSCALED = {"enable_auto_scaling": True, "min_replicas": 2, "max_replicas": 4}
CONTAINER = "spec.template.spec.containers[name=engine]"
SPEC = spec_with(engine={"env": {"COLOUR": "red"}}, resources={"cpu": "1000m", "memory": "1024Mi"})


def running(plane: ControlPlane, namespace: str, **overrides: object) -> Launch:
    launch = launch_in(plane, namespace, spec=SPEC, overrides=overrides)
    launch.create()
    launch.wait_until_ready(launch.request.scaling.min_replicas)
    return launch


def kubectl(plane: ControlPlane, launch: Launch, *arguments: str, **env: str) -> None:
    where = (f"--kubeconfig={plane.kubeconfig}", "-n", launch.request.namespace)
    done = subprocess.run(
        [plane.kubectl, *where, *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={**os.environ, **env},
    )
    assert done.returncode == 0, done.stderr


def named(launch: Launch) -> str:
    return f"deployment/{launch.request.runtime_name}"


def manifests_of(launch: Launch) -> tuple[Manifest, ...]:
    return provider.render(launch.request, launch.target)


def drift_of(launch: Launch) -> Drift:
    return provider.drift(
        manifests_of(launch), launch.ref, launch.target, deadline=deadline_in(5.0)
    )


def only(launch: Launch) -> DriftedField:
    (found,) = drift_of(launch).fields
    return found


def put_back(launch: Launch) -> PutBack:
    return provider.put_back(
        manifests_of(launch),
        launch.ref,
        launch.target,
        seen={field.fingerprint for field in drift_of(launch).fields},
        deadline=deadline_in(5.0),
    )


def is_clean(launch: Launch) -> bool:
    return not drift_of(launch).fields


@pytest.mark.parametrize("overrides", [{"min_replicas": 2}, AUTOSCALED])
def test_what_only_we_and_the_cluster_wrote_has_not_drifted(
    control_plane: ControlPlane, namespace: str, overrides: dict[str, object]
) -> None:
    launch = running(control_plane, namespace, **overrides)

    assert drift_of(launch) == Drift()


def test_kubectl_scale_is_told_and_put_back_without_a_restart(
    control_plane: ControlPlane, namespace: str
) -> None:
    launch = running(control_plane, namespace, min_replicas=2)

    kubectl(control_plane, launch, "scale", named(launch), "--replicas=3")

    found = only(launch)
    assert (found.path, found.ours, found.theirs) == ("spec.replicas", "2", "3")
    assert (found.holder.who, found.holder.subresource) == ("somebody with kubectl scale", "scale")
    assert found.holder.at is None  # writes through scale bear no time
    assert (found.overrides, found.restarts) == ({"min_replicas": 3}, False)
    template = launch.api.get(launch.deployment_path)["spec"]["template"]
    assert put_back(launch).fields == (found,)
    launch.wait_until_ready(2)
    assert launch.api.get(launch.deployment_path)["spec"]["template"] == template
    assert is_clean(launch)


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


def test_an_autoscaler_that_scales_has_changed_nothing(
    control_plane: ControlPlane, namespace: str
) -> None:
    launch = running(control_plane, namespace, **AUTOSCALED)
    body = {"spec": {"replicas": 3}}
    scale = f"{launch.deployment_path}/scale"
    launch.api.merge(scale, body, fieldManager="kube-controller-manager")
    launch.wait_until_ready(3)

    assert drift_of(launch) == Drift()


def test_bounds_of_the_autoscaler_are_put_back_and_its_number_is_left_alone(
    control_plane: ControlPlane, namespace: str
) -> None:
    launch = running(control_plane, namespace, **AUTOSCALED)
    launch.api.merge(f"{launch.deployment_path}/scale", {"spec": {"replicas": 3}})
    launch.wait_until_ready(3)
    patch = '{"spec":{"maxReplicas":9}}'
    kubectl(control_plane, launch, "patch", "hpa", launch.request.runtime_name, "-p", patch)
    kubectl(control_plane, launch, "set", "env", named(launch), "COLOUR=blue")

    found = {field.path: field for field in drift_of(launch).fields}
    assert set(found) == {"spec.maxReplicas", f"{CONTAINER}.env[name=COLOUR].value"}
    assert found["spec.maxReplicas"].overrides == {"max_replicas": 9}
    with Sampler(launch=launch) as sampler:
        put_back(launch)
        linger(sampler)

    assert (sampler.fewest_wanted, sampler.most_wanted) == (3, 3)
    assert is_clean(launch)


def test_an_autoscaler_of_somebody_else_is_named_and_never_fought(
    control_plane: ControlPlane, namespace: str
) -> None:
    launch = running(control_plane, namespace, min_replicas=2)
    kubectl(control_plane, launch, "autoscale", named(launch), "--min=3", "--max=5", "--name=mine")
    launch.wait_until_ready(3)
    kubectl(control_plane, launch, "set", "env", named(launch), "COLOUR=blue")

    found = drift_of(launch)
    replicas = next(field for field in found.fields if field.path == "spec.replicas")
    assert "HorizontalPodAutoscaler mine" in replicas.obstacle
    assert "HorizontalPodAutoscaler mine" in {one.name for one in found.co_managers}
    with Sampler(launch=launch) as sampler:
        done = put_back(launch)
        linger(sampler)

    assert [field.path for field in done.left] == ["spec.replicas"]
    assert (sampler.fewest_wanted, sampler.most_wanted) == (3, 3)
    assert only(launch).path == "spec.replicas"


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
            manifests_of(launch), launch.ref, launch.target, seen=seen, deadline=deadline_in(5.0)
        )

    assert refused.value.code == "DriftChanged"
    assert only(launch).theirs == "green"


def test_once_put_back_the_note_of_the_status_is_gone_too(
    control_plane: ControlPlane, namespace: str
) -> None:
    launch = running(control_plane, namespace)
    kubectl(control_plane, launch, "set", "env", named(launch), "COLOUR=blue")
    assert "ChangedOutside" in {note.reason for note in launch.get().status.notes}

    put_back(launch)

    eventually(
        "the note is gone",
        lambda: "ChangedOutside" not in {note.reason for note in launch.get().status.notes},
    )

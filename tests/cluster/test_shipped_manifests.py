"""The manifests of deploy/ applied to a real control plane, and a console with what they grant."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from pytest_django import Settings

from console.environment import KubernetesEnvironment
from deployments.models import Cluster, Deployment
from deployments.services.clusters import synchronise_default_cluster
from deployments.services.deleting import delete_deployment
from deployments.services.launching import create_deployment
from deployments.services.orders import LaunchOrder
from deployments.services.reading import read_deployment
from deployments.services.refreshing import refresh_cluster
from providers import registry
from providers.contract.manifest import Manifest
from providers.contract.yaml_text import load_all
from tests.cluster.harness.api import namespaced
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.namespaces import remove_namespace, wait_for_account
from tests.cluster.shipped import (
    DEPLOY,
    RBAC_PATH,
    apply_shipped,
    kubectl,
    rights_in,
    wait_for_right,
)
from tests.cluster.waiting import wait_for

HOME = "slipway"
DEPLOYMENTS = ("slipway-web", "slipway-worker", "slipway-beat")

pytestmark = pytest.mark.usefixtures("cluster_nodes")


@pytest.fixture(scope="module")
def shipped(control_plane: ControlPlane) -> Iterator[ControlPlane]:
    """Apply the cluster-wide variant, with the Secret that it refers to."""
    apply_shipped(control_plane, "cluster-wide")
    keys = {"secret-key": "k" * 50, "database-url": "postgres://db/x", "redis-url": "redis://r/0"}
    control_plane.api.create(
        namespaced(HOME, "secrets"), {"metadata": {"name": "slipway"}, "stringData": keys}
    )
    wait_for_account(control_plane.api, HOME)
    wait_for_right(control_plane, HOME, "slipway", rights_in("cluster-wide")[-1])
    yield control_plane
    remove_namespace(control_plane.api, HOME)
    # Another process may hand more of these tests over, which begin with it.
    home = f"/api/v1/namespaces/{HOME}"
    wait_for(lambda: control_plane.api.find(home) is None, 120.0, f"{HOME} is gone")
    for plural in ("clusterrolebindings", "clusterroles"):
        control_plane.api.delete(f"{RBAC_PATH}/{plural}/slipway")


@pytest.fixture
def _console_of_the_account(
    settings: Settings, shipped: ControlPlane, namespace: str, unhurried: None
) -> Iterator[None]:
    kubeconfig = shipped.service_account_kubeconfig(HOME, "slipway")
    settings.K8S = KubernetesEnvironment(kubeconfig=str(kubeconfig), namespace=namespace)
    settings.SLIPWAY_PROVIDERS = ["providers.kubernetes"]
    registry.forget()
    synchronise_default_cluster()
    yield
    registry.forget()


def pods_of(plane: ControlPlane, component: str) -> list[Manifest]:
    found: list[Manifest] = plane.api.get(
        namespaced(HOME, "pods"), labelSelector=f"app.kubernetes.io/component={component}"
    )["items"]
    return found


@pytest.mark.parametrize("name", DEPLOYMENTS)
def test_every_process_is_admitted_where_only_restricted_pods_are(
    shipped: ControlPlane, name: str
) -> None:
    path = namespaced(HOME, "deployments", name, api="apis/apps/v1")

    def full() -> bool:
        seen = shipped.api.get(path)
        return bool(seen["status"].get("availableReplicas", 0) == seen["spec"]["replicas"])

    wait_for(full, 90.0, f"{name} is available")


def test_a_pod_that_asks_for_more_is_refused_there(shipped: ControlPlane) -> None:
    pod = {"metadata": {"name": "root"}, "spec": {"containers": [{"name": "c", "image": "x"}]}}
    answer = shipped.api.ask("POST", namespaced(HOME, "pods"), pod)
    assert answer.status == 403
    assert "violates PodSecurity" in answer.text


@pytest.mark.parametrize(
    ("component", "tokens"), [("web", True), ("worker", True), ("beat", False)]
)
def test_only_those_that_speak_to_the_cluster_are_given_a_token(
    shipped: ControlPlane, component: str, *, tokens: bool
) -> None:
    pod = wait_for(lambda: pods_of(shipped, component), 90.0, f"a pod of {component}")[0]
    given = [v for v in pod["spec"]["volumes"] if v["name"].startswith("kube-api-access")]
    assert bool(given) is tokens


def test_applied_again_nothing_changes(shipped: ControlPlane) -> None:
    path = namespaced(HOME, "deployments", "slipway-web", api="apis/apps/v1")
    before = shipped.api.get(path)["metadata"]["generation"]
    apply_shipped(shipped, "cluster-wide")
    assert shipped.api.get(path)["metadata"]["generation"] == before


@pytest.mark.parametrize("folder", ["tenant", "sensitive"])
def test_what_a_namespace_grants_is_applied_to_any_namespace(
    shipped: ControlPlane, namespace: str, folder: str
) -> None:
    apply_shipped(shipped, folder, "-n", namespace)
    bindings = shipped.api.get(f"{RBAC_PATH}/namespaces/{namespace}/rolebindings")["items"]
    subject = {"kind": "ServiceAccount", "name": "slipway", "namespace": HOME}
    assert [binding["subjects"] for binding in bindings] == [[subject]] * len(bindings)
    assert bindings


@pytest.mark.parametrize(
    ("beside", "processes"),
    [("", 3), ("components: [../slipway/deploy/watching]\n", 4)],
    ids=["alone", "with a watcher"],
)
def test_an_overlay_as_documented_sets_image_and_host(
    control_plane: ControlPlane, tmp_path: Path, beside: str, processes: int
) -> None:
    text = (DEPLOY.parent / "docs" / "operations.md").read_text()
    overlay = text.split("# kustomization.yaml\n")[1].split("```")[0]
    folder = tmp_path / "overlay"
    folder.mkdir()
    (tmp_path / "slipway").symlink_to(DEPLOY.parent)
    (folder / "kustomization.yaml").write_text(overlay + beside)

    built: tuple[Any, ...] = load_all(kubectl(control_plane, "kustomize", str(folder)))

    (settings,) = [each for each in built if each["kind"] == "ConfigMap"]
    assert settings["data"]["SLIPWAY_HOSTS"] == "slipway.your.domain"
    assert settings["data"]["SLIPWAY_HTTPS"] == "1"
    workloads = [each["spec"]["template"]["spec"] for each in built if each["kind"] == "Deployment"]
    assert len(workloads) == processes
    containers = [c for spec in workloads for c in spec["initContainers"] + spec["containers"]]
    assert {c["image"] for c in containers} == {"your.registry/slipway:0.1.0"}
    assert {c["envFrom"][0]["configMapRef"]["name"] for c in containers} == {
        settings["metadata"]["name"]
    }


@pytest.mark.django_db
@pytest.mark.usefixtures("_console_of_the_account")
def test_a_console_with_the_shipped_account_launches_reads_and_removes(order: LaunchOrder) -> None:
    owner = User.objects.create_superuser("olga")
    deployment = create_deployment(order, user=owner)
    wait_for(
        lambda: read_deployment(Deployment.objects.get()).status.phase == "Ready", 90.0, "Ready"
    )

    report = refresh_cluster(Cluster.objects.get())

    assert (report.error, report.problems, report.deployments) == ("", (), 1)
    assert Cluster.objects.get().uid != ""
    delete_deployment(deployment, user=owner)
    wait_for(lambda: read_deployment(Deployment.objects.get()).deployment.is_closed, 90.0, "closed")

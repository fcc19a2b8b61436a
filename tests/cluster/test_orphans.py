"""What runs without a record, on a real control plane: found, adopted untouched, removed by uid."""

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User

from deployments.models import Cluster, Deployment, Orphan
from deployments.services.adoptable import plan_adoption
from deployments.services.adopting import adopt_orphans
from deployments.services.launching import create_deployment
from deployments.services.orders import read_order
from deployments.services.orphan_groups import group_keys, orphan_groups
from deployments.services.reading import read_deployment
from deployments.services.reclaiming import remove_orphans
from deployments.services.refreshing import refresh_cluster
from providers.contract.manifest import Manifest
from templates_app.models import ModelDeploymentTemplate
from tests.cluster.harness.api import namespaced
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.waiting import wait_for
from tests.orphaned import forget_record, without_grace

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("cluster_nodes", "console_here")]

APPS, SCALING = "apis/apps/v1", "apis/autoscaling/v2"
AUTOSCALED = {"min_replicas": 1, "max_replicas": 3, "enable_auto_scaling": True}
KINDS = {
    "deployments": APPS,
    "replicasets": APPS,
    "services": "api/v1",
    "pods": "api/v1",
    "horizontalpodautoscalers": SCALING,
}

Read = Callable[[str], list[Manifest]]


@pytest.fixture
def admin(db: None) -> User:
    return User.objects.create_superuser("ada")


@pytest.fixture
def cluster(db: None) -> Cluster:
    return Cluster.objects.get()


@pytest.fixture
def read(control_plane: ControlPlane, namespace: str) -> Read:
    """Return the objects of a plural that stand in the namespace."""

    def run(plural: str) -> list[Manifest]:
        items: list[Manifest] = control_plane.api.get(
            namespaced(namespace, plural, api=KINDS[plural])
        )["items"]
        return items

    return run


@pytest.fixture
def launched(admin: User, mock_template: ModelDeploymentTemplate) -> Deployment:
    """Return an autoscaled deployment that is Ready, launched by olga."""
    order = {
        "name": "Demo",
        "template": {"template_id": str(mock_template.pk)},
        "overrides": AUTOSCALED,
    }
    olga = User.objects.create_superuser("olga")
    deployment = create_deployment(read_order(order), user=olga)
    wait_for(lambda: read_deployment(deployment).status.ready_replicas == 1, 90.0, "a ready pod")
    return deployment


def pass_over(cluster: Cluster, namespace: str) -> list[Orphan]:
    """Make a pass; return what it found in this test's namespace, where others may work too."""
    with without_grace():
        assert refresh_cluster(cluster).problems == ()
    return list(Orphan.objects.filter(cluster=cluster, namespace=namespace))


def versions(read: Read) -> dict[str, tuple[str, int]]:
    """Return uid and generation of all that a person wrote."""
    return {
        f"{plural}/{item['metadata']['name']}": (
            item["metadata"]["uid"],
            item["metadata"].get("generation", 0),
        )
        for plural in ("deployments", "services", "horizontalpodautoscalers", "replicasets")
        for item in read(plural)
    } | {item["metadata"]["uid"]: ("pod", 0) for item in read("pods")}


def test_a_launch_that_the_database_forgot_is_adopted_as_it_runs(
    launched: Deployment, cluster: Cluster, namespace: str, read: Read, admin: User
) -> None:
    assert pass_over(cluster, namespace) == []
    before = versions(read)
    forget_record(launched)

    found = pass_over(cluster, namespace)
    assert {row.kind for row in found} == {"Deployment", "Service", "HorizontalPodAutoscaler"}
    keys = [key for key in group_keys(cluster) if key.namespace == namespace]
    group = orphan_groups(cluster, keys)[0]
    assert plan_adoption(group, user=admin).differences == ()
    adopted = adopt_orphans(group, user=admin)

    assert (adopted.pk, adopted.created_by_name) == (launched.pk, "olga")
    assert (adopted.phase, adopted.autoscaled, adopted.max_replicas) == ("Ready", True, 3)
    assert versions(read) == before, "nothing was written, nothing restarted"
    assert pass_over(cluster, namespace) == []
    assert read_deployment(adopted).status.phase == "Ready"


def test_what_is_removed_goes_with_its_pods_and_leaves_the_list(
    launched: Deployment, cluster: Cluster, namespace: str, read: Read, admin: User
) -> None:
    forget_record(launched)
    found = pass_over(cluster, namespace)

    removal = remove_orphans(cluster, [row.uid for row in found], user=admin)

    assert {key.kind for key in removal.removed} >= {"Service", "HorizontalPodAutoscaler"}
    wait_for(lambda: not any(read(plural) for plural in KINDS), 90.0, "an empty namespace")
    assert pass_over(cluster, namespace) == []


def test_what_an_orphaning_deletion_left_is_found_and_removed(
    launched: Deployment,
    cluster: Cluster,
    namespace: str,
    read: Read,
    admin: User,
    control_plane: ControlPlane,
) -> None:
    control_plane.api.delete(
        namespaced(namespace, "deployments", launched.runtime_name, api=APPS),
        {"propagationPolicy": "Orphan"},
    )
    wait_for(lambda: not read("deployments"), 90.0, "the Deployment's end")
    forget_record(launched)

    found = pass_over(cluster, namespace)
    assert {row.kind for row in found} == {"ReplicaSet", "Service", "HorizontalPodAutoscaler"}
    remove_orphans(cluster, [row.uid for row in found], user=admin)
    wait_for(lambda: not any(read(plural) for plural in KINDS), 90.0, "an empty namespace")

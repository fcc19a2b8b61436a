"""Ends on a real control plane: what holds a deletion is named, what was removed is made anew."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from deployments.models import AuditEntry, Cluster, Deployment, Orphan
from deployments.services.deleting import delete_deployment
from deployments.services.foretelling import foretell_deletion
from deployments.services.forgetting import forget_deployment
from deployments.services.launching import create_deployment
from deployments.services.moving import refresh_moving
from deployments.services.orders import read_order
from deployments.services.reading import read_deployment
from deployments.services.reapplying import reapply_deployment
from deployments.services.refreshing import refresh_cluster
from providers.contract.removing import Going
from templates_app.models import ModelDeploymentTemplate
from tests.cluster.harness.api import namespaced
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.waiting import wait_for
from tests.orphaned import without_grace

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("cluster_nodes", "console_here")]

GUARD = "example.com/guard"
KINDS = [
    "Deployment",
    "EndpointSlice",
    "HorizontalPodAutoscaler",
    "Pod",
    "ReplicaSet",
    "Service",
]
LATER = timedelta(minutes=6)
PATIENCE = 90.0


@pytest.fixture
def admin(db: None) -> User:
    return User.objects.create_superuser("ada")


@pytest.fixture
def launched(admin: User, mock_template: ModelDeploymentTemplate) -> Deployment:
    """Return a deployment that is Ready, with an autoscaler."""
    body = {
        "name": "Demo",
        "template": {"template_id": str(mock_template.pk)},
        "overrides": {"min_replicas": 1, "max_replicas": 2, "enable_auto_scaling": True},
    }
    made = create_deployment(read_order(body), user=admin)
    wait_for(lambda: read_deployment(made).status.phase == "Ready", PATIENCE, "it is Ready")
    return made


@pytest.fixture
def path(namespace: str) -> Callable[[Deployment], str]:
    """Return the path of what runs a deployment."""

    def of(deployment: Deployment) -> str:
        return namespaced(namespace, "deployments", deployment.runtime_name, api="apis/apps/v1")

    return of


def all_that_goes(deployment: Deployment) -> Going | None:
    """Return what is foretold to go, once the controllers have made all of it."""
    going = foretell_deletion(deployment).going
    kinds = sorted(one.object.kind for one in going.objects)
    return going if kinds == KINDS else None


def test_what_goes_is_foretold_and_what_holds_it_is_named_with_who_put_it_there(
    launched: Deployment,
    admin: User,
    control_plane: ControlPlane,
    path: Callable[[Deployment], str],
) -> None:
    api = control_plane.api
    finalizers = {"metadata": {"finalizers": [GUARD]}}
    api.merge(path(launched), finalizers, fieldManager="kubectl-edit")

    going = wait_for(lambda: all_that_goes(launched), PATIENCE, "all six are foretold")
    held = {one.object.kind: dict(one.finalizers) for one in going.objects if one.finalizers}
    assert held == {"Deployment": {GUARD: "put there by somebody with kubectl edit"}}

    delete_deployment(launched, user=admin, reason="no longer used")
    wait_for(
        lambda: (
            {one.object.kind for one in foretell_deletion(launched).going.objects} == {"Deployment"}
        ),
        PATIENCE,
        "only what is held is left",
    )
    Deployment.objects.update(intent_since=timezone.now() - LATER)
    deployment = Deployment.objects.select_related("cluster").get()
    said = (
        f"waiting for more than 5 min for Deployment {deployment.runtime_name}, held by the "
        f"finalizer {GUARD}, put there by somebody with kubectl edit"
    )
    status = wait_for(
        lambda: seen if (seen := read_deployment(deployment).status).message == said else None,
        PATIENCE,
        "what is held is told",
    )
    assert (status.phase, status.reason) == ("Deleting", "PendingFinalizer")
    for refresh in (refresh_cluster, refresh_moving):
        Deployment.objects.update(message="", reason="", observed_at=None)
        refresh(Cluster.objects.get())
        deployment.refresh_from_db()
        assert (deployment.reason, deployment.message) == ("PendingFinalizer", said)

    api.merge(path(launched), {"metadata": {"finalizers": None}})
    wait_for(lambda: read_deployment(launched).deployment.is_closed, PATIENCE, "it is closed")
    begun, ended = AuditEntry.objects.filter(action="deployment.delete").order_by("id")
    assert (begun.outcome, ended.outcome, ended.actor) == ("accepted", "succeeded", admin)


def test_what_was_removed_outside_is_made_anew_with_all_that_stood_beside_it(
    launched: Deployment,
    admin: User,
    control_plane: ControlPlane,
    namespace: str,
    path: Callable[[Deployment], str],
) -> None:
    control_plane.api.delete(path(launched))
    wait_for(
        lambda: read_deployment(launched).status.reason == "RemovedOutside",
        PATIENCE,
        "it is gone for the console",
    )

    reapply_deployment(launched, user=admin, reason="somebody removed it")

    deployment = Deployment.objects.select_related("cluster").get()
    wait_for(
        lambda: read_deployment(deployment).status.phase == "Ready", PATIENCE, "it is Ready again"
    )
    assert deployment.workload_uid != launched.workload_uid
    live = control_plane.api.get(path(deployment))
    assert live["metadata"]["uid"] == deployment.workload_uid
    for plural, version in (
        ("services", "api/v1"),
        ("horizontalpodautoscalers", "apis/autoscaling/v2"),
    ):
        beside = namespaced(namespace, plural, deployment.runtime_name, api=version)
        [owner] = control_plane.api.get(beside)["metadata"]["ownerReferences"]
        assert owner["uid"] == deployment.workload_uid
    delete_deployment(deployment, user=admin)
    wait_for(lambda: read_deployment(deployment).deployment.is_closed, PATIENCE, "it is closed")


def test_what_is_forgotten_stays_on_the_cluster_and_is_listed_as_what_no_record_owns(
    launched: Deployment,
    admin: User,
    control_plane: ControlPlane,
    path: Callable[[Deployment], str],
) -> None:
    Cluster.objects.update(reachable=False)
    forgotten = Deployment.objects.select_related("cluster").get()

    forget_deployment(forgotten, user=admin, reason="its cluster was given up")

    assert control_plane.api.get(path(launched))["metadata"].get("deletionTimestamp") is None
    with without_grace():
        refresh_cluster(Cluster.objects.get())
    kinds = {row.kind for row in Orphan.objects.filter(deployment_id=str(launched.pk))}
    assert kinds >= {"Deployment", "Service", "HorizontalPodAutoscaler"}

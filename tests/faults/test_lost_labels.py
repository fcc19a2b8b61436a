"""A deployment whose workload lost our labels: told so, left as it is, and stopped once it is back.

On the simulated cluster, through the console's own services.
"""

import json

import pytest

from deployments.exceptions import ClusterRefused
from deployments.models import Deployment, Operation
from deployments.services.change_orders import read_change
from deployments.services.changing import change_deployment
from deployments.services.drifting import drift_of
from deployments.services.refreshing import refresh_cluster
from deployments.services.restoring import put_back_drift
from providers.contract.status import Phase
from tests.faults.sandbox import SandboxPlace
from tests.faults.scene import Scene
from tests.faults.walk import WELL


def take_labels_off(scene: Scene, deployment: Deployment) -> None:
    place = scene.place
    assert isinstance(place, SandboxPlace)
    path = f"/apis/apps/v1/namespaces/{place.namespace}/deployments/{deployment.runtime_name}"
    kind = {"Content-Type": "application/merge-patch+json"}
    body = json.dumps({"metadata": {"labels": None}}).encode()
    assert place.cluster.handle("PATCH", path, kind, body).status == 200


def stop(scene: Scene, deployment: Deployment) -> None:
    change_deployment(read_change({"stopped": True}), deployment=deployment, user=scene.user)


def test_it_is_neither_removed_nor_failed_and_stops_after_its_labels_are_put_back(
    scene: Scene,
) -> None:
    here = scene.launch()
    scene.until(here, *WELL, step=1.0)
    take_labels_off(scene, here)
    scene.place.let_pass(1.0)
    scene.until(here, *WELL, step=1.0)
    assert "Changed outside" in scene.page(f"/deployments/{here.pk}")

    with pytest.raises(ClusterRefused, match="put them back first"):
        stop(scene, here)

    assert not Operation.objects.unfinished().exists()
    scene.place.let_pass(2.0)
    scene.until(here, *WELL, step=1.0)

    put_back_drift(here, user=scene.user, digest=drift_of(here).digest)
    scene.place.let_pass(1.0)
    refresh_cluster(scene.cluster)
    here.refresh_from_db()
    assert here.notes == []
    stop(scene, here)
    scene.until(here, Phase.STOPPED, "ScaledToZero", step=1.0)

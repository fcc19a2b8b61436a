"""The objects of a revision, as downloaded: kubectl takes the file as it is."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client

from deployments.models import Cluster, Deployment
from deployments.services.deleting import delete_deployment
from deployments.services.launching import create_deployment
from deployments.services.orders import read_order
from deployments.services.reading import read_deployment
from deployments.services.refreshing import refresh_cluster
from providers.testing.samples import spec_with
from templates_app import services
from templates_app.entries import parse_model, parse_template
from tests.cluster.harness.api import namespaced
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.shipped import kubectl
from tests.cluster.waiting import wait_for

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("cluster_nodes", "console_here"),
]

STRICT = ("--validate=strict", "--warnings-as-errors")
AUTOSCALED = {"enable_auto_scaling": True, "min_replicas": 1, "max_replicas": 3}


@pytest.fixture
def olga() -> User:
    user = User.objects.create_user("olga")
    user.groups.add(Group.objects.get_or_create(name="deployer")[0])
    return user


@pytest.fixture(params=[{}, AUTOSCALED], ids=["fixed", "autoscaled"])
def running(request: pytest.FixtureRequest, olga: User) -> Deployment:
    model = services.create_model(parse_model({"id": "qwen", "name": "Qwen"}), by=None)
    spec = spec_with(accelerator={"type": "H100", "count": 2})
    entry = parse_template(name="mock", version="1.0.0", spec=spec)
    template = services.create_template(model, entry, by=None)
    services.activate_template(template, by=None)
    order = read_order(
        {"name": "demo", "template": {"template_id": str(template.pk)}, "overrides": request.param}
    )
    made = create_deployment(order, user=olga)
    wait_for(lambda: read_deployment(made).status.ready_replicas == 1, 90.0, "a ready replica")
    return made


@pytest.fixture
def downloaded(running: Deployment, olga: User, tmp_path: Path) -> Path:
    browser = Client()
    browser.force_login(olga)
    answer = browser.get(f"/deployments/{running.pk}/revisions/1.yaml")
    assert answer.status_code == 200
    file = tmp_path / "revision.yaml"
    file.write_bytes(answer.content)
    return file


def what_runs(plane: ControlPlane, namespace: str) -> Sequence[object]:
    """Return what would be another one after a restart: generations, and the pods by uid."""
    deployments = plane.api.get(namespaced(namespace, "deployments", api="apis/apps/v1"))["items"]
    pods = plane.api.get(namespaced(namespace, "pods"))["items"]
    return (
        [item["metadata"]["generation"] for item in deployments],
        sorted(item["metadata"]["uid"] for item in pods),
    )


def test_over_what_runs_it_is_taken_strictly_and_restarts_nothing(
    control_plane: ControlPlane, namespace: str, downloaded: Path
) -> None:
    before = what_runs(control_plane, namespace)
    apply = ("apply", "-f", str(downloaded), "--server-side", *STRICT)

    kubectl(control_plane, *apply, "--dry-run=server")
    kubectl(control_plane, *apply)

    assert what_runs(control_plane, namespace) == before


def test_where_nothing_is_it_makes_everything_and_then_changes_nothing(
    control_plane: ControlPlane, namespace: str, running: Deployment, downloaded: Path, olga: User
) -> None:
    delete_deployment(running, user=olga)
    wait_for(lambda: is_closed(running), 90.0, "the deployment is gone")
    apply = ("apply", "-f", str(downloaded), *STRICT)

    made = kubectl(control_plane, *apply).splitlines()
    again = kubectl(control_plane, *apply).splitlines()

    count = len(running.revisions.get().manifests)
    assert [line.rpartition(" ")[2] for line in made] == ["created"] * count
    assert [line.rpartition(" ")[2] for line in again] == ["unchanged"] * count


def is_closed(deployment: Deployment) -> bool:
    refresh_cluster(Cluster.objects.get(pk=deployment.cluster_id))
    deployment.refresh_from_db()
    return deployment.is_closed

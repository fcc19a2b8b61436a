"""Changes through the service on a real control plane: each ends in exactly its own revision."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User

from deployments.exceptions import ClusterRefused
from deployments.models import Cluster, Deployment, Operation
from deployments.services.change_orders import read_change, read_rollback
from deployments.services.changing import change_deployment, preview_change
from deployments.services.launching import create_deployment
from deployments.services.orders import read_order
from deployments.services.reading import read_deployment
from deployments.services.refreshing import refresh_cluster
from providers.contract.errors import Rejected
from providers.testing.samples import spec_with
from templates_app import services
from templates_app.entries import parse_model, parse_template
from templates_app.models import Model, ModelDeploymentTemplate
from tests.cluster.changed import (
    PATIENCE_SECONDS,
    Killed,
    assert_whole,
    census_of,
    instead_of_write,
    live,
    pods,
    scale,
    settled,
)
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.launching import set_quota
from tests.cluster.waiting import wait_for

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("cluster_nodes", "console_here")]

AUTOSCALED = {"min_replicas": 2, "max_replicas": 4, "enable_auto_scaling": True}
FIXED = {"enable_auto_scaling": False}


@pytest.fixture
def model(db: None) -> Model:
    return services.create_model(parse_model({"id": "qwen", "name": "Qwen"}), by=None)


@pytest.fixture
def version(model: Model) -> Callable[..., ModelDeploymentTemplate]:
    def make(label: str, **engine: Any) -> ModelDeploymentTemplate:
        entry = parse_template(name="mock", version=label, spec=spec_with(engine=engine))
        draft = services.create_template(model, entry, by=None)
        return services.activate_template(draft, by=None)

    return make


@pytest.fixture
def running(
    version: Callable[..., ModelDeploymentTemplate], owner: User
) -> Callable[..., Deployment]:
    """Launch with overrides, and wait until it is ready."""

    def make(**overrides: object) -> Deployment:
        template = {"template_id": str(version("1.0.0").pk)}
        order = read_order({"name": "Demo", "template": template, "overrides": overrides})
        deployment = create_deployment(order, user=owner)
        settled("Ready")
        return deployment

    return make


@pytest.fixture
def change(owner: User) -> Callable[..., Deployment]:
    def run(deployment: Deployment, **body: object) -> Deployment:
        order = read_rollback(body) if "revision" in body else read_change(body)
        return change_deployment(order, deployment=deployment, user=owner).deployment

    return run


Running = Callable[..., Deployment]
Change = Callable[..., Deployment]


def test_an_update_a_rollback_a_stop_and_a_start_each_end_whole(
    control_plane: ControlPlane,
    running: Running,
    change: Change,
    version: Callable[..., ModelDeploymentTemplate],
) -> None:
    api = control_plane.api
    deployment = running(**AUTOSCALED)
    newer = version("1.1.0", env={"COLOUR": "blue"})
    with census_of(api, deployment) as census:
        change(deployment, template={"template_id": str(newer.pk)})
        settled("Ready")
        assert_whole(api)
        change(deployment, revision=1)
        settled("Ready")
        assert_whole(api)
    assert census.fewest_wanted >= 2
    assert census.fewest_ready >= 2

    change(deployment, stopped=True)
    settled("Stopped")
    assert_whole(api)
    assert "HorizontalPodAutoscaler" not in live(api, deployment)
    assert pods(api, deployment) == set()

    change(deployment, stopped=False)
    started = settled("Ready")
    assert_whole(api)
    assert started.replicas_text == "2[4]"
    assert live(api, started)["Deployment"]["spec"]["replicas"] == 2
    verbs = started.revisions.order_by("number").values_list("verb", "outcome")
    assert [verb for verb, _ in verbs] == ["create", "update", "rollback", "stop", "start"]
    assert {outcome for _, outcome in verbs} == {"applied"}


def test_scaling_alone_restarts_nothing_and_writes_the_replicas_alone(
    control_plane: ControlPlane,
    running: Running,
    change: Change,
    owner: User,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    deployment = running(min_replicas=2)
    before = pods(control_plane.api, deployment)
    order = read_change({"overrides": {"min_replicas": 3}})
    foretold = preview_change(order, deployment=deployment, user=owner).effects
    written = instead_of_write(monkeypatch, 0, Killed())

    change(deployment, overrides={"min_replicas": 3})

    settled("Ready")
    assert (foretold.writes, foretold.restarts) == ("scaling", 0)
    assert before < pods(control_plane.api, deployment), "all that ran runs on"
    assert [call.path.rpartition("/")[2] for call in written] == [deployment.runtime_name]
    assert "/deployments/" in written[0].path


def test_switching_the_autoscaler_off_keeps_the_pods_that_it_made(
    control_plane: ControlPlane, running: Running, change: Change
) -> None:
    api = control_plane.api
    deployment = running(**AUTOSCALED)
    scale(api, deployment, 3)
    wait_for(
        lambda: read_deployment(Deployment.objects.get()).status.ready_replicas == 3,
        PATIENCE_SECONDS,
        "three ready replicas",
    )

    with census_of(api, deployment) as census:
        change(deployment, overrides=FIXED)
        settled("Ready")

    assert census.steps == (3,)
    assert_whole(api)
    assert Deployment.objects.get().replicas_text == "3"


def test_a_redeployment_replaces_every_pod(
    control_plane: ControlPlane, running: Running, change: Change
) -> None:
    deployment = running(min_replicas=2)
    before = pods(control_plane.api, deployment)

    with census_of(control_plane.api, deployment) as census:
        change(deployment, redeploy=True)
        settled("Ready")

    assert_whole(control_plane.api)
    wait_for(
        lambda: not before & pods(control_plane.api, deployment), PATIENCE_SECONDS, "others gone"
    )
    assert census.fewest_ready >= 2


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_change_that_is_refused_half_way_is_put_back(
    control_plane: ControlPlane,
    running: Running,
    change: Change,
    monkeypatch: pytest.MonkeyPatch,
    number: int,
) -> None:
    """From fixed to autoscaled takes three writes; whichever is refused, the rest is undone."""
    deployment = running(min_replicas=2)
    with census_of(control_plane.api, deployment) as census, monkeypatch.context() as patch:
        instead_of_write(patch, number, Rejected("a policy says no", code="AdmissionDenied"))
        with pytest.raises(ClusterRefused, match="a policy says no"):
            change(deployment, overrides=AUTOSCALED)

    assert_whole(control_plane.api)
    stored = settled("Ready")
    assert (stored.revision, stored.replicas_text) == (1, "2")
    assert census.steps == (2,)
    assert not Operation.objects.unfinished().exists()


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_change_whose_process_dies_is_finished_by_the_next_pass(
    control_plane: ControlPlane,
    running: Running,
    change: Change,
    monkeypatch: pytest.MonkeyPatch,
    number: int,
) -> None:
    deployment = running(min_replicas=2)
    with monkeypatch.context() as patch:
        instead_of_write(patch, number, Killed())
        with pytest.raises(Killed):
            change(deployment, overrides=AUTOSCALED)
    stored = Deployment.objects.get()
    assert (stored.revision, stored.applied_revision) == (2, 1)

    Deployment.objects.update(lease_until=stored.created_at)
    report = refresh_cluster(Cluster.objects.get())

    assert (report.error, report.finished) == ("", 1)
    assert_whole(control_plane.api)
    settled("Ready")


@pytest.mark.parametrize("overrides", [{"min_replicas": 2}, AUTOSCALED], ids=["fixed", "ranged"])
def test_what_somebody_else_scaled_to_nothing_is_started_again(
    control_plane: ControlPlane, running: Running, change: Change, overrides: dict[str, object]
) -> None:
    deployment = running(**overrides)
    scale(control_plane.api, deployment, 0)
    settled("Degraded" if overrides is AUTOSCALED else "Stopped")

    change(Deployment.objects.get(), stopped=False)

    started = live(control_plane.api, settled("Ready"))
    assert started["Deployment"]["spec"]["replicas"] == 2


def test_quota_is_not_asked_for_what_the_deployment_holds_itself(
    control_plane: ControlPlane, namespace: str, running: Running, change: Change
) -> None:
    """All that the quota allows is in use, by this very deployment: it can still be changed."""
    set_quota(control_plane.api, namespace, **{"requests.cpu": "200m", "pods": "2"})
    deployment = running(min_replicas=2)

    change(deployment, overrides={"min_replicas": 1})
    settled("Ready")
    with pytest.raises(ClusterRefused) as refusal:
        change(deployment, overrides={"min_replicas": 4})

    assert refusal.value.code == "QuotaExceeded"
    assert Deployment.objects.get().replicas_text == "1"

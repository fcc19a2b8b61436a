"""Where a launch goes, and what a stored revision still knows of it."""

from collections.abc import Callable
from types import SimpleNamespace

import pytest
from django.contrib.auth.models import User

from deployments.models import Cluster, Deployment, Revision
from deployments.services.clusters import target_of
from deployments.services.launching import create_deployment
from deployments.services.orders import LaunchOrder
from deployments.services.placing import choose_cluster
from deployments.services.refs import request_of
from providers.testing.memory.provider import provider
from templates_app.entries import parse_version
from templates_app.models import Model
from templates_app.services import add_version

MakeOrder = Callable[..., LaunchOrder]
Launch = Callable[..., Deployment]


@pytest.fixture
def regions(cluster: Cluster) -> None:
    cluster.region = "eu"
    cluster.save()
    Cluster.objects.create(name="abroad", region="us")
    Cluster.objects.create(name="anywhere", region="GLOBAL")
    Cluster.objects.create(name="zoo", region="eu")
    Cluster.objects.create(name="aaa", region="eu", enabled=False)


@pytest.mark.usefixtures("regions")
@pytest.mark.parametrize(
    ("region", "name"),
    [("", "abroad"), ("GLOBAL", "abroad"), ("EU", "anywhere"), ("us", "abroad")],
)
def test_the_first_enabled_cluster_of_the_region_is_taken(
    order: MakeOrder, region: str, name: str
) -> None:
    assert choose_cluster(order(overrides={"region": region})).name == name


@pytest.mark.usefixtures("regions")
def test_a_cluster_may_be_named_by_its_number(order: MakeOrder) -> None:
    zoo = Cluster.objects.get(name="zoo")

    assert choose_cluster(order(target={"cluster": str(zoo.pk)})) == zoo


def test_the_row_of_the_environment_comes_first(order: MakeOrder, settings: object) -> None:
    settings.K8S = SimpleNamespace(  # type: ignore[attr-defined]
        kubeconfig="/etc/kube/config",
        context="",
        namespace="",
        in_cluster=False,
        is_configured=True,
    )
    Cluster.objects.create(name="aaa")

    assert choose_cluster(order()).name == "default"


def test_a_stored_revision_renders_what_was_launched(
    launch: Launch, model: Model, cluster: Cluster
) -> None:
    add_version(
        model,
        parse_version({"label": "v2", "source_type": "s3", "uri": "s3://weights/v2"}),
        by=None,
    )
    deployment = launch(
        overrides={
            "model_version": "v2",
            "engine_args": {"max_model_len": 4096},
            "min_replicas": 1,
            "max_replicas": 3,
            "enable_auto_scaling": True,
        }
    )
    revision = Revision.objects.get()

    request = request_of(deployment, revision)

    assert request.source is not None
    assert (request.source.type, request.source.uri) == ("s3", "s3://weights/v2")
    assert request.engine_args["max_model_len"] == "4096"
    assert request.scaling.has_autoscaler
    assert list(provider.render(request, target_of(cluster))) == revision.manifests


def test_later_edits_of_the_model_touch_no_revision(
    order: MakeOrder, owner: User, model: Model
) -> None:
    deployment = create_deployment(order(), user=owner)
    Model.objects.filter(pk=model.pk).update(serving_name="renamed")

    assert request_of(deployment, Revision.objects.get()).serving_name == "qwen3-8b"

"""The flat fields that older clients send: they find a template, fill in, or must agree."""

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User

from deployments.exceptions import InvalidOrder
from deployments.models import Cluster, Deployment
from deployments.services.launching import create_deployment
from deployments.services.orders import read_order
from templates_app.models import ModelDeploymentTemplate

MakeTemplate = Callable[..., ModelDeploymentTemplate]
Launch = Callable[..., Deployment]

FLAT = {"name": "demo", "base_model": "qwen3-8b", "implementation": {"kind": "memory"}}


@pytest.mark.usefixtures("cluster")
def test_the_newest_matching_template_is_found(make_template: MakeTemplate, owner: User) -> None:
    make_template(version="1.2.0")
    newest = make_template(version="1.10.0")
    make_template(version="2.0.0", active=False)
    make_template("gpu", version="3.0.0", accelerator={"type": "H100", "count": 1})

    deployment = create_deployment(
        read_order({**FLAT, "accelerator_type": "CPU", "accelerator_count": 0}), user=owner
    )

    assert deployment.template == newest


@pytest.mark.usefixtures("cluster")
def test_a_model_may_be_called_by_its_name(make_template: MakeTemplate, owner: User) -> None:
    template = make_template()

    order = read_order({**FLAT, "base_model": "Qwen3 8B"})

    assert create_deployment(order, user=owner).template == template


@pytest.mark.usefixtures("cluster")
def test_what_nothing_matches_is_refused_with_what_there_is(
    make_template: MakeTemplate, owner: User
) -> None:
    make_template("gpu", accelerator={"type": "H100", "count": 1})

    with pytest.raises(InvalidOrder) as refusal:
        create_deployment(read_order({**FLAT, "accelerator_type": "A100"}), user=owner)

    assert "1 x H100 (gpu)" in refusal.value.fields["accelerator_type"][0]


@pytest.mark.usefixtures("cluster", "model")
def test_a_model_without_an_active_template_is_refused(owner: User) -> None:
    with pytest.raises(InvalidOrder, match="base_model: qwen3-8b has no active template"):
        create_deployment(read_order(FLAT), user=owner)


def test_overrides_alone_find_no_template(owner: User) -> None:
    for document in ({"overrides": {"min_replicas": 1}}, {"implementation": {"kind": "memory"}}):
        with pytest.raises(InvalidOrder, match="template: is required"):
            create_deployment(read_order({"name": "demo", **document}), user=owner)


def test_scaling_and_region_fill_in_what_the_overrides_leave_open(
    launch: Launch, cluster: Cluster
) -> None:
    cluster.region = "eu"
    cluster.save()

    deployment = launch(
        region="EU",
        min_replicas=3,
        max_replicas=4,
        enable_auto_scaling=True,
        overrides={"min_replicas": 2},
    )

    assert deployment.replicas_text == "2[4]"
    assert deployment.region == "EU"
    assert deployment.overrides == {
        "region": "EU",
        "min_replicas": 2,
        "max_replicas": 4,
        "enable_auto_scaling": True,
    }


def test_an_explicit_zero_is_zero(launch: Launch) -> None:
    assert launch(min_replicas=0).min_replicas == 0


def test_empty_texts_and_nulls_are_not_given(launch: Launch) -> None:
    deployment = launch(region="", base_model="", quantization=None, overrides={"region": ""})

    assert deployment.overrides == {}


def test_flat_fields_that_agree_with_the_template_are_taken(launch: Launch) -> None:
    deployment = launch(
        base_model="qwen3-8b", accelerator_type="cpu", accelerator_count=0, quantization="none"
    )

    assert deployment.accelerator_type == "cpu"

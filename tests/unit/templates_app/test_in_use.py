"""What a deployment refers to stays, for its history: open or closed makes no difference."""

from datetime import UTC, datetime

import pytest

from deployments.models import Cluster, Deployment
from templates_app import services
from templates_app.exceptions import ModelInUse, TemplateInUse
from templates_app.models import Model, ModelDeploymentTemplate

NOW = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture(params=[None, NOW], ids=["open", "closed"])
def launched(
    request: pytest.FixtureRequest, active: ModelDeploymentTemplate
) -> ModelDeploymentTemplate:
    Deployment.objects.create(
        name="demo",
        runtime_name="demo-1",
        kind="memory",
        cluster=Cluster.objects.create(name="one"),
        namespace="models",
        model=active.model,
        template=active,
        template_version=active.version,
        serving_name="demo",
        accelerator_type="cpu",
        intent_since=NOW,
        created_by_name="kurt",
        created_at=NOW,
        updated_at=NOW,
        closed_at=request.param,
    )
    return active


def test_a_launched_template_is_not_deleted(launched: ModelDeploymentTemplate) -> None:
    with pytest.raises(TemplateInUse):
        services.delete_template(launched, by=None)
    assert list(ModelDeploymentTemplate.objects.all()) == [launched]


def test_a_launched_model_is_not_deleted_nor_any_of_its_templates(
    launched: ModelDeploymentTemplate,
) -> None:
    services.new_version_from(launched, by=None)
    with pytest.raises(ModelInUse):
        services.delete_model(launched.model, by=None)
    assert Model.objects.count() == 1
    assert ModelDeploymentTemplate.objects.count() == 2


def test_a_version_of_a_launched_template_that_was_not_launched_is_deleted(
    launched: ModelDeploymentTemplate,
) -> None:
    services.delete_template(services.new_version_from(launched, by=None), by=None)
    assert list(ModelDeploymentTemplate.objects.all()) == [launched]

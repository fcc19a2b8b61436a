"""Templates that open an argument, for changes of what was launched."""

import pytest

from providers.testing.samples import spec_with
from templates_app import services
from templates_app.entries import parse_template
from templates_app.models import ModelDeploymentTemplate

OPEN = {"min_replicas": {"max": 4}, "engine_args.max_model_len": {"max": 32768}}


@pytest.fixture
def template(template: ModelDeploymentTemplate) -> ModelDeploymentTemplate:
    """The template of the cast, with an argument to override."""
    spec = {**template.spec, "engine_args": {"max_model_len": "8192"}, "overridable": OPEN}
    ModelDeploymentTemplate.objects.filter(pk=template.pk).update(spec=spec)
    template.refresh_from_db()
    return template


@pytest.fixture
def newer(template: ModelDeploymentTemplate) -> ModelDeploymentTemplate:
    spec = spec_with(engine_args={"max_model_len": "16384"}, overridable=OPEN)
    entry = parse_template(name="mock", version="1.1.0", spec=spec)
    made = services.create_template(template.model, entry, by=None)
    return services.activate_template(made, by=None)

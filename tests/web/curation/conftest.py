"""A model with a template, as a draft and active."""

import pytest

from templates_app import services
from templates_app.entries import parse_model, parse_template
from templates_app.models import Model, ModelDeploymentTemplate


@pytest.fixture
def model(db: None) -> Model:
    return services.create_model(parse_model({"id": "qwen", "name": "Qwen"}), by=None)


@pytest.fixture
def draft(model: Model) -> ModelDeploymentTemplate:
    spec = {
        "engine": {"type": "mock", "image": "docker.io/aibrix/vllm-mock:nightly"},
        "model_source": {"type": "huggingface", "uri": "mock/mock"},
        "accelerator": {"type": "cpu"},
    }
    entry = parse_template(name="mock", version="1.0.0", spec=spec)
    return services.create_template(model, entry, by=None)


@pytest.fixture
def active(draft: ModelDeploymentTemplate) -> ModelDeploymentTemplate:
    return services.activate_template(draft, by=None)

"""Rows of the list, made without a launch."""

import pytest
from django.conf import LazySettings
from django.utils import timezone

from console.environment import KubernetesEnvironment
from deployments.models import Cluster, Deployment
from providers import registry
from providers.contract.status import PHASES, Phase
from templates_app.models import Model, ModelDeploymentTemplate
from tests.web.deployments.listed.rows import Launch


@pytest.fixture(autouse=True)
def _no_environment(settings: LazySettings) -> None:
    settings.K8S = KubernetesEnvironment()


@pytest.fixture(autouse=True)
def _two_kinds(_only_memory: None, settings: LazySettings) -> None:
    settings.SLIPWAY_PROVIDERS = ["providers.testing.memory", "providers.kubernetes"]
    registry.forget()


@pytest.fixture
def cluster(db: None) -> Cluster:
    return Cluster.objects.create(name="fra-h100", reachable=True)


@pytest.fixture
def template(db: None) -> ModelDeploymentTemplate:
    model = Model.objects.create(id="qwen3-8b", name="Qwen3 8B", serving_name="qwen3-8b")
    return ModelDeploymentTemplate.objects.create(
        model=model, name="chat", version="v3", status="active", spec={}
    )


@pytest.fixture
def launch(cluster: Cluster, template: ModelDeploymentTemplate) -> Launch:
    def make(name: str, **fields: object) -> Deployment:
        now = timezone.now()
        phase = Phase(str(fields.get("phase", Phase.READY)))
        defaults: dict[str, object] = {
            "name": name,
            "name_key": name,
            "runtime_name": name,
            "kind": "k8s-deployment",
            "cluster": cluster,
            "namespace": "chat",
            "model": template.model,
            "template": template,
            "template_version": template.version,
            "serving_name": "qwen3-8b",
            "accelerator_type": "H100",
            "intent_since": now,
            "created_by_name": "vera",
            "created_at": now,
            "updated_at": now,
            "rank": PHASES[phase].rank,
        }
        return Deployment.objects.create(**(defaults | fields))

    return make

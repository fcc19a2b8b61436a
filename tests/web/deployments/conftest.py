"""A deployment that olga launched into a cluster in memory, and ways to look at its pages."""

from collections.abc import Callable, Iterator

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import Settings

from deployments.models import Cluster, Deployment
from deployments.services.launching import create_deployment
from deployments.services.orders import read_order
from providers import registry
from providers.testing.memory.cluster import MemoryCluster, cluster_of, forget_clusters
from providers.testing.samples import MOCK_SPEC
from templates_app import services
from templates_app.entries import parse_model, parse_template
from templates_app.models import ModelDeploymentTemplate


@pytest.fixture(autouse=True)
def _only_memory(settings: Settings) -> Iterator[None]:
    settings.SLIPWAY_PROVIDERS = ["providers.testing.memory"]
    registry.forget()
    forget_clusters()
    yield
    registry.forget()
    forget_clusters()


@pytest.fixture
def cluster(db: None) -> Cluster:
    return Cluster.objects.create(name="harbour", default_namespace="models", kubeconfig="/unused")


@pytest.fixture
def runtime(cluster: Cluster) -> MemoryCluster:
    return cluster_of(str(cluster.pk))


@pytest.fixture
def template(db: None) -> ModelDeploymentTemplate:
    model = services.create_model(parse_model({"id": "qwen3-06b", "name": "Qwen3 0.6B"}), by=None)
    spec = {
        **MOCK_SPEC,
        "supported_endpoints": ["/v1/chat/completions"],
        "overridable": {"min_replicas": {"max": 4}},
    }
    entry = parse_template(name="mock", version="1.0.0", spec=spec)
    return services.activate_template(services.create_template(model, entry, by=None), by=None)


@pytest.fixture
def launch(
    template: ModelDeploymentTemplate, runtime: MemoryCluster, owner: Client
) -> Callable[..., Deployment]:
    """Launch as olga; everything is ready at once unless the runtime says otherwise."""

    def make(name: str = "support-chat", **overrides: object) -> Deployment:
        body = {
            "name": name,
            "template": {"model_id": template.model_id, "template_id": str(template.pk)},
            "implementation": {"kind": "memory"},
            "overrides": overrides,
            "reason": "for the help desk",
        }
        olga = User.objects.get(username="olga")
        return create_deployment(read_order(body), user=olga)

    return make


@pytest.fixture
def deployment(launch: Callable[..., Deployment]) -> Deployment:
    return launch(min_replicas=2)

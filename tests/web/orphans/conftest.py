"""A cluster in memory, launches on it, and a way for them to lose their record."""

from collections.abc import Callable, Iterator

import pytest
from django.conf import LazySettings
from django.contrib.auth.models import User
from django.test import Client

from deployments.models import Cluster, Deployment
from deployments.services.launching import create_deployment
from deployments.services.orders import read_order
from deployments.services.refreshing import refresh_cluster
from providers import registry
from providers.testing.memory.cluster import MemoryCluster, cluster_of, forget_clusters
from providers.testing.samples import MOCK_SPEC
from templates_app.entries import parse_model, parse_template
from templates_app.models import ModelDeploymentTemplate
from templates_app.services import activate_template, create_model, create_template
from tests.orphaned import forget_record, let_time_pass
from tests.web.orphans.asked import Launch


@pytest.fixture(autouse=True)
def _only_memory(settings: LazySettings) -> Iterator[None]:
    settings.SLIPWAY_PROVIDERS = ["providers.testing.memory"]
    registry.forget()
    forget_clusters()
    yield
    registry.forget()
    forget_clusters()


@pytest.fixture
def cluster(db: None) -> Cluster:
    return Cluster.objects.create(name="lab", default_namespace="models")


@pytest.fixture
def memory(cluster: Cluster) -> MemoryCluster:
    return cluster_of(str(cluster.pk))


@pytest.fixture
def template(db: None) -> ModelDeploymentTemplate:
    model = create_model(parse_model({"id": "qwen3-8b", "name": "Qwen3 8B"}), by=None)
    entry = parse_template(name="mock-cpu", version="1.0.0", spec=MOCK_SPEC)
    return activate_template(create_template(model, entry, by=None), by=None)


@pytest.fixture
def launch(template: ModelDeploymentTemplate, memory: MemoryCluster, owner: Client) -> Launch:
    def run(name: str = "demo") -> Deployment:
        order = {
            "name": name,
            "template": {"template_id": str(template.pk)},
            "implementation": {"kind": "memory"},
        }
        memory.clock = None
        return create_deployment(read_order(order), user=User.objects.get(username="olga"))

    return run


@pytest.fixture
def lose(cluster: Cluster, memory: MemoryCluster) -> Callable[..., None]:
    """Let deployments lose their record, by default as with an older database."""

    def run(*deployments: Deployment, how: Callable[[Deployment], None] = forget_record) -> None:
        for deployment in deployments:
            how(deployment)
        let_time_pass(memory)
        refresh_cluster(cluster)

    return run

"""A catalogue and a cluster in memory to launch on, and the address of every step."""

from collections.abc import Iterator

import pytest
from django.conf import LazySettings
from django.test import Client

from console.environment import KubernetesEnvironment
from deployments.models import Cluster
from providers import registry
from providers.contract.capacity import AcceleratorCapacity
from providers.testing.memory.cluster import MemoryCluster, cluster_of, forget_clusters
from providers.testing.samples import spec_with
from templates_app.entries import parse_model, parse_template
from templates_app.models import Model, ModelDeploymentTemplate
from templates_app.services import activate_template, create_model, create_template
from tests.web.launch.flow import Flow, MakeTemplate


@pytest.fixture(autouse=True)
def _only_memory(settings: LazySettings) -> Iterator[None]:
    settings.SLIPWAY_PROVIDERS = ["providers.testing.memory"]
    settings.K8S = KubernetesEnvironment()
    registry.forget()
    forget_clusters()
    yield
    registry.forget()
    forget_clusters()


@pytest.fixture
def cluster(db: None) -> Cluster:
    return Cluster.objects.create(
        name="harbour",
        default_namespace="models",
        namespaces=["models", "chat"],
        region="EU",
        reachable=True,
    )


@pytest.fixture
def runtime(cluster: Cluster) -> MemoryCluster:
    """Sixteen accelerators of which nine are free, at most five on one node."""
    memory = cluster_of(str(cluster.pk))
    memory.namespaces = {"models", "chat"}
    memory.accelerators = (
        AcceleratorCapacity(
            type="H100",
            resource="nvidia.com/gpu",
            total=16,
            free=9,
            largest_free_on_one_node=5,
        ),
    )
    return memory


@pytest.fixture
def model(db: None) -> Model:
    entry = parse_model({"id": "qwen3-8b", "name": "Qwen3 8B", "categories": ["chat"]})
    return create_model(entry, by=None)


@pytest.fixture
def make_template(model: Model) -> MakeTemplate:
    def make(
        name: str = "mock", version: str = "1.0.0", *, active: bool = True, **parts: object
    ) -> ModelDeploymentTemplate:
        entry = parse_template(name=name, version=version, spec=spec_with(**parts))
        draft = create_template(model, entry, by=None)
        return activate_template(draft, by=None) if active else draft

    return make


@pytest.fixture
def template(make_template: MakeTemplate) -> ModelDeploymentTemplate:
    return make_template(
        accelerator={"type": "H100", "count": 2},
        scaling_defaults={"min_replicas": 1, "max_replicas": 2},
        engine_args={"max_model_len": "8192"},
        supported_endpoints=["/v1/chat/completions"],
        overridable={
            "min_replicas": {"max": 4},
            "max_replicas": {"max": 8},
            "engine_args.max_model_len": {"min": 1024, "max": 32768},
            "engine_args.dtype": {"values": ["auto", "bfloat16"]},
        },
    )


@pytest.fixture
def flow(owner: Client, template: ModelDeploymentTemplate, runtime: MemoryCluster) -> Flow:
    """A deployer who has chosen everything and given a name."""
    entered = {
        "model": template.model_id,
        "template": str(template.pk),
        "place": "harbour/models",
        "kind": "memory",
        "name": "Docs chat",
    }
    return Flow(client=owner, entered=entered)

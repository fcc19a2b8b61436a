"""The cast: owner, member, stranger and admin, one cluster in memory, one model to launch."""

from collections.abc import Callable, Iterator, Mapping

import pytest
from django.conf import LazySettings
from django.contrib.auth.models import Group, User

from deployments.models import Cluster, Deployment
from deployments.services.change_orders import read_change, read_rollback
from deployments.services.changing import (
    Changed,
    ChangePreview,
    change_deployment,
    preview_change,
)
from deployments.services.launching import create_deployment
from deployments.services.orders import LaunchOrder, read_order
from deployments.services.refreshing import refresh_cluster
from providers import registry
from providers.testing.memory.cluster import MemoryCluster, cluster_of, forget_clusters
from providers.testing.samples import spec_with
from templates_app.entries import parse_model, parse_template
from templates_app.models import Model, ModelDeploymentTemplate
from templates_app.services import activate_template, create_model, create_template
from tests.unit.deployments.changed import Change, Preview, again

MakeTemplate = Callable[..., ModelDeploymentTemplate]
MakeOrder = Callable[..., LaunchOrder]
Launch = Callable[..., Deployment]


@pytest.fixture(autouse=True)
def _only_memory(settings: LazySettings) -> Iterator[None]:
    settings.SLIPWAY_PROVIDERS = ["providers.testing.memory"]
    registry.forget()
    forget_clusters()
    yield
    registry.forget()
    forget_clusters()


@pytest.fixture
def person(db: None) -> Callable[..., User]:
    def make(name: str, *groups: str) -> User:
        user = User.objects.create_user(name)
        user.groups.set(Group.objects.filter(name__in=groups))
        return user

    return make


@pytest.fixture
def owner(person: Callable[..., User]) -> User:
    return person("olga", "deployer")


@pytest.fixture
def member(person: Callable[..., User]) -> User:
    return person("max", "deployer")


@pytest.fixture
def viewer(person: Callable[..., User]) -> User:
    return person("vera", "viewer")


@pytest.fixture
def stranger(person: Callable[..., User]) -> User:
    return person("sven")


@pytest.fixture
def admin(person: Callable[..., User]) -> User:
    return person("ada", "admin")


@pytest.fixture
def cluster(db: None) -> Cluster:
    return Cluster.objects.create(name="lab", default_namespace="models")


@pytest.fixture
def memory(cluster: Cluster) -> MemoryCluster:
    """What runs behind the cluster row."""
    return cluster_of(str(cluster.pk))


@pytest.fixture
def model(db: None) -> Model:
    return create_model(parse_model({"id": "qwen3-8b", "name": "Qwen3 8B"}), by=None)


@pytest.fixture
def make_template(model: Model) -> MakeTemplate:
    def make(
        name: str = "mock-cpu", version: str = "1.0.0", *, active: bool = True, **parts: object
    ) -> ModelDeploymentTemplate:
        entry = parse_template(name=name, version=version, spec=spec_with(**parts))
        draft = create_template(model, entry, by=None)
        return activate_template(draft, by=None) if active else draft

    return make


@pytest.fixture
def template(make_template: MakeTemplate) -> ModelDeploymentTemplate:
    return make_template(
        overridable={
            "max_replicas": {"max": 4},
            "engine_args.max_model_len": {"max": 32768},
            "model_version": {},
        }
    )


@pytest.fixture
def order(template: ModelDeploymentTemplate, memory: MemoryCluster) -> MakeOrder:
    """Return an order for the one template on the one cluster, with whole fields replaced."""
    del memory  # there must be one to launch on

    def make(**fields: object) -> LaunchOrder:
        document: Mapping[str, object] = {
            "name": "demo",
            "template": {"model_id": template.model_id, "template_id": str(template.pk)},
            "implementation": {"kind": "memory"},
            **fields,
        }
        return read_order(document)

    return make


@pytest.fixture
def launch(order: MakeOrder, owner: User) -> Launch:
    def run(**fields: object) -> Deployment:
        return create_deployment(order(**fields), user=owner)

    return run


@pytest.fixture
def running(launch: Launch, cluster: Cluster) -> Deployment:
    """A deployment of two replicas that has been seen ready."""
    deployment = launch(overrides={"min_replicas": 2})
    refresh_cluster(cluster)
    return again(deployment)


@pytest.fixture
def change(owner: User) -> Change:
    def run(deployment: Deployment, *, expected: int | None = None, **body: object) -> Changed:
        order = read_change(body, expected=expected)
        return change_deployment(order, deployment=deployment, user=owner)

    return run


@pytest.fixture
def roll_back(owner: User) -> Change:
    def run(deployment: Deployment, **body: object) -> Changed:
        return change_deployment(read_rollback(body), deployment=deployment, user=owner)

    return run


@pytest.fixture
def preview(owner: User) -> Preview:
    def run(deployment: Deployment, **body: object) -> ChangePreview:
        return preview_change(read_change(body), deployment=deployment, user=owner)

    return run


@pytest.fixture
def meddle(memory: MemoryCluster) -> Callable[..., None]:
    """Change the spec of the one workload as a stranger would."""

    def run(**spec: object) -> None:
        stored = next(s for key, s in memory.objects.items() if key.kind == "MemoryWorkload")
        stored.manifest = {**stored.manifest, "spec": {**stored.manifest["spec"], **spec}}

    return run

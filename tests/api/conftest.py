"""The cast of the API: who has which role, one cluster in memory, one template to launch."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from knox.models import AuthToken
from pytest_django import Settings
from rest_framework.test import APIClient

from deployments.models import Cluster
from providers import registry
from providers.contract.manifest import Manifest
from providers.testing.memory.cluster import MemoryCluster, cluster_of, forget_clusters
from providers.testing.samples import MOCK_SPEC
from templates_app import services
from templates_app.entries import parse_model, parse_template
from templates_app.models import Model, ModelDeploymentTemplate


@pytest.fixture(autouse=True)
def _only_memory(settings: Settings) -> Iterator[None]:
    settings.SLIPWAY_PROVIDERS = ["providers.testing.memory"]
    registry.forget()
    forget_clusters()
    yield
    registry.forget()
    forget_clusters()


@dataclass(frozen=True)
class Person:
    """Someone with a token, and short calls that return status and answer."""

    user: User
    client: APIClient

    def get(self, path: str, **query: Any) -> tuple[int, Any]:
        return _told(self.client.get(f"/api/v1/{path}", query))

    def post(self, path: str, body: object, **headers: str) -> tuple[int, Any]:
        return _told(self.client.post(f"/api/v1/{path}", body, format="json", headers=headers))

    def put(self, path: str, body: object) -> tuple[int, Any]:
        return _told(self.client.put(f"/api/v1/{path}", body, format="json"))

    def patch(self, path: str, body: object, **headers: str) -> tuple[int, Any]:
        return _told(self.client.patch(f"/api/v1/{path}", body, format="json", headers=headers))

    def delete(self, path: str, body: object = None) -> tuple[int, Any]:
        return _told(self.client.delete(f"/api/v1/{path}", body, format="json"))


def _told(response: Any) -> tuple[int, Any]:
    return response.status_code, response.json() if response.content else None


@pytest.fixture
def person(db: None) -> Callable[..., Person]:
    def make(name: str, *groups: str) -> Person:
        user = User.objects.create_user(name)
        for group in groups:
            user.groups.add(Group.objects.get_or_create(name=group)[0])
        _, token = AuthToken.objects.create(user)
        client = APIClient()
        client.credentials(HTTP_AUTHORIZATION=f"Token {token}")
        return Person(user=user, client=client)

    return make


@pytest.fixture
def viewer(person: Callable[..., Person]) -> Person:
    return person("victor", "viewer")


@pytest.fixture
def owner(person: Callable[..., Person]) -> Person:
    return person("olga", "deployer")


@pytest.fixture
def member(person: Callable[..., Person]) -> Person:
    return person("mona", "deployer")


@pytest.fixture
def stranger(person: Callable[..., Person]) -> Person:
    return person("stig")


@pytest.fixture
def curator(person: Callable[..., Person]) -> Person:
    return person("kurt", "curator")


@pytest.fixture
def admin(person: Callable[..., Person]) -> Person:
    return person("ada", "admin")


@pytest.fixture
def cluster(db: None) -> Cluster:
    return Cluster.objects.create(name="harbour", default_namespace="models", kubeconfig="/unused")


@pytest.fixture
def runtime(cluster: Cluster) -> MemoryCluster:
    return cluster_of(str(cluster.pk))


@pytest.fixture
def model(db: None) -> Model:
    return services.create_model(parse_model({"id": "qwen3-06b", "name": "Qwen3 0.6B"}), by=None)


@pytest.fixture
def make_template(model: Model) -> Callable[..., ModelDeploymentTemplate]:
    def make(
        *,
        name: str = "mock",
        version: str = "1.0.0",
        spec: Manifest = MOCK_SPEC,
        active: bool = True,
    ) -> ModelDeploymentTemplate:
        entry = parse_template(name=name, version=version, spec=spec)
        template = services.create_template(model, entry, by=None)
        return services.activate_template(template, by=None) if active else template

    return make


@pytest.fixture
def template(make_template: Callable[..., ModelDeploymentTemplate]) -> ModelDeploymentTemplate:
    overridable = {
        "min_replicas": {"max": 4},
        "engine_args.max_model_len": {"max": 32768},
        "model_version": {},
    }
    return make_template(spec={**MOCK_SPEC, "overridable": overridable})


@pytest.fixture
def order(template: ModelDeploymentTemplate, runtime: MemoryCluster) -> dict[str, Any]:
    """A body that launches; tests change what they are about."""
    return {
        "name": "gsm8k-math-sample",
        "template": {"model_id": template.model_id, "template_id": str(template.pk)},
        "implementation": {"kind": "memory"},
        "overrides": {"min_replicas": 1},
    }

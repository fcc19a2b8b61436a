"""The cast of the catalogue: a curator, an admin, a viewer, one model, and specs to write down."""

from collections.abc import Callable, Iterator

import pytest
from django.contrib.auth.models import Group, User

from templates_app.entries import TemplateEntry, parse_model, parse_template
from templates_app.models import Model, ModelDeploymentTemplate
from templates_app.services import activate_template, create_model, create_template
from templates_app.signals import Change, catalogue_changed

Spec = dict[str, object]


def a_spec(**parts: object) -> Spec:
    spec: Spec = {
        "engine": {"type": "mock", "image": "docker.io/aibrix/vllm-mock:nightly"},
        "model_source": {"type": "huggingface", "uri": "mock/mock"},
        "accelerator": {"type": "cpu"},
    }
    return spec | parts


def an_entry(
    name: str = "mock-cpu", version: str = "1.0.0", spec: Spec | None = None
) -> TemplateEntry:
    return parse_template(name=name, version=version, spec=spec or a_spec())


@pytest.fixture
def person(db: None) -> Callable[..., User]:
    def make(name: str, *groups: str) -> User:
        user = User.objects.create_user(name)
        user.groups.set(Group.objects.filter(name__in=groups))
        return user

    return make


@pytest.fixture
def curator(person: Callable[..., User]) -> User:
    return person("kurt", "curator")


@pytest.fixture
def admin(person: Callable[..., User]) -> User:
    return person("ada", "admin")


@pytest.fixture
def model(db: None) -> Model:
    return create_model(parse_model({"id": "qwen3-8b", "name": "Qwen3 8B"}), by=None)


@pytest.fixture
def draft(model: Model) -> ModelDeploymentTemplate:
    return create_template(model, an_entry(), by=None)


@pytest.fixture
def active(draft: ModelDeploymentTemplate) -> ModelDeploymentTemplate:
    return activate_template(draft, by=None)


@pytest.fixture
def changes(db: None) -> Iterator[list[Change]]:
    """Collect what is told of the catalogue while a test runs."""
    heard: list[Change] = []

    def hear(change: Change, **_: object) -> None:
        heard.append(change)

    catalogue_changed.connect(hear, weak=False)
    yield heard
    catalogue_changed.disconnect(hear)

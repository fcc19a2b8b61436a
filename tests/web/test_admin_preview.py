"""What a template would become, on its admin page: exact manifests, faults by path, no cluster."""

from collections.abc import Callable, Iterator
from html import unescape

import pytest
from django.conf import LazySettings
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from providers import registry
from providers.contract.yaml_text import load_all
from templates_app import services
from templates_app.entries import parse_model, parse_template, parse_version
from templates_app.models import Model, ModelDeploymentTemplate
from templates_app.preview import preview_template
from tests.web.test_frame import Links

HOSTILE = "<script>alert(1)</script>"
ENGINE = {"type": "vllm", "version": "0.11.0", "image": "docker.io/vllm/vllm-openai:v0.11.0"}
SPEC: dict[str, object] = {
    "engine": ENGINE,
    "model_source": {"type": "huggingface", "uri": "Qwen/Qwen3-8B"},
    "accelerator": {"type": "H100", "count": 2},
    "parallelism": {"tp": 2},
}

Make = Callable[..., ModelDeploymentTemplate]


@pytest.fixture(autouse=True)
def _two_providers(settings: LazySettings) -> Iterator[None]:
    settings.SLIPWAY_PROVIDERS = ["providers.kubernetes", "providers.testing.memory"]
    registry.forget()
    yield
    registry.forget()


@pytest.fixture
def model(db: None) -> Model:
    return services.create_model(parse_model({"id": "qwen", "name": "Qwen"}), by=None)


@pytest.fixture
def make(model: Model) -> Make:
    def make(**parts: object) -> ModelDeploymentTemplate:
        spec = {key: value for key, value in {**SPEC, **parts}.items() if value is not None}
        entry = parse_template(name="chat", version="1.0.0", spec=spec)
        return services.create_template(model, entry, by=None)

    return make


def address(template: ModelDeploymentTemplate) -> str:
    return f"/admin/templates_app/modeldeploymenttemplate/{template.pk}/change/"


def shown(client: Client, template: ModelDeploymentTemplate) -> str:
    answer = client.get(address(template))
    assert answer.status_code == 200
    return unescape(answer.content.decode()).partition('id="preview"')[2]


def test_every_compatible_implementation_shows_its_exact_manifests(
    curator: Client, make: Make
) -> None:
    template = make()
    page = shown(curator, template)
    assert "Kubernetes Deployment (k8s-deployment)" in page
    assert "In memory (memory)" in page
    previews = {preview.kind: preview for preview in preview_template(template)}
    blocks = page.split("<pre")[1:]
    texts = [block.partition(">")[2].partition("</pre>")[0] for block in blocks]
    manifests = [document for text in texts for document in load_all(text)]
    wanted = [*previews["k8s-deployment"].manifests, *previews["memory"].manifests]
    assert manifests == wanted
    assert "nvidia.com/gpu" in page


def test_only_what_a_template_allows_is_rendered(curator: Client, make: Make) -> None:
    page = shown(curator, make(compatibility={"implementation_kinds": ["kubernetes"]}))
    assert "k8s-deployment" in page
    assert "In memory" not in page


def test_a_template_that_nothing_here_can_carry_says_so(curator: Client, make: Make) -> None:
    page = shown(curator, make(compatibility={"implementation_kinds": ["stormservice"]}))
    assert "No available implementation can carry this template." in page


def test_faults_are_told_by_path_instead_of_manifests(curator: Client, make: Make) -> None:
    page = shown(curator, make(engine={"type": "vllm", "version": "0.11.0"}))
    assert "engine.image: " in page
    assert "kind: Deployment" not in page


def test_a_source_is_taken_from_the_newest_version_of_the_model(
    curator: Client, make: Make, model: Model
) -> None:
    template = make(model_source=None, overridable={"model_version": {}})
    assert "overrides.model_version: the template names no source" in shown(curator, template)
    version = {"label": "awq", "source_type": "huggingface", "uri": "Qwen/Qwen3-8B-AWQ"}
    services.add_version(model, parse_version(version), by=None)
    assert "Qwen/Qwen3-8B-AWQ" in shown(curator, template)


def test_a_spec_that_can_no_longer_be_read_is_told_by_path(curator: Client, make: Make) -> None:
    template = make()
    ModelDeploymentTemplate.objects.filter(pk=template.pk).update(spec={"engine": {"typ": "x"}})
    assert "spec.engine.typ" in shown(curator, template)


def test_what_is_stored_is_shown_while_a_typed_change_is_refused(
    curator: Client, make: Make
) -> None:
    template = make()
    form = {"name": "chat", "version": "1.0.0", "spec_text": "engine: {type: nonsense}\n"}
    answer = curator.post(address(template), form)
    page = unescape(answer.content.decode()).partition('id="preview"')[2]
    assert "kind: Deployment" in page
    assert "docker.io/vllm/vllm-openai:v0.11.0" in page


def test_a_frozen_template_shows_it_too(curator: Client, make: Make) -> None:
    template = services.activate_template(make(), by=None)
    assert "kind: Deployment" in shown(curator, template)


def test_a_provider_that_fails_does_not_take_the_page_with_it(
    curator: Client, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(type(registry.get("memory")), "render", fail)
    page = shown(curator, make())
    assert "implementation.kind: failed with ZeroDivisionError" in page
    assert "kind: Deployment" in page


def test_only_curators_and_admins_see_it(
    viewer: Client, owner: Client, admin: Client, make: Make
) -> None:
    template = make()
    assert viewer.get(address(template), follow=True).status_code == 404
    assert owner.get(address(template), follow=True).status_code == 404
    assert "kind: Deployment" in shown(admin, template)


def test_nothing_of_it_is_markup_or_inline(curator: Client, make: Make) -> None:
    template = make(
        engine={**ENGINE, "command": [HOSTILE]},
        engine_args={"served": HOSTILE},
    )
    page = curator.get(address(template)).content.decode()
    assert HOSTILE not in page
    assert "&lt;script&gt;" in page
    assert Links(page).inline == []


def test_it_asks_the_database_for_one_thing_only(
    curator: Client, make: Make, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    template = ModelDeploymentTemplate.objects.select_related("model").get(pk=make().pk)
    with django_assert_num_queries(0):
        preview_template(template)

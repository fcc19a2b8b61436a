"""The catalogue to read: who may, what it says, what it never lets through, what it asks."""

import re
from html import unescape
from typing import Any

import pytest
from django.conf import LazySettings
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from console.environment import KubernetesEnvironment
from deployments.models import Cluster, Deployment
from providers.testing.samples import MOCK_SPEC
from templates_app import services
from templates_app.entries import parse_model, parse_template, parse_version
from templates_app.models import Model, ModelDeploymentTemplate

HOSTILE = '<script>alert("x")</script>'
ENGINE = {"type": "vllm", "version": "0.11.0", "image": "docker.io/vllm/vllm-openai:v0.11.0"}
GPU_SPEC = {
    "engine": ENGINE,
    "model_source": {"type": "huggingface", "uri": "Qwen/Qwen3-8B", "revision": "main"},
    "accelerator": {"type": "H100", "count": 2, "vram_gb": 80},
    "parallelism": {"tp": 2},
    "engine_args": {"max_model_len": "8192"},
    "resources": {"cpu": "8", "memory": "64Gi"},
    "supported_endpoints": ["/v1/chat/completions"],
    "compatibility": {"implementation_kinds": ["k8s-deployment"]},
    "overridable": {
        "min_replicas": {"max": 4},
        "engine_args.max_model_len": {"min": 1024, "max": 32768},
        "region": {"values": ["eu", "us"]},
    },
}


@pytest.fixture(autouse=True)
def _no_environment(settings: LazySettings) -> None:
    settings.K8S = KubernetesEnvironment()


def add_model(**fields: object) -> Model:
    document = {"id": "qwen3-8b", "name": "Qwen3 8B", "categories": ["chat"]} | fields
    return services.create_model(parse_model(document), by=None)


def add_template(
    model: Model, *, version: str = "1.0.0", **spec: object
) -> ModelDeploymentTemplate:
    entry = parse_template(name="chat", version=version, spec={**GPU_SPEC, **spec})
    return services.create_template(model, entry, by=None)


def launch(template: ModelDeploymentTemplate, name: str, **fields: object) -> Deployment:
    now = timezone.now()
    cluster, _ = Cluster.objects.get_or_create(name="fra-h100")
    return Deployment.objects.create(
        name=name,
        name_key=name,
        runtime_name=name,
        kind="k8s-deployment",
        cluster=cluster,
        namespace="chat",
        model=template.model,
        template=template,
        template_version=template.version,
        serving_name="qwen3-8b",
        intent_since=now,
        created_at=now,
        updated_at=now,
        **fields,
    )


def address(template: ModelDeploymentTemplate) -> str:
    return f"/models/{template.model_id}/templates/{template.pk}"


def text(client: Client, path: str, **headers: str) -> str:
    answer = client.get(path, headers=headers)
    assert answer.status_code == 200
    return unescape(answer.content.decode())


@pytest.mark.django_db
def test_only_who_has_a_role_reads_the_catalogue(
    anonymous: Client, stranger: Client, viewer: Client
) -> None:
    template = add_template(add_model())
    for path in ("/models", "/models/qwen3-8b", address(template)):
        assert anonymous.get(path).status_code == 302
        assert stranger.get(path).status_code == 404
        assert viewer.get(path).status_code == 200
        assert viewer.post(path).status_code == 405


def test_what_is_not_in_the_catalogue_is_not_found(viewer: Client) -> None:
    template = add_template(add_model())
    add_model(id="other", name="Other")
    for path in (
        "/models/nothing",
        f"/models/other/templates/{template.pk}",
        "/models/qwen3-8b/templates/0e0a3b1e-0000-4000-8000-000000000000",
        "/models/qwen3-8b/templates/nonsense",
        "/models/%00",
    ):
        assert viewer.get(path).status_code == 404, path


def test_a_row_tells_size_context_licence_and_what_can_be_launched(viewer: Client) -> None:
    model = add_model(parameters=8_200_000_000, context_length=32768, licence="Apache-2.0")
    services.activate_template(add_template(model), by=None)
    add_template(model, version="2.0.0")
    page = text(viewer, "/models")
    for words in ("8.2 B parameters", "32k tokens", "Apache-2.0", "1 template to launch", "chat"):
        assert words in page


def test_search_and_category_narrow_the_list_and_say_when_nothing_is_left(viewer: Client) -> None:
    add_model()
    add_model(id="bge-m3", name="BGE M3", categories=["embedding"])
    assert "BGE M3" not in text(viewer, "/models?search=qwen")
    assert "Qwen3 8B" not in text(viewer, "/models?category=embedding")
    assert "No model matches" in text(viewer, "/models?search=qwen&category=embedding")


def test_a_search_by_htmx_gets_the_rows_alone(viewer: Client) -> None:
    add_model()
    rows = text(viewer, "/models?search=qwen", **{"HX-Request": "true"})
    assert rows.lstrip().startswith('<div id="models"')
    assert "Qwen3 8B" in rows
    assert "<html" not in rows
    assert "<html" in text(viewer, "/models?search=qwen")


def test_a_category_that_nobody_uses_is_an_error_beside_it(viewer: Client) -> None:
    add_model()
    answer = viewer.get("/models?category=nothing")
    assert answer.status_code == 422
    assert "nothing is not one of the available choices" in unescape(answer.content.decode())


def test_a_search_that_is_too_long_is_named_and_kept(viewer: Client) -> None:
    answer = viewer.get(f"/models?search={'x' * 201}")
    page = answer.content.decode()
    assert answer.status_code == 422
    assert ">Search: use at most 200 characters.</p>" in page
    assert re.search(r'<input[^>]* aria-invalid="true"[^>]* value="x{201}"', page)


@pytest.mark.parametrize(
    "query", ["search=%00", f"search={'x' * 5000}", "page=nonsense", "page=-1"]
)
def test_nonsense_in_the_address_breaks_nothing(viewer: Client, query: str) -> None:
    add_model()
    assert viewer.get(f"/models?{query}").status_code in {200, 400, 422}


def test_pages_of_a_narrowed_list_keep_what_it_is_narrowed_to(viewer: Client) -> None:
    for number in range(51):
        add_model(id=f"m{number:02}", name=f"Model {number:02}")
    page = text(viewer, "/models?search=model&category=chat")
    assert 'href="?search=model&category=chat&page=2"' in page
    assert "Model 50" in text(viewer, "/models?search=model&category=chat&page=2")


def test_a_model_lists_its_templates_by_name_with_the_newest_first(viewer: Client) -> None:
    model = add_model()
    for version in ("1.9.0", "1.10.0", "1.2.0"):
        add_template(model, version=version)
    page = text(viewer, "/models/qwen3-8b")
    places = [page.index(f"chat {version}<") for version in ("1.10.0", "1.9.0", "1.2.0")]
    assert places == sorted(places)
    assert "2 × H100 80 GB, 8 CPU, 64Gi memory" in page


def test_a_model_tells_its_versions_and_how_much_runs(viewer: Client) -> None:
    model = add_model()
    version = {"label": "awq", "source_type": "huggingface", "uri": "Qwen/Qwen3-8B-AWQ"}
    services.add_version(model, parse_version(version), by=None)
    template = add_template(model)
    launch(template, "one")
    launch(template, "two")
    launch(template, "gone", closed_at=timezone.now())
    page = text(viewer, "/models/qwen3-8b")
    assert "Qwen/Qwen3-8B-AWQ" in page
    assert "2 deployments run it" in page
    assert "2 now" in page


def test_a_template_tells_needs_bounds_spec_and_what_runs_it(viewer: Client) -> None:
    template = add_template(add_model())
    launch(template, "one")
    page = text(viewer, address(template))
    for words in (
        "vLLM 0.11.0",
        "Hugging Face: Qwen/Qwen3-8B at main",
        "1024 to 32768",
        'Replicas, at least <code class="sub">min_replicas</code>',
        'max_model_len <code class="sub">engine_args.max_model_len</code>',
        "at most 4",
        "one of eu, us",
        "15 min",
        "<dt>Runs as</dt><dd>Kubernetes Deployment</dd>",
        'max_model_len: "8192"',
        "1 deployment</a> runs it now",
    ):
        assert words in page, words


def test_a_template_of_a_serving_runtime_tells_which_one_runs_it(viewer: Client) -> None:
    runtime = {"format": "vLLM", "name": "kserve-vllmserver"}
    engine = {"type": "vllm", "version": "0.11.0"}
    template = add_template(add_model(), engine=engine, serving_runtime=runtime)
    page = text(viewer, address(template))
    assert "by the serving runtime kserve-vllmserver" in page


@pytest.mark.parametrize(
    ("kinds", "parts", "told"),
    [
        ([], {}, "any implementation"),
        ([], {"serving_runtime": {"format": "vLLM"}}, "KServe InferenceService"),
        (
            ["k8s-deployment", "kserve-inferenceservice"],
            {"serving_runtime": {"format": "vLLM"}},
            "KServe InferenceService",
        ),
        (
            ["k8s-deployment"],
            {"serving_runtime": {"format": "vLLM"}},
            "none that is installed in this console",
        ),
        (["aibrix", "kserve"], {}, "AIBrix StormService, KServe InferenceService"),
        (["acme", "kserve"], {}, "KServe InferenceService, acme (not installed in this console)"),
        (["acme"], {}, "acme (not installed in this console)"),
    ],
)
def test_a_template_tells_what_can_run_it(
    viewer: Client, kinds: list[str], parts: dict[str, Any], told: str
) -> None:
    engine = {"type": "vllm", "version": "0.11.0"} if parts else ENGINE
    compatibility = {"implementation_kinds": kinds} if kinds else None
    template = add_template(add_model(), engine=engine, compatibility=compatibility, **parts)
    assert f"<dt>Runs as</dt><dd>{told}</dd>" in text(viewer, address(template))


@pytest.mark.django_db
def test_a_template_tells_what_its_engine_says_against_it(viewer: Client) -> None:
    template = add_template(add_model(), engine_args={"max_model_len": "8k"})
    page = text(viewer, address(template))
    assert "What stands against it" in page
    assert "spec.engine_args.max_model_len" in page


def test_a_spec_that_can_no_longer_be_read_is_shown_as_such(viewer: Client) -> None:
    template = add_template(add_model())
    ModelDeploymentTemplate.objects.filter(pk=template.pk).update(spec={"engine": {"typ": "x"}})
    assert "cannot be read" in text(viewer, address(template))
    assert "cannot be read" in text(viewer, "/models/qwen3-8b")


def test_names_and_texts_of_people_are_never_markup(viewer: Client) -> None:
    model = add_model(
        name=f"A {HOSTILE}", description=HOSTILE, licence=HOSTILE, tags=[HOSTILE],
        categories=[HOSTILE], serving_name="served",
    )  # fmt: skip
    template = add_template(model, engine={**ENGINE, "command": [HOSTILE]})
    for path in ("/models", f"/models/{model.pk}", address(template)):
        page = viewer.get(path).content.decode()
        assert "<script>alert" not in page
        assert "&lt;script&gt;" in page


def test_each_person_is_offered_what_they_may_do(
    viewer: Client, owner: Client, curator: Client
) -> None:
    template = services.activate_template(add_template(add_model()), by=None)
    edit = "/admin/templates_app/"
    ways = {
        "/models/qwen3-8b": "/launch?model=qwen3-8b",
        address(template): f"/launch/place?model=qwen3-8b&template={template.pk}",
    }
    for path, way in ways.items():
        assert way not in text(viewer, path)
        assert edit not in text(viewer, path)
        assert way in text(owner, path)
        assert edit in text(curator, path)


def test_a_template_that_cannot_be_launched_offers_no_launch(owner: Client) -> None:
    template = add_template(add_model())
    assert "?model=" not in text(owner, address(template))
    assert "?model=" not in text(owner, "/models/qwen3-8b")


@pytest.mark.parametrize("rows", [1, 200])
def test_lists_cost_the_same_however_long_they_are(
    viewer: Client, rows: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    model = add_model()
    for number in range(rows - 1):
        Model.objects.create(id=f"m{number}", name=f"M {number}", serving_name="m")
    spec = {**MOCK_SPEC}
    ModelDeploymentTemplate.objects.bulk_create(
        ModelDeploymentTemplate(
            model=model, name="chat", version=f"1.{n}.0", version_key=f"1.{n}", spec=spec
        )
        for n in range(rows)
    )
    for path, queries in (("/models", 7), ("/models/qwen3-8b", 8)):
        with django_assert_num_queries(queries):
            viewer.get(path)


def test_first_steps_name_a_template_that_needs_no_accelerator(
    owner: Client, viewer: Client
) -> None:
    Cluster.objects.create(name="fra-h100")
    page = text(owner, "/deployments")
    assert "Accelerators free on <b>fra-h100</b>: not counted." in page
    assert "None can be launched yet." in page
    services.activate_template(add_template(add_model()), by=None)
    page = text(owner, "/deployments")
    assert "1 template for 1 model can be launched" in page
    assert "smallest model" in page
    mock = add_model(id="mock", name="Mock")
    entry = parse_template(name="mock-cpu", version="1.0.0", spec=MOCK_SPEC)
    services.activate_template(services.create_template(mock, entry, by=None), by=None)
    page = text(owner, "/deployments")
    assert "mock-cpu 1.0.0" in page
    assert "/launch?model=mock" in page
    assert "may look but not launch" in text(viewer, "/deployments")


def test_who_is_signed_in_keeps_the_frame_around_an_error(
    viewer: Client, stranger: Client, anonymous: Client
) -> None:
    for client, framed in ((viewer, True), (stranger, False), (anonymous, False)):
        page = client.get("/nothing", headers={"X-Request-ID": "proxy-12345"}).content.decode()
        assert ('aria-label="Main"' in page) is framed
        assert "request proxy-12345" in page

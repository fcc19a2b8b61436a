"""One model and one template: what they say, offer, and never let through."""

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from templates_app import services
from templates_app.entries import parse_version
from templates_app.models import ModelDeploymentTemplate
from tests.web.catalogue.stocked import (
    ENGINE,
    HOSTILE,
    add_model,
    add_template,
    address,
    launch,
    text,
)


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

"""The second step: what each template needs, what is free, and why one cannot be had."""

import pytest
from pytest_django import DjangoAssertNumQueries

from providers.contract.capacity import AcceleratorCapacity
from providers.testing.memory.cluster import MemoryCluster
from providers.testing.samples import spec_with
from templates_app.entries import parse_model, parse_version
from templates_app.models import Model, ModelDeploymentTemplate
from templates_app.services import add_version, create_model, deprecate_template
from tests.web.launch.flow import Flow, MakeTemplate, came_up

H100 = {"type": "H100", "count": 2}


def test_a_template_says_what_it_needs_what_is_free_and_what_it_serves(flow: Flow) -> None:
    page = flow.entering(template=None).page("template")
    for fact in (
        "mock 1.0.0",
        "2 × H100",
        "Fits now, 4 times",
        "9 of 16 H100 on harbour",
        "/v1/chat/completions",
        "harbour was counted",
    ):
        assert fact in page


@pytest.mark.parametrize(
    ("count", "free", "largest", "word"),
    [
        (2, 2, 2, "Fits now, once"),
        (2, 4, 4, "Fits now, twice"),
        (8, 9, 5, "Would wait"),
        (2, 1, 1, "Would wait"),
        (2, 0, 0, "Would wait"),
    ],
)
def test_room_is_said_in_a_word(
    flow: Flow,
    make_template: MakeTemplate,
    runtime: MemoryCluster,
    count: int,
    free: int,
    largest: int,
    word: str,
) -> None:
    runtime.accelerators = (
        AcceleratorCapacity(
            type="H100", resource="x", total=16, free=free, largest_free_on_one_node=largest
        ),
    )
    ModelDeploymentTemplate.objects.all().delete()
    make_template("only", accelerator={"type": "H100", "count": count})
    page = flow.entering(template=None).page("template")
    assert word in page
    assert ("a replica would wait" in page) is (word == "Would wait")


def test_what_nobody_counted_may_be_chosen_and_says_so(
    flow: Flow, make_template: MakeTemplate
) -> None:
    make_template("rare", accelerator={"type": "B200", "count": 8})
    page = flow.entering(template=None).page("template")
    assert "No cluster has counted B200; the review will say whether it can run." in page


def test_a_template_on_cpu_needs_no_accelerator(flow: Flow, make_template: MakeTemplate) -> None:
    make_template("cpu")
    assert "Needs none" in flow.entering(template=None).page("template")


def test_a_deprecated_template_says_so_names_its_successor_and_cannot_be_chosen(
    flow: Flow, make_template: MakeTemplate
) -> None:
    old = make_template("mock", "0.9.0")
    deprecate_template(old, by=None)
    page = flow.page("template")
    assert "It is deprecated and no longer offered. 1.0.0 replaces it." in page
    assert f'value="{old.pk}" required aria-describedby="template-{old.pk}-facts' in page
    assert " disabled>" in page
    refused = flow.entering(template=str(old.pk)).page("template", status=422)
    assert "mock 0.9.0 cannot be had: It is deprecated" in refused


def test_drafts_are_not_offered(flow: Flow, make_template: MakeTemplate) -> None:
    make_template("secret-draft", active=False)
    assert "secret-draft" not in flow.page("template")


@pytest.mark.parametrize(
    ("parts", "reason"),
    [
        (
            {"compatibility": {"implementation_kinds": ["stormservice"]}},
            "The template allows only stormservice.",
        ),
        (
            {"topology": {"kind": "multi-node", "nodes": 2}},
            "It cannot run a multi-node topology.",
        ),
        ({"serving_runtime": {"format": "vLLM"}}, "It cannot run a model by its format."),
        ({"engine": {"image": ""}}, "It names no image to run; a curator must add one."),
    ],
)
def test_an_unfit_template_says_why_and_cannot_be_chosen(
    flow: Flow, make_template: MakeTemplate, parts: dict[str, object], reason: str
) -> None:
    unfit = make_template("unfit")
    # As if a console of before had let it pass.
    ModelDeploymentTemplate.objects.filter(pk=unfit.pk).update(spec=spec_with(**parts))
    assert reason in flow.page("template")
    where, page = flow.entering(template=str(unfit.pk)).sent_back("place")
    assert where == "/launch/template"
    assert "unfit 1.0.0 cannot be had: " in page
    assert reason in page


def test_one_that_cannot_be_read_any_more_does_not_break_the_page(
    flow: Flow, make_template: MakeTemplate
) -> None:
    broken = make_template("broken")
    ModelDeploymentTemplate.objects.filter(pk=broken.pk).update(spec={"engine": 1})
    assert "It cannot be read; a curator must correct it" in flow.page("template")


def test_a_version_is_refused_by_a_template_with_a_source_of_its_own(
    flow: Flow, model: Model
) -> None:
    entry = parse_version({"label": "v2", "source_type": "huggingface", "uri": "Qwen/Qwen3-8B"})
    add_version(model, entry, by=None)
    where, page = flow.entering(model="qwen3-8b@v2").sent_back("place")
    assert where == "/launch/template"
    assert "It serves its own source and does not take version v2." in page


@pytest.mark.parametrize(
    "wrong", ["6f1c2a53-3f0e-4c43-9b1a-2d1f0a8f2b11", "x", "<script>alert(1)</script>"]
)
def test_a_stale_or_wrong_template_is_sent_back_with_the_reason(flow: Flow, wrong: str) -> None:
    where, page = flow.entering(template=wrong).sent_back("review")
    assert where == "/launch/template"
    assert "Qwen3 8B has no such template (any more); choose another." in page
    assert "<script>alert" not in page


def test_what_only_the_engine_refuses_is_told_at_the_template(
    flow: Flow, template: ModelDeploymentTemplate
) -> None:
    engine = {"type": "vllm", "version": "0.11.0", "image": "docker.io/vllm/vllm-openai:v0.11.0"}
    spec = {**template.spec, "engine": engine, "parallelism": {"tp": 2}}
    spec["engine_args"] = {"max_model_len": "8k"}
    ModelDeploymentTemplate.objects.update(spec=spec)
    where, page = flow.sent_back("review")
    assert where == "/launch/template"
    assert "spec.engine_args.max_model_len" in page


def test_another_model_s_template_is_as_good_as_none(flow: Flow) -> None:
    create_model(parse_model({"id": "other", "name": "Other"}), by=None)
    where, page = flow.entering(model="other").sent_back("place")
    assert where == "/launch/template"
    assert "Other has no such template" in page


def test_going_on_without_a_template_leads_back_with_the_reason(flow: Flow) -> None:
    where, page = flow.entering(template=None).sent_back("place")
    assert where == "/launch/template"
    assert "Choose a template first." in page


def test_htmx_is_led_to_another_page_as_a_whole(flow: Flow) -> None:
    answer = flow.entering(template=None).get("place", htmx=True)
    assert answer.status_code == 200
    assert answer.headers["HX-Redirect"].startswith("/launch/template?model=qwen3-8b")


def test_how_long_it_usually_takes_is_said_before_the_launch(
    flow: Flow, make_template: MakeTemplate
) -> None:
    never = make_template("never")
    template = ModelDeploymentTemplate.objects.exclude(pk=never.pk).get()
    came_up(template, 360, 420, 480, 540)
    page = flow.entering(template=None).page("template")
    assert "usually 6 to 9 min, from 4 starts; at most" in page
    assert page.count("usually") == 1


@pytest.mark.parametrize("extra", [0, 30])
def test_the_page_takes_as_many_queries_for_many_templates_as_for_one(
    flow: Flow,
    make_template: MakeTemplate,
    extra: int,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    for number in range(extra):
        make_template(f"t-{number}", accelerator=H100)
    flow.page("template")
    # session, person, role, model, the chosen one, the K8S_* row, clusters, templates, their load
    # times, banner
    with django_assert_num_queries(11):
        page = flow.page("template")
    assert len(page) < 60_000

"""The fourth step: prefilled from the template, bounds beside the fields, errors where they are."""

import re

import pytest
from pytest_django import DjangoAssertNumQueries

from deployments.models import Deployment
from providers.testing.memory.cluster import MemoryCluster
from templates_app.models import ModelDeploymentTemplate
from tests.web.launch.flow import Flow, MakeTemplate


def told_above(page: str) -> list[str]:
    """Return what the first list of faults on a page says, entry by entry."""
    found = re.search('<ul class="told">(.*?)</ul>', page)
    assert found
    return re.findall("<li>(.*?)</li>", found[1])


def test_fields_are_prefilled_from_the_template_with_their_bounds(flow: Flow) -> None:
    page = flow.entering(name=None).page("overrides")
    for piece in (
        'name="name" value="Qwen3 8B"',
        'name="min_replicas" value="1"',
        "At most 4; the template has 1.",
        'name="max_replicas" value="2"',
        'name="arg.max_model_len" value="8192"',
        "From 1024 to 32768; the template has 8192.",
        'name="arg.dtype"',
        '<option value="bfloat16">bfloat16</option>',
        "The template has off.",
    ):
        assert piece in page


def test_what_was_entered_comes_back_and_is_marked(flow: Flow) -> None:
    page = flow.entering(min_replicas="3", arg__max_model_len="16384").page("overrides")
    assert 'name="min_replicas" value="3"' in page
    assert 'name="arg.max_model_len" value="16384"' in page
    assert page.count("data-changed") == 2


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("name", "", "Name</a>: is required."),
        ("name", "x" * 201, "Is too long"),
        ("min_replicas", "9", "Must be at most 4; 9 was given."),
        ("min_replicas", "many", "whole number"),
        ("min_replicas", "-1", "greater than or equal to 0"),
        ("arg.max_model_len", "999999", "Must be at most 32768; 999999 was given."),
        ("arg.max_model_len", "8k", "Must be a number, because the template bounds it."),
        ("arg.gpu_memory_utilization", "0.5", "The template does not allow to override this."),
        ("region", "MARS", "harbour is in the region EU, not in MARS"),
        ("enable_auto_scaling", "maybe", "true or false"),
        ("rollout", "rolling", "surge"),
    ],
)
def test_a_wrong_value_is_sent_back_and_told_beside_its_field(
    flow: Flow, field: str, value: str, sentence: str
) -> None:
    where, page = flow.entering(**{field.replace(".", "__"): value}).sent_back("review")
    assert where == "/launch/overrides"
    assert sentence.casefold() in page.casefold()


def test_an_error_stands_below_its_own_field(flow: Flow) -> None:
    page = flow.entering(min_replicas="9").page("overrides", status=422)
    assert 'id="field-min_replicas-error">Must be at most 4; 9 was given.' in page
    assert 'aria-describedby="field-min_replicas-error field-min_replicas-hint"' in page
    assert page.count('aria-invalid="true"') == 1


def test_every_field_at_fault_is_named_above_and_leads_to_its_input(flow: Flow) -> None:
    wrong = flow.entering(
        max_replicas="99", min_replicas="9", arg__max_model_len="9", arg__none="1"
    )
    where, page = wrong.sent_back("review")
    assert where == "/launch/overrides"
    assert told_above(page) == [
        '<a href="#field-min_replicas">Replicas, at least</a>: must be at most 4; 9 was given.',
        '<a href="#field-max_replicas">Replicas, at most</a>: must be at most 8; 99 was given.',
        '<a href="#field-arg-max_model_len">max_model_len</a>: must be at least 1024; 9 was given.',
        "<b>none</b>: the template does not allow to override this.",
    ]
    assert all(f'id="{anchor}"' in page for anchor in re.findall('href="#(field-[^"]+)"', page))


def test_a_cluster_out_of_the_region_is_told_of_the_region(flow: Flow) -> None:
    page = flow.entering(region="MARS").page("overrides", status=422)
    [told] = told_above(page)
    assert told.startswith('<a href="#field-region">Region</a>: harbour is in the region EU')


def test_autoscaling_wants_a_maximum_that_is_not_below_the_minimum(flow: Flow) -> None:
    wrong = flow.entering(enable_auto_scaling="true", min_replicas="4", max_replicas="3")
    assert "Must be at least “Replicas, at least” (4); 3 was given." in wrong.page(
        "overrides", status=422
    )


def test_the_way_to_roll_out_is_chosen_and_kept(flow: Flow) -> None:
    page = flow.page("overrides")
    assert "How a change replaces pods. The template has automatic." in page
    chosen = flow.entering(rollout="replace")
    chosen.post(chosen.review())
    revision = Deployment.objects.get().revisions.get()
    assert revision.overrides["rollout"] == "replace"
    assert revision.rollout == "replace"


def test_a_taken_name_is_told_here_already(flow: Flow, template: ModelDeploymentTemplate) -> None:
    flow.post(flow.review())
    assert Deployment.objects.count() == 1
    page = flow.entering(name="docs CHAT").page("overrides", status=422)
    assert "docs CHAT is taken in the namespace models; choose another name." in page


def test_the_outlook_counts_what_is_needed_free_and_more_at_max(flow: Flow) -> None:
    grown = flow.entering(enable_auto_scaling="true", min_replicas="2", max_replicas="4")
    page = grown.page("overrides")
    told = (
        "H100 accelerators: in use by others 7, needed now 4, more at max replicas 4, stay free 1."
    )
    assert told in page


def test_the_outlook_shows_what_is_missing(flow: Flow, runtime: MemoryCluster) -> None:
    page = flow.entering(min_replicas="4", enable_auto_scaling="true", max_replicas="8").page(
        "overrides"
    )
    assert "needed now 8, more at max replicas 1, missing at max replicas 7." in page


def test_htmx_gets_the_outlook_only(flow: Flow) -> None:
    answer = flow.entering(min_replicas="3").get("overrides", htmx=True)
    page = answer.content.decode()
    assert answer.status_code == 200
    assert page.strip().startswith('<div class="stack sticky" id="outlook"')
    assert "Needed now <b>6</b>" in page
    assert "min_replicas=3" in answer.headers["HX-Replace-Url"]
    assert "<html" not in page


def test_htmx_is_told_of_a_wrong_value_in_the_same_place(flow: Flow) -> None:
    answer = flow.entering(min_replicas="9").get("overrides", htmx=True)
    assert answer.status_code == 422
    [told] = told_above(answer.content.decode())
    assert told.endswith(">Replicas, at least</a>: must be at most 4; 9 was given.")


def test_a_template_without_a_maximum_and_with_autoscaling_leaves_it_open(
    flow: Flow, make_template: MakeTemplate
) -> None:
    open_ended = make_template("open-ended", scaling_defaults={"enable_auto_scaling": True})
    page = flow.entering(template=str(open_ended.pk), name=None).page("overrides")
    assert "It depends on how many replicas you want." in page


def test_what_is_entered_is_text_never_markup(flow: Flow) -> None:
    nasty = '"><script>x</script>'
    page = flow.entering(name=nasty, arg__max_model_len=nasty, region=nasty).get("overrides")
    assert "<script>x" not in page.content.decode()


def test_back_keeps_what_was_entered(flow: Flow) -> None:
    entered = flow.entering(min_replicas="3", arg__dtype="bfloat16")
    for step in ("model", "template", "place"):
        page = entered.page(step)
        assert '<input type="hidden" name="min_replicas" value="3">' in page
        assert '<input type="hidden" name="arg.dtype" value="bfloat16">' in page
        assert '<input type="hidden" name="name" value="Docs chat">' in page


def test_the_page_takes_few_queries(
    flow: Flow, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    flow.page("overrides")
    with django_assert_num_queries(15):
        page = flow.page("overrides")
    assert len(page) < 60_000

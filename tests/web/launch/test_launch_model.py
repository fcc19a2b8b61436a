"""The first step: search, category, versions, and models that cannot be launched."""

import pytest
from pytest_django import DjangoAssertNumQueries

from templates_app.entries import parse_model, parse_version
from templates_app.models import Model
from templates_app.services import add_version, create_model
from tests.web.launch.flow import HTMX, Flow, MakeTemplate


def test_a_model_with_an_active_template_can_be_chosen(flow: Flow) -> None:
    page = flow.entering(model=None).page("model")
    assert 'value="qwen3-8b" required' in page
    assert "1 template<" in page
    assert "1 model in the catalogue." in page


def test_a_model_without_an_active_template_says_why_and_cannot_be_chosen(flow: Flow) -> None:
    create_model(parse_model({"id": "bare", "name": "A bare one"}), by=None)
    page = flow.page("model")
    assert "No template of it is active yet" in page
    assert 'value="bare" required aria-describedby="model-bare-facts" disabled' in page
    assert page.index("Qwen3 8B") < page.index("A bare one")


@pytest.mark.parametrize(
    ("query", "count"),
    [("search=qwen3", 1), ("search=nothing", 0), ("category=Chat", 1), ("category=vision", 0)],
)
def test_search_and_category_narrow_the_models(flow: Flow, query: str, count: int) -> None:
    page = flow.client.get(f"/launch?{query}").content.decode()
    assert page.count('class="choice"') == count
    assert ("No model matches" in page) is (count == 0)


def test_htmx_gets_the_models_only(flow: Flow) -> None:
    answer = flow.client.get("/launch?search=qwen", headers=HTMX)
    page = answer.content.decode()
    assert answer.status_code == 200
    assert page.strip().startswith('<form class="stack" id="models"')
    assert "<html" not in page


def test_versions_are_offered_where_a_template_takes_them(
    flow: Flow, make_template: MakeTemplate, version: str
) -> None:
    assert "qwen3-8b@" not in flow.page("model")
    make_template("open", overridable={"model_version": {}})
    page = flow.entering(model=f"qwen3-8b@{version}").page("model")
    assert f'value="qwen3-8b@{version}" required checked' in page
    assert "As the template says" in page


def test_a_model_that_is_gone_is_told(flow: Flow) -> None:
    page = flow.entering(model="gone").page("model", status=422)
    assert "There is no gone in the catalogue any more; choose another." in page


def test_a_version_that_is_gone_is_told(flow: Flow) -> None:
    page = flow.entering(model="qwen3-8b@v9").page("model", status=422)
    assert "There is no version v9 of qwen3-8b" in page


def test_going_on_without_a_model_leads_back_with_the_reason(flow: Flow) -> None:
    where, page = flow.entering(model=None).sent_back("template")
    assert where == "/launch"
    assert '<b>Choose a model first.</b> <a href="#models">' in page
    assert 'id="models"' in page


def test_the_chosen_model_stays_on_the_page_when_a_search_hides_it(flow: Flow) -> None:
    page = flow.client.get("/launch?model=qwen3-8b&search=nothing").content.decode()
    assert 'value="qwen3-8b" required' in page
    assert "checked" in page


def test_names_are_text_never_markup(flow: Flow, model: Model) -> None:
    Model.objects.update(name="<script>x</script>", description="<img src=x>")
    page = flow.page("model")
    assert "<script>x" not in page
    assert "<img" not in page


@pytest.mark.parametrize("extra", [0, 50])
def test_the_page_takes_as_many_queries_for_many_models_as_for_one(
    flow: Flow, extra: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(extra):
        create_model(parse_model({"id": f"m-{number}", "name": f"Model {number}"}), by=None)
    flow.page("model")
    # session, person, role, the chosen one, count, models, versions, templates, categories, banner
    with django_assert_num_queries(10):
        page = flow.page("model")
    assert len(page) < 60_000


@pytest.mark.parametrize("nasty", ["%00", "a" * 5000, "%ff", "@", "/"])
def test_nonsense_in_the_address_is_told_not_crashed_on(flow: Flow, nasty: str) -> None:
    for path in ("/launch", "/launch/template", "/launch/place", "/launch/overrides"):
        answer = flow.client.get(f"{path}?model={nasty}&search={nasty}&page={nasty}", follow=True)
        assert answer.status_code in {200, 400, 422}


@pytest.fixture
def version(model: Model) -> str:
    entry = parse_version({"label": "v2", "source_type": "huggingface", "uri": "Qwen/Qwen3-8B"})
    return add_version(model, entry, by=None).label

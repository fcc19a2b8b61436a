from uuid import uuid4

import pytest
from pytest_django import DjangoAssertNumQueries

from templates_app import selectors, services
from templates_app.entries import parse_model
from templates_app.exceptions import Invalid, ModelMissing, TemplateMissing
from templates_app.models import Model, ModelDeploymentTemplate

from .conftest import an_entry


def _templates(model: Model, *versions: str, name: str = "mock-cpu") -> None:
    for version in versions:
        draft = services.create_template(model, an_entry(name=name, version=version), by=None)
        services.activate_template(draft, by=None)


def test_the_latest_active_is_the_latest_by_version_not_by_letter_or_date(model: Model) -> None:
    _templates(model, "1.10", "1.9", "1.10-rc2", "v1.2")
    services.create_template(model, an_entry(version="2.0"), by=None)
    assert selectors.latest_active(model).version == "1.10"


def test_a_deprecated_version_is_not_the_latest_active(model: Model) -> None:
    _templates(model, "1", "2")
    services.deprecate_template(selectors.latest_active(model), by=None)
    assert selectors.latest_active(model, name="mock-cpu").version == "1"


def test_without_an_active_one_there_is_no_latest(draft: ModelDeploymentTemplate) -> None:
    with pytest.raises(TemplateMissing):
        selectors.latest_active(draft.model)
    with pytest.raises(TemplateMissing):
        selectors.latest_active(draft.model, name="other")


def test_templates_come_by_name_and_newest_first(model: Model) -> None:
    _templates(model, "1.9", "1.10", name="b")
    _templates(model, "3", name="a")
    listed = [(found.name, found.version) for found in selectors.templates_of(model)]
    assert listed == [("a", "3"), ("b", "1.10"), ("b", "1.9")]
    assert [found.name for found in selectors.templates_of(model, name="a")] == ["a"]


def test_templates_are_found_by_status_and_an_unknown_one_is_told(model: Model) -> None:
    _templates(model, "1")
    services.create_template(model, an_entry(version="2"), by=None)
    assert [t.version for t in selectors.templates_of(model, status="draft")] == ["2"]
    with pytest.raises(Invalid) as caught:
        selectors.templates_of(model, status="gone")
    assert list(caught.value.fields) == ["status"]


def test_a_template_is_found_under_its_own_model_only(active: ModelDeploymentTemplate) -> None:
    other = services.create_model(parse_model({"name": "Other"}), by=None)
    assert selectors.find_template("qwen3-8b", str(active.pk)) == active
    for model_id, template_id in [
        (other.pk, str(active.pk)),
        ("qwen3-8b", str(uuid4())),
        ("qwen3-8b", "not a uuid"),
    ]:
        with pytest.raises(TemplateMissing):
            selectors.find_template(model_id, template_id)


@pytest.mark.parametrize("version", ["1", "v1.0", "1.0.0"])
def test_a_version_is_found_in_every_spelling(draft: ModelDeploymentTemplate, version: str) -> None:
    found = selectors.find_template_by_name(draft.model, "mock-cpu", version=version)
    assert found == draft


@pytest.mark.parametrize("version", ["2", "latest", "1\0"])
def test_a_version_that_is_not_there_is_missing(
    draft: ModelDeploymentTemplate, version: str
) -> None:
    with pytest.raises(TemplateMissing):
        selectors.find_template_by_name(draft.model, "mock-cpu", version=version)


@pytest.fixture
def shelf(db: None) -> None:
    for document in (
        {"id": "llama", "name": "Llama 3", "categories": ["Chat"], "tags": ["gated"]},
        {"id": "bge", "name": "BGE M3", "categories": ["embedding"], "serving_name": "bge/m3"},
        {"id": "gross", "name": "GROẞ", "description": "Ein großes Modell", "categories": ["chat"]},
    ):
        services.create_model(parse_model(document), by=None)


@pytest.mark.usefixtures("shelf")
@pytest.mark.parametrize(
    ("search", "ids"),
    [
        ("LLAMA", ["llama"]),
        ("gated llama", ["llama"]),
        ("BGE/M3", ["bge"]),
        ("gross", ["gross"]),
        ("groß MODELL", ["gross"]),
        ("%", []),
        ("llama bge", []),
        ("   ", ["bge", "gross", "llama"]),
        ("", ["bge", "gross", "llama"]),
    ],
)
def test_a_search_finds_models_that_hold_every_word(search: str, ids: list[str]) -> None:
    assert [model.pk for model in selectors.models_for(search=search)] == ids


@pytest.mark.usefixtures("shelf")
def test_categories_are_compared_whole_and_without_case() -> None:
    assert [m.pk for m in selectors.models_for(category="CHAT")] == ["gross", "llama"]
    assert not selectors.models_for(category="cha")
    assert [word.lower() for word in selectors.categories()] == ["chat", "embedding"]


@pytest.mark.usefixtures("shelf")
@pytest.mark.parametrize("text", ["bge", "bge m3", "BGE M3", "bge/m3"])
def test_a_base_model_is_known_by_id_name_and_serving_name(text: str) -> None:
    assert selectors.find_base_model(text).pk == "bge"


@pytest.mark.django_db
def test_an_unknown_model_is_missing() -> None:
    for find in (selectors.find_model, selectors.find_base_model):
        with pytest.raises(ModelMissing):
            find("nothing")


def test_listing_templates_takes_one_query_however_many(
    model: Model, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    _templates(model, *(str(number) for number in range(1, 21)))
    with django_assert_num_queries(1):
        for template in selectors.templates_of(model):
            services.warnings_of(template)

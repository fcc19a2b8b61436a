"""The catalogue to read: who may, what narrows it, what it asks."""

import re
from html import unescape

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from deployments.models import Cluster
from providers.testing.samples import MOCK_SPEC
from templates_app import services
from templates_app.entries import parse_template
from templates_app.models import Model, ModelDeploymentTemplate
from tests.web.catalogue.stocked import add_model, add_template, address, text


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

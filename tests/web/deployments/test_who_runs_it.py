"""A template's page tells who runs it and older versions, and what moving them would change."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from deployments.models import Deployment
from deployments.services.deleting import delete_deployment
from providers.testing.samples import spec_with
from templates_app import services
from templates_app.entries import parse_template
from templates_app.models import ModelDeploymentTemplate

Launch = Callable[..., Deployment]


@pytest.fixture
def newer(template: ModelDeploymentTemplate) -> ModelDeploymentTemplate:
    """Version 1.1.0: another image, and an argument."""
    spec = spec_with(
        engine={"image": "docker.io/aibrix/vllm-mock:v0.4.0"},
        engine_args={"max_model_len": "16384"},
        overridable={"min_replicas": {"max": 2}},
    )
    entry = parse_template(name="mock", version="1.1.0", spec=spec)
    made = services.create_template(template.model, entry, by=None)
    return services.activate_template(made, by=None)


def page_of(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200
    return answer.content.decode()


def address(template: ModelDeploymentTemplate) -> str:
    return f"/models/{template.model_id}/templates/{template.pk}"


def plain(page: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))


def test_it_counts_who_is_on_this_version_and_who_on_older_ones(
    viewer: Client, launch: Launch, newer: ModelDeploymentTemplate, template: Any
) -> None:
    launch("one")
    launch("two")

    said = plain(page_of(viewer, address(newer)))
    assert "Nothing runs it now; 2 deployments run an older version." in said
    assert "2 deployments run it now." in plain(page_of(viewer, address(template)))
    assert "one harbour / models, version 1.0.0" in said


def test_it_says_what_moving_from_an_older_version_changes(
    viewer: Client, launch: Launch, newer: ModelDeploymentTemplate
) -> None:
    made = launch("one")

    page = page_of(viewer, address(newer))
    assert "max_model_len none → 16384" in plain(page)
    assert f"/deployments/{made.pk}/newer/{newer.pk}" in page


def test_what_is_closed_runs_nothing(
    viewer: Client, launch: Launch, template: ModelDeploymentTemplate, person: Any
) -> None:
    delete_deployment(launch("one"), user=person("ada", "admin"))

    assert "Who runs it" not in page_of(viewer, address(template))


def test_a_newer_version_says_nothing_of_an_older_one(
    viewer: Client, launch: Launch, newer: ModelDeploymentTemplate, template: Any
) -> None:
    launch("one")

    assert "newer/" not in page_of(viewer, address(template))


def test_many_come_page_by_page(
    viewer: Client, launch: Launch, template: ModelDeploymentTemplate
) -> None:
    for number in range(26):
        launch(f"demo-{number:02}")

    assert "1–25 of 26" in page_of(viewer, address(template))
    last = page_of(viewer, f"{address(template)}?page=2")
    assert "demo-25" in last
    assert "demo-24" not in last


@pytest.mark.parametrize("count", [1, 20])
def test_the_number_of_queries_does_not_grow_with_who_runs_it(
    viewer: Client,
    launch: Launch,
    newer: ModelDeploymentTemplate,
    count: int,
    django_assert_num_queries: Any,
) -> None:
    for number in range(count):
        launch(f"demo-{number}")
    viewer.get(address(newer))

    with django_assert_num_queries(10):
        viewer.get(address(newer))


def test_for_one_deployment_it_is_told_in_words_and_line_by_line(
    viewer: Client, launch: Launch, newer: ModelDeploymentTemplate
) -> None:
    made = launch("one", min_replicas=2)

    page = page_of(viewer, f"/deployments/{made.pk}/newer/{newer.pk}")
    said = plain(page)
    assert "Template mock 1.0.0 → 1.1.0" in said
    assert "max_model_len none → 16384" in said
    assert "Replicas" not in said.partition("What mock 1.1.0")[2]
    assert '<ins class="line"' in page


def test_a_deployment_says_that_a_newer_version_is_available(
    viewer: Client, launch: Launch, newer: ModelDeploymentTemplate
) -> None:
    made = launch("one")
    link = f'<a href="/deployments/{made.pk}/newer/{newer.pk}">1.1.0 is available: what changes</a>'

    assert link in page_of(viewer, f"/deployments/{made.pk}")
    services.deprecate_template(newer, by=None)
    assert "is available" not in page_of(viewer, f"/deployments/{made.pk}")


def test_who_may_change_it_is_led_to_the_review(
    owner: Client, viewer: Client, launch: Launch, newer: ModelDeploymentTemplate
) -> None:
    made = launch("one")
    review = f"/deployments/{made.pk}/change/review?base=1&amp;template={newer.pk}"

    path = f"/deployments/{made.pk}/newer/{newer.pk}"
    assert review in page_of(owner, path)
    assert review not in page_of(viewer, path)


def test_an_override_that_the_newer_version_refuses_is_named(
    viewer: Client, launch: Launch, newer: ModelDeploymentTemplate
) -> None:
    made = launch("one", min_replicas=3)

    said = plain(page_of(viewer, f"/deployments/{made.pk}/newer/{newer.pk}"))
    assert "It cannot become mock 1.1.0 as it is." in said
    assert "overrides.min_replicas: must be at most 2" in said


def test_another_models_template_is_not_found(
    viewer: Client, stranger: Client, launch: Launch, newer: ModelDeploymentTemplate
) -> None:
    made = launch("one")
    nowhere = f"/deployments/{made.pk}/newer/0e0a3b1e-0000-4000-8000-000000000000"

    assert viewer.get(nowhere).status_code == 404
    assert stranger.get(f"/deployments/{made.pk}/newer/{newer.pk}").status_code == 404

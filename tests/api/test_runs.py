"""Who runs a version of a template, over the API, and what moving to it would change."""

from collections.abc import Callable
from typing import Any

import pytest

from deployments.models import Deployment
from providers.testing.samples import MOCK_SPEC
from templates_app.models import ModelDeploymentTemplate
from tests.api.conftest import Person

MakeTemplate = Callable[..., ModelDeploymentTemplate]


@pytest.fixture
def made(owner: Person, order: dict[str, Any]) -> Deployment:
    owner.post("deployments", order)
    return Deployment.objects.get()


@pytest.fixture
def newer(make_template: MakeTemplate, made: Deployment) -> ModelDeploymentTemplate:
    spec = {**MOCK_SPEC, "engine_args": {"max_model_len": "16384"}}
    return make_template(version="1.1.0", spec=spec)


def runs(template: ModelDeploymentTemplate) -> str:
    return f"models/{template.model_id}/deployment-templates/{template.pk}/deployments"


def test_those_on_older_versions_are_listed_with_what_moving_them_changes(
    viewer: Person, made: Deployment, newer: ModelDeploymentTemplate
) -> None:
    status, answer = viewer.get(runs(newer))

    assert (status, answer["count"], answer["on_this"], answer["on_older"]) == (200, 1, 0, 1)
    [row] = answer["deployments"]
    assert (row["id"], row["template_version"]) == (str(made.pk), "1.0.0")
    [older] = answer["older"]
    assert (older["template_id"], older["version"]) == (str(made.template_id), "1.0.0")
    assert older["count"] == 1
    assert [one["sentence"] for one in older["changes"]] == [
        "Template mock: 1.0.0 → 1.1.0",
        "max_model_len: none → 16384",
    ]


def test_an_older_version_tells_of_its_own_alone(
    viewer: Person, made: Deployment, newer: ModelDeploymentTemplate
) -> None:
    answer = viewer.get(runs(made.template))[1]

    assert (answer["on_this"], answer["on_older"], answer["older"]) == (1, 0, [])


def test_what_moving_one_of_them_changes_is_told_exactly(
    viewer: Person, made: Deployment, newer: ModelDeploymentTemplate
) -> None:
    status, answer = viewer.get(f"deployments/{made.pk}/templates/{newer.pk}/diff")

    assert (status, answer["template_version"]) == (200, "1.1.0")
    assert "max_model_len: none → 16384" in [one["sentence"] for one in answer["intent"]]
    assert [one["fate"] for one in answer["objects"]] == ["changed"]


def test_what_cannot_be_moved_says_why(
    owner: Person, viewer: Person, order: dict[str, Any], make_template: MakeTemplate
) -> None:
    owner.post("deployments", {**order, "overrides": {"engine_args": {"max_model_len": "4096"}}})
    made = Deployment.objects.get()
    closed = make_template(version="1.1.0")

    status, answer = viewer.get(f"deployments/{made.pk}/templates/{closed.pk}/diff")
    assert (status, list(answer["fields"])) == (400, ["overrides.engine_args.max_model_len"])


def test_a_template_that_is_not_active_is_told_as_such(
    viewer: Person, made: Deployment, make_template: MakeTemplate
) -> None:
    draft = make_template(version="2.0.0", active=False)

    status, answer = viewer.get(f"deployments/{made.pk}/templates/{draft.pk}/diff")
    assert (status, answer["code"]) == (409, "template_inactive")


def test_strangers_and_wrong_ids_find_nothing(
    viewer: Person, stranger: Person, made: Deployment, newer: ModelDeploymentTemplate
) -> None:
    for path in (runs(newer), f"deployments/{made.pk}/templates/{newer.pk}/diff"):
        assert stranger.get(path)[0] == 404
    assert viewer.get(f"deployments/{made.pk}/templates/nowhere/diff")[0] == 404
    assert viewer.get(f"models/{made.model_id}/deployment-templates/nowhere/deployments")[0] == 404

"""Revisions on pages: who wanted what and why, what differs between two, each as a file."""

import re
from typing import Any

import pytest
from django.test import Client

from deployments.models import Deployment, Revision
from providers.contract.yaml_text import load_all
from tests.web.deployments.revised import add_revision


@pytest.fixture
def second(deployment: Deployment) -> Revision:
    """Three replicas instead of two, wanted by ada."""
    first = deployment.revisions.get()
    workload, *others = first.manifests
    scaled = {**workload, "spec": {**workload.get("spec", {}), "replicas": 3}}
    return add_revision(
        deployment,
        author_name="ada",
        reason="the fair begins",
        overrides={"min_replicas": 3},
        scaling={**first.scaling, "min_replicas": 3, "max_replicas": 3},
        manifests=[scaled, *others],
    )


def page_of(client: Client, deployment: Deployment, path: str, **query: Any) -> str:
    answer = client.get(f"/deployments/{deployment.pk}/{path}", query)
    assert answer.status_code == 200
    return answer.content.decode()


def plain(page: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))


def ageless(page: str) -> str:
    return re.sub(r"\d+ (s|min) ago", "ago", plain(page))


def test_every_revision_says_who_wanted_what_and_why_and_how_it_went(
    viewer: Client, deployment: Deployment, second: Revision
) -> None:
    said = plain(page_of(viewer, deployment, "revisions"))

    assert "Revision 2 Changed the fair begins Replicas 2 → 3" in said
    assert "by ada · template mock 1.0.0" in said
    assert "Revision 1 Launched for the help desk" in said
    assert said.index("Revision 2 Changed") < said.index("Revision 1 Launched")
    assert said.count("wanted now") == 1


@pytest.mark.parametrize(
    ("outcome", "word"),
    [("refused", "refused"), ("withdrawn", "overtaken"), ("pending", "not applied yet")],
)
def test_what_came_of_a_revision_is_said(
    viewer: Client, deployment: Deployment, outcome: str, word: str
) -> None:
    add_revision(deployment, outcome=outcome)

    assert f" {word} " in plain(page_of(viewer, deployment, "revisions"))


@pytest.mark.parametrize(
    ("columns", "deed"),
    [
        ({"verb": "rollback", "restores": 1}, "Rolled back to 1"),
        ({"verb": "stop", "stopped": True}, "Stopped"),
        ({"verb": "start"}, "Started"),
        ({"verb": "redeploy", "restart": "1"}, "Redeployed"),
    ],
)
def test_what_was_done_is_named(
    viewer: Client, deployment: Deployment, columns: dict[str, Any], deed: str
) -> None:
    add_revision(deployment, **columns)

    assert f"Revision 2 {deed}" in plain(page_of(viewer, deployment, "revisions"))


def test_with_one_revision_there_is_nothing_to_compare(
    viewer: Client, deployment: Deployment
) -> None:
    assert "compare" not in page_of(viewer, deployment, "revisions")


def test_many_revisions_come_page_by_page_each_with_what_it_changed(
    viewer: Client, deployment: Deployment
) -> None:
    for number in range(2, 31):
        add_revision(deployment, serving_name=f"name-{number}")

    first = plain(page_of(viewer, deployment, "revisions"))
    assert "1–25 of 30" in first
    assert "Served as name-5 → name-6" in first  # the last on the page, against the next one
    assert "Served as name-4 → name-5" in plain(page_of(viewer, deployment, "revisions", page=2))


@pytest.mark.parametrize("count", [2, 24])
def test_the_number_of_queries_does_not_grow_with_the_revisions(
    viewer: Client, deployment: Deployment, count: int, django_assert_num_queries: Any
) -> None:
    for number in range(count - 1):
        add_revision(deployment, serving_name=f"name-{number}")
    path = f"/deployments/{deployment.pk}/revisions"
    viewer.get(path)

    with django_assert_num_queries(8):
        viewer.get(path)


def test_one_revision_shows_its_objects_and_what_it_changed(
    viewer: Client, deployment: Deployment, second: Revision
) -> None:
    page = page_of(viewer, deployment, "revisions/2")

    assert "Replicas 2 → 3" in plain(page)
    assert f"/deployments/{deployment.pk}/compare?from=1&amp;to=2" in page
    assert f"/deployments/{deployment.pk}/revisions/2.yaml" in page
    assert deployment.runtime_name in page


def test_the_first_revision_changed_nothing(viewer: Client, deployment: Deployment) -> None:
    assert "What it changed" not in page_of(viewer, deployment, "revisions/1")


def test_each_revision_is_a_file(viewer: Client, deployment: Deployment, second: Revision) -> None:
    for number, name in ((1, f"{deployment.runtime_name}-r1"), (2, deployment.runtime_name)):
        answer = viewer.get(f"/deployments/{deployment.pk}/revisions/{number}.yaml")
        assert answer["Content-Disposition"] == f'attachment; filename="{name}.yaml"'
        stored = deployment.revisions.get(number=number).manifests
        assert list(load_all(answer.content.decode())) == stored


def test_two_revisions_are_compared_in_words_and_line_by_line(
    viewer: Client, deployment: Deployment, second: Revision
) -> None:
    page = page_of(viewer, deployment, "compare", **{"from": 1, "to": 2})

    assert "Replicas 2 → 3" in plain(page)
    added = re.findall(r'<ins class="line"[^>]*>(.*?)</ins>', page, re.DOTALL)
    assert [plain(line).strip() for line in added] == ["+ replicas : 3"]


def test_without_a_choice_the_last_two_are_compared(
    viewer: Client, deployment: Deployment, second: Revision
) -> None:
    asked = ageless(page_of(viewer, deployment, "compare", **{"from": 1, "to": 2}))

    assert ageless(page_of(viewer, deployment, "compare")) == asked


def test_a_revision_compared_with_itself_says_so(viewer: Client, deployment: Deployment) -> None:
    said = plain(page_of(viewer, deployment, "compare", **{"from": 1, "to": 1}))

    assert "It is the same revision." in said
    assert "None differs." in said


@pytest.mark.parametrize("path", ["revisions/7", "revisions/7.yaml", "revisions/0", "revisions/x"])
def test_what_is_no_revision_is_not_found(
    viewer: Client, deployment: Deployment, path: str
) -> None:
    assert viewer.get(f"/deployments/{deployment.pk}/{path}").status_code == 404


@pytest.mark.parametrize("name", ["from", "to"])
@pytest.mark.parametrize("text", ["99", "0", "-1", "x", "\u0661", "9" * 30])
def test_what_is_no_revision_to_compare_is_said_with_those_that_there_are(
    viewer: Client, deployment: Deployment, second: Revision, name: str, text: str
) -> None:
    answer = viewer.get(f"/deployments/{deployment.pk}/compare", {name: text})
    page = answer.content.decode()
    assert answer.status_code == 404
    assert f"support-chat has no revision {text[:20]}; it has revisions 1 to 2." in plain(page)
    assert '<option value="2"' in page
    assert "From revision" not in plain(page)


def test_of_a_single_revision_no_other_is_told_of(viewer: Client, deployment: Deployment) -> None:
    answer = viewer.get(f"/deployments/{deployment.pk}/compare", {"to": 2})
    assert "has no revision 2; it has only revision 1." in answer.content.decode()


@pytest.mark.parametrize("path", ["revisions", "revisions/1", "revisions/1.yaml", "compare"])
def test_strangers_find_nothing(stranger: Client, deployment: Deployment, path: str) -> None:
    assert stranger.get(f"/deployments/{deployment.pk}/{path}").status_code == 404


def test_the_history_and_the_manifests_lead_to_the_revisions(
    viewer: Client, deployment: Deployment
) -> None:
    for path in ("history", "manifests"):
        assert f'/deployments/{deployment.pk}/revisions"' in page_of(viewer, deployment, path)

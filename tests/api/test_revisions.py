"""Revisions over the API: one in full, its objects as a file, and what differs between two."""

from typing import Any

import pytest
from django.utils import timezone

from deployments.models import Deployment, Revision
from providers.contract.errors import Unavailable
from providers.contract.yaml_text import load_all
from providers.testing.memory.cluster import MemoryCluster
from tests.api.conftest import Person

PARTS = ("", "/manifests", "/diff")


@pytest.fixture
def made(owner: Person, order: dict[str, Any]) -> Deployment:
    owner.post("deployments", {**order, "reason": "for the help desk"})
    return Deployment.objects.get()


@pytest.fixture
def second(made: Deployment) -> Revision:
    """A second revision, which is wanted now: another argument, and more of its one object."""
    first = made.revisions.get()
    manifests = [{**first.manifests[0], "spec": {"replicas": 2}}, *first.manifests[1:]]
    later = Revision(
        deployment=made,
        number=2,
        template=first.template,
        template_version=first.template_version,
        overrides={**first.overrides, "engine_args": {"max_model_len": "16384"}},
        spec=first.spec,
        source=first.source,
        serving_name=first.serving_name,
        engine_args={"max_model_len": "16384"},
        rollout=first.rollout,
        scaling=first.scaling,
        manifests=manifests,
        digest="2",
        author_name="ada",
        reason="longer answers",
        created_at=timezone.now(),
    )
    later.save()
    Deployment.objects.filter(pk=made.pk).update(revision=2)
    return later


def test_one_revision_is_told_in_full(viewer: Person, made: Deployment, second: Revision) -> None:
    status, answer = viewer.get(f"deployments/{made.pk}/revisions/2")

    assert (status, answer["number"], answer["current"]) == (200, 2, True)
    assert (answer["created_by"], answer["reason"]) == ("ada", "longer answers")
    assert (answer["template_name"], answer["template_version"]) == ("mock", "1.0.0")
    assert answer["engine_args"] == {"max_model_len": "16384"}
    assert (answer["outcome"], answer["spec"]) == ("pending", second.spec)


def test_an_earlier_revision_says_that_it_is_one(
    viewer: Person, made: Deployment, second: Revision
) -> None:
    assert viewer.get(f"deployments/{made.pk}/revisions/1")[1]["current"] is False


def test_the_objects_of_any_revision_can_be_read(
    viewer: Person, made: Deployment, second: Revision
) -> None:
    status, answer = viewer.get(f"deployments/{made.pk}/revisions/1/manifests")

    assert (status, answer["revision"]) == (200, 1)
    assert answer["manifests"] == made.revisions.get(number=1).manifests


def test_the_objects_of_any_revision_come_as_a_file(
    viewer: Person, made: Deployment, second: Revision
) -> None:
    path = f"/api/v1/deployments/{made.pk}/revisions"
    for number, name in ((1, f"{made.runtime_name}-r1.yaml"), (2, f"{made.runtime_name}.yaml")):
        answer = viewer.client.get(f"{path}/{number}/manifests?as=yaml")
        assert answer["Content-Disposition"] == f'attachment; filename="{name}"'
        stored = made.revisions.get(number=number).manifests
        assert list(load_all(answer.content.decode())) == stored


def test_what_differs_is_told_in_words_and_in_yaml(
    viewer: Person, made: Deployment, second: Revision
) -> None:
    status, answer = viewer.get(f"deployments/{made.pk}/revisions/1/diff", to=2)

    assert (status, answer["before"], answer["after"]) == (200, 1, 2)
    assert [one["sentence"] for one in answer["intent"]] == ["max_model_len: none → 16384"]
    [changed] = answer["objects"]
    assert (changed["name"], changed["fate"]) == (made.runtime_name, "changed")
    assert "+  replicas: 2\n" in f"{changed['diff']}\n"


def test_it_is_compared_with_what_is_wanted_now_unless_told_otherwise(
    viewer: Person, made: Deployment, second: Revision
) -> None:
    path = f"deployments/{made.pk}/revisions/1/diff"
    assert viewer.get(path) == viewer.get(path, to=2)


def test_a_revision_does_not_differ_from_itself(viewer: Person, made: Deployment) -> None:
    answer = viewer.get(f"deployments/{made.pk}/revisions/1/diff", to=1)[1]

    assert (answer["intent"], answer["objects"]) == ([], [])


def test_a_wrong_form_or_number_is_named(viewer: Person, made: Deployment) -> None:
    path = f"deployments/{made.pk}/revisions/1"
    assert list(viewer.get(f"{path}/manifests", **{"as": "xml"})[1]["fields"]) == ["as"]
    for wrong in ("one", "-1", "9" * 40):
        status, answer = viewer.get(f"{path}/diff", to=wrong)
        assert (status, list(answer["fields"])) == (400, ["to"])


@pytest.mark.parametrize("part", PARTS)
def test_there_is_nothing_where_there_is_no_such_revision(
    viewer: Person, stranger: Person, made: Deployment, part: str
) -> None:
    for number in ("7", "0", "last", "1" * 40):
        assert viewer.get(f"deployments/{made.pk}/revisions/{number}{part}")[0] == 404
    assert viewer.get(f"deployments/{made.pk}/revisions/1/diff", to=7)[0] == 404
    assert stranger.get(f"deployments/{made.pk}/revisions/1{part}")[0] == 404


@pytest.mark.parametrize(
    ("path", "text"),
    [("revisions/7", "7"), ("revisions/last/manifests", "last"), ("revisions/1/diff?to=7", "7")],
)
def test_where_there_is_no_such_revision_it_is_said_which_there_are(
    viewer: Person, made: Deployment, path: str, text: str
) -> None:
    answer = viewer.client.get(f"/api/v1/deployments/{made.pk}/{path}").json()
    assert answer["message"] == f"{made.name} has no revision {text}; it has only revision 1"


@pytest.mark.parametrize("text", ["x", "-1", "\u0661", "1" * 40])
def test_what_is_no_number_of_a_revision_is_named(
    viewer: Person, made: Deployment, text: str
) -> None:
    status, answer = viewer.get(f"deployments/{made.pk}/revisions/1/diff", to=text)
    assert (status, list(answer["fields"])) == (400, ["to"])


@pytest.mark.parametrize("part", PARTS)
def test_all_of_it_is_kept_when_record_and_cluster_are_gone(
    owner: Person, viewer: Person, made: Deployment, runtime: MemoryCluster, part: str
) -> None:
    owner.delete(f"deployments/{made.pk}")
    runtime.faults["*"] = Unavailable("pulled down")

    assert viewer.get(f"deployments/{made.pk}/revisions/1{part}")[0] == 200

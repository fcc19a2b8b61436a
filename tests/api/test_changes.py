"""Changing over the API: PATCH, its preview, rollback; the revision guards what is changed."""

from collections.abc import Callable
from typing import Any

import pytest

from deployments.models import Cluster, Deployment, Revision
from deployments.services.refreshing import refresh_cluster
from providers.contract.errors import Rejected, Unavailable
from providers.testing.memory.cluster import MemoryCluster
from tests.api.conftest import Person

MAX_LENGTH = {"engine_args": {"max_model_len": "8192"}}


@pytest.fixture
def made(owner: Person, order: dict[str, Any], cluster: Cluster) -> str:
    """The address of a deployment that has been seen ready."""
    path = f"deployments/{owner.post('deployments', order)[1]['id']}"
    refresh_cluster(cluster)
    return path


def test_a_patch_merges_overrides_and_answers_the_next_revision(owner: Person, made: str) -> None:
    status, answer = owner.patch(made, {"overrides": MAX_LENGTH, "reason": "longer"})

    assert (status, answer["changed"], answer["revision"]) == (200, True, 2)
    assert answer["overrides"] == {"min_replicas": 1, **MAX_LENGTH}
    assert Revision.objects.get(number=2).reason == "longer"
    assert owner.patch(made, {"overrides": {"engine_args": None}})[1]["overrides"] == {
        "min_replicas": 1
    }


def test_nothing_to_change_is_said_and_makes_no_revision(owner: Person, made: str) -> None:
    status, answer = owner.patch(made, {"overrides": {"min_replicas": 1}})

    assert (status, answer["changed"], answer["revision"]) == (200, False, 1)
    assert owner.get(f"{made}/revisions")[1]["count"] == 1


def test_the_etag_is_the_revision(owner: Person, made: str) -> None:
    assert owner.client.get(f"/api/v1/{made}").headers["ETag"] == '"1"'
    changed = owner.client.patch(f"/api/v1/{made}", {"stopped": True}, format="json")
    assert changed.headers["ETag"] == '"2"'
    assert owner.client.get(f"/api/v1/{made}").headers["ETag"] == '"2"'


def test_a_read_is_never_answered_as_not_modified(owner: Person, made: str) -> None:
    """The revision tells what is wanted; how it is may have changed without it."""
    again = owner.client.get(f"/api/v1/{made}", headers={"If-None-Match": '"1"'})
    assert again.status_code == 200


@pytest.mark.parametrize("tag", ['"1"', "1", 'W/"1"', "*"])
def test_the_revision_that_was_read_may_be_changed(owner: Person, made: str, tag: str) -> None:
    status, answer = owner.patch(made, {"stopped": True}, **{"If-Match": tag})
    assert (status, answer["revision"]) == (200, 2)


def test_a_tag_that_is_none_is_refused(owner: Person, made: str) -> None:
    status, answer = owner.patch(made, {"stopped": True}, **{"If-Match": "now"})
    assert (status, list(answer["fields"])) == (400, ["If-Match"])


def test_the_second_of_two_edits_is_told_what_changed(
    owner: Person, admin: Person, made: str
) -> None:
    admin.patch(made, {"overrides": {"min_replicas": 3}, "reason": "busy"})

    status, answer = owner.patch(made, {"overrides": {"min_replicas": 2}}, **{"If-Match": '"1"'})

    assert (status, answer["code"]) == (409, "conflict")
    assert "ada made revision 2" in answer["message"]
    assert answer["changes"] == [{"path": "scaling", "before": "1", "after": "3"}]
    told = answer["revisions"][0]
    assert (told["number"], told["created_by"], told["reason"]) == (2, "ada", "busy")
    assert owner.get(made)[1]["overrides"] == {"min_replicas": 3}


def test_stop_start_and_redeployment_are_patches(
    owner: Person, made: str, cluster: Cluster
) -> None:
    stopped = owner.patch(made, {"stopped": True})[1]
    assert stopped["replicas"] == "0"
    refresh_cluster(cluster)
    assert owner.get(made)[1]["status"] == "Stopped"
    assert owner.patch(made, {"stopped": False})[1]["replicas"] == "1"
    assert owner.patch(made, {"redeploy": True})[1]["revision"] == 4
    revisions = owner.get(f"{made}/revisions")[1]["revisions"]
    assert [row["action"] for row in revisions] == ["redeploy", "start", "stop", "create"]


def test_a_preview_says_what_would_happen_and_stores_nothing(owner: Person, made: str) -> None:
    status, answer = owner.post(f"{made}/preview", {"overrides": MAX_LENGTH})

    assert status == 200
    assert (answer["revision"], answer["changes"], answer["action"]) == (1, True, "update")
    assert [word["field"] for word in answer["intent"]] == ["engine_args.max_model_len"]
    assert answer["effects"]["restarts"] == 1
    assert answer["effects"]["has_downtime"] is False
    assert [one["fate"] for one in answer["objects"]] == ["changed"]
    assert [one["kind"] for one in answer["manifests"]] == ["MemoryWorkload", "MemoryService"]
    assert answer["load_time"] is None
    assert Deployment.objects.get().revision == 1


def test_a_preview_is_carried_out_by_its_token_once(owner: Person, made: str) -> None:
    token = owner.post(f"{made}/preview", {"redeploy": True})[1]["change"]

    answers = [owner.patch(made, {"redeploy": True, "change": token}) for _ in range(2)]

    assert [(status, answer["revision"]) for status, answer in answers] == [(200, 2), (200, 2)]


def test_another_body_than_the_reviewed_one_is_a_conflict(owner: Person, made: str) -> None:
    token = owner.post(f"{made}/preview", {"overrides": {"min_replicas": 2}})[1]["change"]

    status, answer = owner.patch(made, {"overrides": {"min_replicas": 3}, "change": token})

    assert (status, answer["code"]) == (409, "change_changed")
    assert {"path": "MemoryWorkload.spec.replicas", "before": "2", "after": "3"} in answer[
        "changes"
    ]


@pytest.mark.parametrize("other", [{"stopped": True}, {"overrides": {"min_replicas": 2}}, {}])
def test_a_used_token_does_not_answer_for_another_change(
    owner: Person, made: str, other: dict[str, Any]
) -> None:
    token = owner.post(f"{made}/preview", {"redeploy": True})[1]["change"]
    owner.patch(made, {"redeploy": True, "change": token})
    status, answer = owner.patch(made, {**other, "change": token})
    assert (status, list(answer["fields"])) == (400, ["change"])
    assert owner.get(made)[1]["revision"] == 2


def test_a_preview_of_nothing_has_no_token(owner: Person, made: str) -> None:
    answer = owner.post(f"{made}/preview", {})[1]
    assert (answer["changes"], answer["change"], answer["intent"]) == (False, "", [])


def test_a_rollback_is_previewed_and_done(owner: Person, made: str) -> None:
    owner.patch(made, {"overrides": MAX_LENGTH})
    owner.patch(made, {"overrides": {"min_replicas": 2}})

    shown = owner.post(f"{made}/rollback/preview", {"revision": 1})[1]
    status, answer = owner.post(
        f"{made}/rollback", {"revision": 1, "reason": "slow", "change": shown["change"]}
    )

    assert shown["action"] == "rollback"
    assert (status, answer["revision"], answer["overrides"]) == (200, 4, {"min_replicas": 2})
    latest = owner.get(f"{made}/revisions")[1]["revisions"][0]
    assert (latest["action"], latest["restores"], latest["reason"]) == ("rollback", 1, "slow")


@pytest.mark.parametrize(
    ("body", "field"),
    [({}, "revision"), ({"revision": "1"}, "revision"), ({"revision": 9}, "revision")],
)
def test_a_rollback_to_no_revision_is_named(
    owner: Person, made: str, body: dict[str, Any], field: str
) -> None:
    status, answer = owner.post(f"{made}/rollback", body)
    assert (status, list(answer["fields"])) == (400, [field])


def test_the_same_key_changes_once(owner: Person, made: str) -> None:
    key = {"Idempotency-Key": "one"}
    first = owner.patch(made, {"redeploy": True}, **key)
    second = owner.patch(made, {"redeploy": True}, **key)

    assert first == second
    assert second[1]["revision"] == 2


def test_a_key_is_good_for_one_address(owner: Person, made: str, order: dict[str, Any]) -> None:
    other = owner.post("deployments", {**order, "name": "another"})[1]["id"]
    key = {"Idempotency-Key": "one"}
    owner.patch(made, {"stopped": True}, **key)

    status, answer = owner.patch(f"deployments/{other}", {"stopped": True}, **key)

    assert (status, answer["code"]) == (409, "key_reused")


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"overrides": {"min_replicas": 9}}, "overrides.min_replicas"),
        ({"overrides": {"max_replicas": -1}}, "overrides.max_replicas"),
        ({"overrides": {"replicas": None}}, "overrides.replicas"),
        ({"overrides": []}, "overrides"),
        ({"template": {"template_id": "x"}}, "template.template_id"),
        ({"stopped": 1}, "stopped"),
        ({"redeploy": "now"}, "redeploy"),
        ({"name": "other"}, "name"),
        ({"reason": "x" * 2001}, "reason"),
    ],
)
def test_what_is_wrong_is_named(owner: Person, made: str, body: dict[str, Any], field: str) -> None:
    for status, answer in (owner.patch(made, body), owner.post(f"{made}/preview", body)):
        assert (status, list(answer["fields"])) == (400, [field])
        assert answer["message"].startswith(field)


@pytest.mark.parametrize("body", ["text", 3, [], [{"stopped": True}]])
def test_a_body_that_is_no_object_is_refused(owner: Person, made: str, body: object) -> None:
    assert owner.patch(made, body)[0] == 400
    assert owner.post(f"{made}/rollback", body)[0] == 400


def test_who_may_not_change_it_is_told_so(
    member: Person, viewer: Person, stranger: Person, made: str
) -> None:
    for path, body in ((f"{made}/preview", {}), (f"{made}/rollback", {"revision": 1})):
        assert member.post(path, body)[0] == 403
        assert viewer.post(path, body)[0] == 403
        assert stranger.post(path, body)[0] == 404
    assert member.patch(made, {"stopped": True})[0] == 403
    assert viewer.patch(made, {"stopped": True})[0] == 403
    assert stranger.patch(made, {"stopped": True})[0] == 404


def test_a_refusal_is_in_the_clusters_words_and_leaves_what_ran(
    owner: Person, made: str, runtime: MemoryCluster
) -> None:
    runtime.refusals["MemoryWorkload"] = Rejected("quota says no", code="QuotaExceeded")

    status, answer = owner.patch(made, {"overrides": {"min_replicas": 3}})

    assert (status, answer["code"]) == (422, "QuotaExceeded")
    assert "quota says no" in answer["message"]
    assert owner.get(made)[1]["revision"] == 1


def test_a_silent_cluster_is_503_and_stores_nothing(
    owner: Person, made: str, runtime: MemoryCluster
) -> None:
    runtime.faults["*"] = Unavailable("no answer", retry_after=7.0)

    response = owner.client.patch(
        f"/api/v1/{made}", {"overrides": {"min_replicas": 3}}, format="json"
    )

    assert response.status_code == 503
    assert response.headers["Retry-After"] == "7"
    assert Revision.objects.count() == 1


def test_a_disabled_cluster_says_so(owner: Person, made: str, cluster: Cluster) -> None:
    Cluster.objects.filter(pk=cluster.pk).update(enabled=False)

    status, answer = owner.patch(made, {"stopped": True})

    assert (status, answer["code"]) == (503, "cluster_disabled")


def test_a_kind_that_is_not_available_any_more_is_named(owner: Person, made: str) -> None:
    Deployment.objects.update(kind="carrier-pigeon")

    for status, answer in (
        owner.patch(made, {"stopped": True}),
        owner.post(f"{made}/preview", {"stopped": True}),
    ):
        assert status == 503
        assert "carrier-pigeon" in answer["message"]


def test_what_is_closed_is_a_conflict(owner: Person, made: str, cluster: Cluster) -> None:
    owner.delete(made)
    refresh_cluster(cluster)

    for status, answer in (
        owner.patch(made, {"stopped": True}),
        owner.post(f"{made}/preview", {"stopped": True}),
        owner.post(f"{made}/rollback", {"revision": 1}),
    ):
        assert (status, answer["code"]) == (409, "closed")


def test_what_is_being_deleted_is_a_conflict(
    owner: Person, made: str, runtime: MemoryCluster
) -> None:
    runtime.faults["delete"] = Unavailable("no answer")
    owner.delete(made)

    status, answer = owner.patch(made, {"stopped": True})

    assert (status, answer["code"]) == (409, "deleting")


def test_another_version_is_taken_by_its_id(
    owner: Person, made: str, make_template: Callable[..., Any]
) -> None:
    newer = make_template(version="1.1.0")

    status, answer = owner.patch(made, {"template": {"template_id": str(newer.pk)}})

    assert (status, answer["template_version"]) == (200, "1.1.0")

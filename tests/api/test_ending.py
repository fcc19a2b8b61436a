"""How a deployment ends over the API: foretold, forgotten by an admin, or applied again."""

import json
from typing import Any

import pytest

from deployments.models import AuditEntry, Cluster, Deployment
from deployments.services.refreshing import refresh_cluster
from providers.contract.errors import Unavailable
from providers.testing.memory.cluster import MemoryCluster
from tests.api.conftest import Person

WHY = {"reason": "the cluster was pulled down"}


@pytest.fixture
def made(owner: Person, order: dict[str, Any]) -> Deployment:
    owner.post("deployments", order)
    return Deployment.objects.get()


@pytest.fixture
def removed(made: Deployment, runtime: MemoryCluster) -> Deployment:
    """Return a deployment whose workload somebody has removed."""
    runtime.objects.pop(next(key for key in runtime.objects if key.kind == "MemoryWorkload"))
    return made


def test_a_deletion_is_foretold_object_by_object(
    viewer: Person, made: Deployment, runtime: MemoryCluster
) -> None:
    for stored in runtime.objects.values():
        stored.held_by = ("example.com/keep",)
    status, answer = viewer.get(f"deployments/{made.pk}/deletion")
    assert (status, answer["live"], answer["cause"]) == (200, True, "")
    assert {(one["kind"], one["name"]) for one in answer["going"]} == {
        (key.kind, key.name) for key in runtime.objects
    }
    assert {name for one in answer["going"] for name in one["finalizers"]} == {"example.com/keep"}
    assert answer["staying"] == [
        {"kind": "Namespace", "name": "models", "why": "others may use it"}
    ]
    assert runtime.objects


def test_of_a_silent_cluster_it_tells_what_was_applied_last(
    viewer: Person, made: Deployment, runtime: MemoryCluster
) -> None:
    runtime.faults["*"] = Unavailable("no answer")
    status, answer = viewer.get(f"deployments/{made.pk}/deletion")
    assert (status, answer["live"], answer["cause"]) == (200, False, "no answer")
    assert [one["kind"] for one in answer["going"]] == ["MemoryWorkload", "MemoryService"]


def test_a_deletion_that_waits_says_since_when(
    owner: Person, made: Deployment, runtime: MemoryCluster
) -> None:
    assert owner.get(f"deployments/{made.pk}")[1]["deletion_asked_at"] is None
    runtime.faults["*"] = Unavailable("no answer")
    status, answer = owner.delete(f"deployments/{made.pk}")
    assert status == 202
    assert answer["deletion_asked_at"]
    assert answer["status_detail"]["reason"] == "ClusterUnreachable"
    assert "the console tries again by itself" in answer["status_detail"]["message"]
    [row] = owner.get("deployments")[1]["deployments"]
    assert row["deletion_asked_at"] == answer["deletion_asked_at"]


def test_an_admin_forgets_what_no_deletion_can_end(
    admin: Person, made: Deployment, runtime: MemoryCluster, cluster: Cluster
) -> None:
    runtime.faults["*"] = Unavailable("no answer")
    refresh_cluster(cluster)
    status, answer = admin.post(f"deployments/{made.pk}/forget", WHY)
    assert (status, answer["status"], answer["reason"]) == (200, "Deleted", "Forgotten")
    assert answer["closed_at"]
    assert [one["reason"] for one in answer["status_detail"]["evidence"]] == ["LeftBehind"] * 2
    entry = AuditEntry.objects.get(action="deployment.forget")
    assert (entry.source, entry.reason, entry.role) == ("api", WHY["reason"], "admin")
    assert runtime.objects


def test_what_runs_well_is_not_forgotten(admin: Person, made: Deployment) -> None:
    status, answer = admin.post(f"deployments/{made.pk}/forget", WHY)
    assert (status, answer["code"]) == (409, "not_forgettable")
    assert "delete it instead" in answer["message"]


@pytest.mark.parametrize("body", [{}, {"reason": " "}, {"reason": 7}])
def test_forgetting_wants_a_reason(
    admin: Person, made: Deployment, body: dict[str, object]
) -> None:
    status, answer = admin.post(f"deployments/{made.pk}/forget", body)
    assert (status, list(answer["fields"])) == (400, ["reason"])


def test_only_an_admin_forgets(
    owner: Person, viewer: Person, stranger: Person, made: Deployment
) -> None:
    path = f"deployments/{made.pk}/forget"
    assert [one.post(path, WHY)[0] for one in (owner, viewer, stranger)] == [403, 403, 404]


def test_what_was_removed_outside_is_applied_again(
    owner: Person, removed: Deployment, runtime: MemoryCluster
) -> None:
    path = f"deployments/{removed.pk}"
    assert owner.get(path)[1]["status_detail"]["reason"] == "RemovedOutside"
    status, answer = owner.post(f"{path}/apply-again", {"reason": "by mistake"})
    assert (status, answer["status"], answer["revision"]) == (200, "Deploying", 1)
    assert owner.get(path)[1]["status"] == "Ready"
    assert {key.kind for key in runtime.objects} == {"MemoryWorkload", "MemoryService"}


@pytest.mark.parametrize(
    ("rest", "body"),
    [
        ("", {"overrides": {"min_replicas": 2}}),
        ("", {"stopped": True}),
        ("/preview", {"overrides": {"min_replicas": 2}}),
        ("/rollback", {"revision": 1}),
        ("/rollback/preview", {"revision": 1}),
    ],
)
def test_what_was_removed_outside_is_not_changed_before_it_is_applied_again(
    owner: Person, removed: Deployment, runtime: MemoryCluster, rest: str, body: dict[str, object]
) -> None:
    path = f"deployments/{removed.pk}"
    owner.get(path)  # so that it is known to be removed
    status, answer = owner.post(path + rest, body) if rest else owner.patch(path, body)
    assert (status, answer["code"]) == (409, "removed_outside")
    assert "apply it again before it is changed, or delete it" in answer["message"]
    assert {key.kind for key in runtime.objects} == {"MemoryService"}
    assert Deployment.objects.get().revision == 1


@pytest.mark.parametrize("body", [{"overrides": {"min_replicas": 2}}, {"stopped": False}])
def test_what_nobody_has_noticed_to_be_removed_is_not_made_anew_by_a_change(
    owner: Person, removed: Deployment, runtime: MemoryCluster, body: dict[str, object]
) -> None:
    path = f"deployments/{removed.pk}"
    status, answer = owner.patch(path, body)
    assert (status, answer["code"]) == (409, "removed_outside")
    assert {key.kind for key in runtime.objects} == {"MemoryService"}
    assert owner.get(path)[1]["revision"] == 1


def test_what_has_come_back_is_changed_though_the_record_says_that_it_was_removed(
    owner: Person, made: Deployment
) -> None:
    Deployment.objects.update(phase="Deleted", reason="RemovedOutside")
    status, answer = owner.patch(f"deployments/{made.pk}", {"overrides": {"min_replicas": 2}})
    assert (status, answer["revision"]) == (200, 2)


def test_what_was_removed_outside_can_be_closed_with_what_is_left_of_it(
    owner: Person, removed: Deployment, runtime: MemoryCluster
) -> None:
    status, answer = owner.delete(f"deployments/{removed.pk}", {"reason": "meant to"})
    assert (status, answer["status"]) == (200, "Deleted")
    assert not runtime.objects


@pytest.mark.parametrize("reason", ["\0", "\ud800", "y" * 2001, 7])
def test_a_reason_that_cannot_be_stored_deletes_nothing(
    owner: Person, made: Deployment, reason: object
) -> None:
    body = json.dumps({"reason": reason})
    path = f"/api/v1/deployments/{made.pk}"
    answer = owner.client.delete(path, body, content_type="application/json")
    assert (answer.status_code, list(answer.json()["fields"])) == (400, ["reason"])
    assert owner.get(f"deployments/{made.pk}")[1]["status"] == "Ready"


@pytest.mark.parametrize("path", ["/apply-again", "/drift/put-back", "/drift/take-over"])
def test_an_unknown_key_that_is_no_text_is_named_as_well_as_it_can_be(
    owner: Person, made: Deployment, path: str
) -> None:
    body = json.dumps({"\ud800": 1})
    address = f"/api/v1/deployments/{made.pk}{path}"
    answer = owner.client.post(address, body, content_type="application/json")
    assert (answer.status_code, list(answer.json()["fields"])) == (400, ["\\ud800"])


def test_what_is_there_is_not_applied_again(owner: Person, made: Deployment) -> None:
    status, answer = owner.post(f"deployments/{made.pk}/apply-again", {})
    assert (status, answer["code"]) == (409, "not_removed")


def test_applying_again_on_a_silent_cluster_stores_nothing(
    owner: Person, removed: Deployment, runtime: MemoryCluster
) -> None:
    runtime.faults["*"] = Unavailable("no answer")
    status, answer = owner.post(f"deployments/{removed.pk}/apply-again", {})
    assert (status, answer["message"]) == (503, "no answer")
    assert not AuditEntry.objects.filter(action="deployment.reapply").exists()


def test_only_who_may_change_it_applies_it_again(
    member: Person, viewer: Person, stranger: Person, removed: Deployment
) -> None:
    path = f"deployments/{removed.pk}/apply-again"
    assert [one.post(path, {})[0] for one in (member, viewer, stranger)] == [403, 403, 404]

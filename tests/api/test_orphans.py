"""Objects without a record over the API: listed, removed, adopted, by admins."""

from typing import Any

import pytest

from deployments.models import AuditEntry, Cluster, Deployment, Orphan
from deployments.services.refreshing import refresh_cluster
from providers.contract.errors import Unavailable
from providers.testing.memory.cluster import MemoryCluster
from tests.api.conftest import Person
from tests.orphaned import close_only, forget_record, let_time_pass

LIST, REMOVE, ADOPT = (f"clusters/harbour/orphans{end}" for end in ("", "/remove", "/adopt"))


@pytest.fixture
def lost(
    owner: Person, order: dict[str, Any], cluster: Cluster, runtime: MemoryCluster
) -> Deployment:
    """Return a deployment that runs and has no record."""
    owner.post("deployments", order)
    deployment = Deployment.objects.get()
    forget_record(deployment)
    let_time_pass(runtime)
    refresh_cluster(cluster)
    return deployment


def test_each_object_tells_what_where_whose_and_since_when(admin: Person, lost: Deployment) -> None:
    status, answer = admin.get(LIST)
    assert (status, answer["count"], answer["next"]) == (200, 2, "")
    assert answer["seen_at"]
    workload = next(row for row in answer["orphans"] if row["is_workload"])
    assert (workload["kind"], workload["namespace"]) == ("MemoryWorkload", "models")
    assert (workload["name"], workload["deployment_id"]) == (lost.runtime_name, str(lost.pk))
    assert (workload["implementation_kind"], workload["display_name"]) == ("memory", lost.name)
    assert workload["provenance"]["created_by"] == "olga"
    assert workload["first_seen_at"] >= workload["created_at"]
    service = next(row for row in answer["orphans"] if not row["is_workload"])
    assert service["provenance"] is None


def test_the_list_comes_in_pages(admin: Person, lost: Deployment) -> None:
    _, first = admin.get(LIST, page_size=1)
    assert first["next"]
    cursor = first["next"].partition("cursor=")[2].partition("&")[0]
    _, second = admin.get(LIST, page_size=1, cursor=cursor)
    assert first["orphans"][0]["uid"] != second["orphans"][0]["uid"]


def test_removing_answers_what_is_gone(
    admin: Person, lost: Deployment, runtime: MemoryCluster
) -> None:
    uids = list(Orphan.objects.values_list("uid", flat=True))
    status, answer = admin.post(REMOVE, {"uids": uids, "reason": "left over"})
    assert (status, answer["waiting_for"]) == (200, [])
    assert {found["kind"] for found in answer["removed"]} == {"MemoryWorkload", "MemoryService"}
    assert not runtime.objects
    entries = AuditEntry.objects.filter(action="cluster.remove_orphans")
    assert set(entries.values_list("source", flat=True)) == {"api"}


def test_removing_names_what_the_cluster_waits_for(
    admin: Person, lost: Deployment, runtime: MemoryCluster
) -> None:
    for stored in runtime.objects.values():
        stored.held_by = ("example.com/keep",)
    uids = list(Orphan.objects.values_list("uid", flat=True))
    status, answer = admin.post(REMOVE, {"uids": uids})
    assert (status, answer["removed"]) == (202, [])
    assert {tuple(rest["finalizers"]) for rest in answer["waiting_for"]} == {("example.com/keep",)}


def test_adopting_answers_the_deployment(
    admin: Person, lost: Deployment, runtime: MemoryCluster
) -> None:
    body = {
        "deployment_id": str(lost.pk),
        "namespace": "models",
        "implementation_kind": "memory",
        "name": "back again",
    }
    status, answer = admin.post(ADOPT, body)
    assert (status, answer["id"], answer["name"]) == (200, str(lost.pk), "back again")
    assert (answer["status"], answer["created_by"]) == ("Ready", "olga")
    assert admin.get(f"deployments/{lost.pk}")[1]["status"] == "Ready"
    assert admin.get(LIST)[1]["count"] == 0


def test_the_implementation_is_named_only_where_objects_of_several_bear_the_id(
    admin: Person, lost: Deployment
) -> None:
    service = Orphan.objects.get(is_workload=False)
    service.pk, service.uid, service.implementation = None, "another", "stormservice"
    service.save()
    body = {"deployment_id": str(lost.pk), "namespace": "models"}
    status, answer = admin.post(ADOPT, body)
    assert (status, list(answer["fields"])) == (400, ["implementation_kind"])
    assert "name one of memory, stormservice" in answer["message"]
    service.delete()
    status, answer = admin.post(ADOPT, body)
    assert (status, answer["implementation_kind"]) == (200, "memory")


@pytest.mark.parametrize(
    ("address", "body", "field"),
    [
        (REMOVE, {}, "uids"),
        (REMOVE, {"uids": []}, "uids"),
        (REMOVE, {"uids": "all"}, "uids"),
        (REMOVE, {"uids": ["a", 7]}, "uids.1"),
        (REMOVE, {"uids": ["nul\0"]}, "uids.0"),
        (REMOVE, {"uids": ["a"], "reason": 7}, "reason"),
        (REMOVE, {"uids": ["a"], "reason": "x" * 2001}, "reason"),
        (REMOVE, {"uids": ["a"], "force": True}, "force"),
        (ADOPT, {}, "deployment_id"),
        (ADOPT, {"deployment_id": "nobody's", "namespace": "models"}, "deployment_id"),
        (ADOPT, {"deployment_id": ["a"]}, "deployment_id"),
        (ADOPT, {"deployment_id": "a", "cluster": "other"}, "cluster"),
    ],
)
def test_a_wrong_body_is_told_by_field(
    admin: Person, lost: Deployment, address: str, body: dict[str, Any], field: str
) -> None:
    status, answer = admin.post(address, body)
    assert (status, answer["code"], list(answer["fields"])) == (400, "invalid", [field])
    assert field in answer["message"]
    assert Orphan.objects.count() == 2


def test_what_stands_against_it_is_a_conflict_by_field(
    admin: Person, owner: Person, order: dict[str, Any], lost: Deployment, runtime: MemoryCluster
) -> None:
    status, answer = admin.post(REMOVE, {"uids": ["unheard-of"]})
    assert (status, answer["code"], list(answer["fields"])) == (409, "orphans_changed", ["uids"])
    owner.post("deployments", order)
    body = {"deployment_id": str(lost.pk), "namespace": "models", "implementation_kind": "memory"}
    status, answer = admin.post(ADOPT, body)
    assert (status, answer["code"], list(answer["fields"])) == (409, "name_taken", ["name"])
    Orphan.objects.update(provenance=None)
    status, answer = admin.post(ADOPT, body)
    assert (status, answer["code"]) == (409, "not_adoptable")
    assert "can only be removed" in answer["message"]


def test_a_silent_cluster_is_503(admin: Person, lost: Deployment, runtime: MemoryCluster) -> None:
    runtime.faults["*"] = Unavailable("no answer")
    body = {"deployment_id": str(lost.pk), "namespace": "models", "implementation_kind": "memory"}
    assert admin.post(ADOPT, body)[0] == 503
    uids = list(Orphan.objects.values_list("uid", flat=True))
    assert admin.post(REMOVE, {"uids": uids})[0] == 503
    assert len(runtime.objects) == 2


def test_only_admins_look_and_act(
    viewer: Person, owner: Person, curator: Person, stranger: Person, lost: Deployment
) -> None:
    for one in (viewer, owner, curator):
        assert one.get(LIST)[0] == 403
        assert one.post(REMOVE, {"uids": ["a"]})[0] == 403
        assert one.post(ADOPT, {})[0] == 403
    assert stranger.get(LIST)[0] == 404
    assert stranger.post(REMOVE, {})[0] == 404


def test_a_cluster_that_is_not_there_is_404(admin: Person, cluster: Cluster) -> None:
    assert admin.get("clusters/nowhere/orphans")[0] == 404
    assert admin.post("clusters/nowhere/orphans/remove", {"uids": ["a"]})[0] == 404
    assert admin.get(f"clusters/{cluster.pk}/orphans") == (
        200,
        {"orphans": [], "count": 0, "next": "", "previous": "", "seen_at": None},
    )


def test_a_closed_record_is_opened_over_the_api(
    admin: Person, owner: Person, order: dict[str, Any], cluster: Cluster, runtime: MemoryCluster
) -> None:
    owner.post("deployments", order)
    close_only(Deployment.objects.get())
    let_time_pass(runtime)
    refresh_cluster(cluster)
    row = admin.get(LIST)[1]["orphans"][0]
    body = {name: row[name] for name in ("deployment_id", "namespace", "implementation_kind")}
    assert admin.post(ADOPT, body)[1]["status"] == "Ready"

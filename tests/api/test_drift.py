"""What others changed over the API: told, put back, taken over."""

from typing import Any

import pytest

from deployments.models import AuditEntry, Cluster, Deployment
from deployments.services.refreshing import refresh_cluster
from providers.contract.errors import Unavailable
from providers.testing.memory.cluster import MemoryCluster, StoredObject
from tests.api.conftest import Person


@pytest.fixture
def running(owner: Person, order: dict[str, Any], cluster: Cluster) -> Deployment:
    owner.post("deployments", {**order, "overrides": {"min_replicas": 2}})
    refresh_cluster(cluster)
    return Deployment.objects.get()


@pytest.fixture
def scaled(running: Deployment, runtime: MemoryCluster) -> str:
    """Return the address of what others changed: three replicas instead of two."""
    stored = workload_of(runtime)
    stored.manifest = {**stored.manifest, "spec": {**stored.manifest["spec"], "replicas": 3}}
    return f"deployments/{running.pk}/drift"


def workload_of(runtime: MemoryCluster) -> StoredObject:
    return next(s for key, s in runtime.objects.items() if key.kind == "MemoryWorkload")


def replicas_of(runtime: MemoryCluster) -> int:
    return int(workload_of(runtime).manifest["spec"]["replicas"])


def test_where_nothing_was_changed_the_answer_is_empty(viewer: Person, running: Deployment) -> None:
    answer = viewer.get(f"deployments/{running.pk}/drift")

    assert answer == (200, {"digest": "", "fields": [], "co_managers": []})


def test_a_changed_field_is_told_with_what_can_be_done_about_it(
    viewer: Person, scaled: str, running: Deployment
) -> None:
    status, answer = viewer.get(scaled)

    assert status == 200
    assert answer["digest"]
    assert answer["fields"] == [
        {
            "object": f"MemoryWorkload {running.runtime_name}",
            "path": "spec.replicas",
            "kind": "changed",
            "ours": "2",
            "theirs": "3",
            "holder": {
                "who": "unknown manager",
                "manager": "",
                "operation": "",
                "subresource": "",
                "at": None,
            },
            "restarts": False,
            "obstacle": "",
            "overrides": {"min_replicas": 3},
            "expressed_by": "",
        }
    ]


def test_putting_back_answers_what_was_put_back(
    owner: Person, scaled: str, runtime: MemoryCluster
) -> None:
    digest = owner.get(scaled)[1]["digest"]

    status, answer = owner.post(f"{scaled}/put-back", {"digest": digest, "reason": "no"})

    assert (status, answer["done"], answer["left"]) == (200, True, [])
    assert [field["path"] for field in answer["put_back"]] == ["spec.replicas"]
    assert replicas_of(runtime) == 2
    rows = AuditEntry.objects.filter(action="deployment.put_back").order_by("id")
    assert [(row.outcome, row.source) for row in rows] == [
        ("accepted", "api"),
        ("succeeded", "api"),
    ]


def test_putting_back_waits_for_a_cluster_that_falls_silent(
    owner: Person, scaled: str, runtime: MemoryCluster
) -> None:
    digest = owner.get(scaled)[1]["digest"]
    runtime.faults["put_back"] = Unavailable("the cluster is silent")

    status, answer = owner.post(f"{scaled}/put-back", {"digest": digest})

    assert (status, answer["done"]) == (202, False)
    assert owner.get(scaled)[0] == 409


def test_taking_over_answers_the_deployment_with_its_next_revision(
    owner: Person, scaled: str, runtime: MemoryCluster
) -> None:
    digest = owner.get(scaled)[1]["digest"]

    status, answer = owner.post(f"{scaled}/take-over", {"digest": digest})

    assert (status, answer["revision"]) == (200, 2)
    assert answer["overrides"]["min_replicas"] == 3
    assert replicas_of(runtime) == 3
    assert owner.get(scaled)[1]["fields"] == []


@pytest.mark.parametrize("verb", ["put-back", "take-over"])
def test_another_digest_is_a_conflict_that_says_to_look_again(
    owner: Person, scaled: str, verb: str
) -> None:
    status, answer = owner.post(f"{scaled}/{verb}", {"digest": "of-something-else"})

    assert (status, answer["code"]) == (409, "drift_changed")
    assert "look again" in answer["fields"]["digest"][0]


@pytest.mark.parametrize("verb", ["put-back", "take-over"])
@pytest.mark.parametrize(
    ("body", "field"),
    [({}, "digest"), ({"digest": 7}, "digest"), ({"digest": "x", "fields": []}, "fields")],
)
def test_a_body_that_cannot_be_read_is_refused_by_its_field(
    owner: Person, scaled: str, verb: str, body: object, field: str
) -> None:
    status, answer = owner.post(f"{scaled}/{verb}", body)

    assert (status, set(answer["fields"])) == (400, {field})


def test_what_no_override_says_can_only_be_put_back(
    owner: Person, scaled: str, runtime: MemoryCluster
) -> None:
    stored = workload_of(runtime)
    spec = {**stored.manifest["spec"], "replicas": 2, "max_replicas": 9}
    stored.manifest = {**stored.manifest, "spec": spec}
    digest = owner.get(scaled)[1]["digest"]

    status, answer = owner.post(f"{scaled}/take-over", {"digest": digest})

    assert (status, answer["code"]) == (409, "not_expressible")


@pytest.mark.parametrize("verb", ["put-back", "take-over"])
@pytest.mark.parametrize(("who", "status"), [("member", 403), ("viewer", 403), ("stranger", 404)])
def test_only_who_may_change_a_deployment_may_do_either(
    request: pytest.FixtureRequest, scaled: str, verb: str, who: str, status: int
) -> None:
    someone: Person = request.getfixturevalue(who)

    assert someone.post(f"{scaled}/{verb}", {"digest": "x"})[0] == status


def test_a_silent_cluster_is_503(viewer: Person, scaled: str, runtime: MemoryCluster) -> None:
    runtime.faults["drift"] = Unavailable("the cluster is silent")

    assert viewer.get(scaled)[0] == 503


def test_a_preview_of_a_change_says_what_of_theirs_it_puts_back(owner: Person, scaled: str) -> None:
    preview = f"{scaled.removesuffix('drift')}preview"

    told = [
        owner.post(preview, {"overrides": {"min_replicas": number}})[1]["puts_back"]
        for number in (3, 4)
    ]

    assert [[field["path"] for field in fields] for fields in told] == [[], ["spec.replicas"]]

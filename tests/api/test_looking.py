"""Objects and events of a deployment, read live over the API."""

from dataclasses import replace
from typing import Any

import pytest

from deployments.models import Deployment
from deployments.services.deleting import delete_deployment
from providers import registry
from providers.contract.errors import Rejected, Unavailable
from providers.contract.protocols import Capabilities
from providers.testing.memory.cluster import MemoryCluster
from tests.api.conftest import Person

PARTS = ("resources", "events", "metrics")


@pytest.fixture
def made(owner: Person, order: dict[str, Any]) -> str:
    status, answer = owner.post("deployments", order)
    assert status == 201
    identity: str = answer["id"]
    return identity


def test_resources_are_a_list_of_objects_with_their_owners(viewer: Person, made: str) -> None:
    status, answer = viewer.get(f"deployments/{made}/resources")
    assert status == 200
    workload, replica, service = answer["resources"]
    assert (workload["kind"], workload["owner"]) == ("MemoryWorkload", None)
    assert workload["uid"]
    assert {one["owner"]["name"] for one in (replica, service)} == {workload["name"]}
    [container] = replica["containers"]
    assert (container["state"], container["ready"], container["last"]) == ("Running", True, "")
    assert replica["facts"] == {"node": "memory-1"}
    assert answer["observed_at"]
    assert answer["unreadable"] == {}


def test_a_kind_that_may_not_be_read_is_named_and_hides_nothing(
    viewer: Person, made: str, runtime: MemoryCluster
) -> None:
    runtime.unreadable["Secret"] = "secrets is forbidden"
    _, answer = viewer.get(f"deployments/{made}/resources")
    assert answer["unreadable"] == {"Secret": "secrets is forbidden"}
    assert len(answer["resources"]) == 3


def test_events_are_a_list_newest_first(viewer: Person, made: str, runtime: MemoryCluster) -> None:
    started = runtime.told[0]
    runtime.told.append(
        replace(started, at=None, first_at=None, count=7, is_warning=True, reason="BackOff")
    )
    status, answer = viewer.get(f"deployments/{made}/events")
    assert status == 200
    assert [(one["reason"], one["count"], one["is_warning"]) for one in answer["events"]] == [
        ("Started", 1, False),
        ("BackOff", 7, True),
    ]
    assert answer["events"][0]["source"] == "memory"
    assert (answer["events"][1]["at"], answer["cut"], answer["unreadable"]) == (None, False, "")


@pytest.mark.parametrize("part", PARTS)
def test_a_silent_cluster_is_503_and_one_that_refuses_is_422(
    viewer: Person, made: str, runtime: MemoryCluster, part: str
) -> None:
    runtime.faults[part] = Unavailable("the cluster does not answer", retry_after=7)
    status, answer = viewer.get(f"deployments/{made}/{part}")
    assert (status, answer["message"]) == (503, "the cluster does not answer")
    runtime.faults[part] = Rejected("the credentials are refused", code="CredentialsRefused")
    status, answer = viewer.get(f"deployments/{made}/{part}")
    assert (status, answer["code"]) == (422, "CredentialsRefused")


@pytest.mark.parametrize("part", PARTS)
def test_a_closed_record_has_nothing_to_look_at(owner: Person, made: str, part: str) -> None:
    delete_deployment(Deployment.objects.get(pk=made), user=owner.user)
    status, answer = owner.get(f"deployments/{made}/{part}")
    assert (status, answer["code"]) == (409, "closed")
    assert "nothing of it is on the cluster any more" in answer["message"]


@pytest.mark.parametrize("part", PARTS)
def test_a_kind_that_lets_nobody_look_is_501_and_named(
    viewer: Person, made: str, part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry.get("memory"), "capabilities", Capabilities())
    status, answer = viewer.get(f"deployments/{made}/{part}")
    assert (status, answer["code"]) == (501, "not_observed")
    assert "the implementation memory offers no look" in answer["message"]


@pytest.mark.parametrize("part", PARTS)
def test_strangers_find_nothing_and_nobody_must_sign_in(
    stranger: Person, made: str, part: str, viewer: Person
) -> None:
    assert stranger.get(f"deployments/{made}/{part}")[0] == 404
    assert viewer.get(f"deployments/no-such-id/{part}")[0] == 404
    stranger.client.credentials()
    assert stranger.get(f"deployments/{made}/{part}")[0] == 401
    assert viewer.post(f"deployments/{made}/{part}", {})[0] in {403, 405}

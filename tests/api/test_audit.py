"""The audit trail over the API: every entry, narrowed by who, what, how it ended, when."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from providers.contract.errors import Unavailable
from providers.testing.memory.cluster import MemoryCluster
from tests.api.conftest import Person

DELETION = "deployment.delete"


@pytest.fixture
def told(owner: Person, order: dict[str, Any]) -> str:
    """A launch and a deletion of olga's; the id of what they were done to."""
    created = owner.post("deployments", order)[1]["id"]
    owner.delete(f"deployments/{created}", {"reason": "no longer used"})
    return str(created)


def entries(admin: Person, **query: str) -> list[dict[str, Any]]:
    status, answer = admin.get("audit", **query)
    assert status == 200
    rows: list[dict[str, Any]] = answer["audit"]
    return rows


def test_both_ends_of_an_act_bear_one_operation(admin: Person, told: str) -> None:
    ended, begun = entries(admin, object=told, action=DELETION)
    assert (begun["outcome"], ended["outcome"]) == ("accepted", "succeeded")
    assert begun["operation_id"] == ended["operation_id"]
    assert entries(admin, operation_id=begun["operation_id"]) == [ended, begun]
    assert {one["source"] for one in (begun, ended)} == {"api"}
    assert begun["request_id"] == ended["request_id"] != ""
    assert [one["role"] for one in (begun, ended)] == ["deployer", "deployer"]
    assert (begun["before"], begun["after"]) == ({"intent": "running"}, {"intent": "deleted"})


@pytest.mark.parametrize(
    ("query", "outcomes"),
    [
        ({"outcome": "accepted"}, {"accepted"}),
        ({"outcome": "refused"}, set()),
        ({"source": "api"}, {"accepted", "succeeded"}),
        ({"source": "page"}, set()),
        ({"since": "2020-01-01"}, {"accepted", "succeeded"}),
        ({"until": "2020-01-01T00:00:00Z"}, set()),
        ({"actor": "olga"}, {"accepted", "succeeded"}),
        ({"actor": "nobody"}, set()),
    ],
)
def test_it_can_be_narrowed(
    admin: Person, told: str, query: dict[str, str], outcomes: set[str]
) -> None:
    found = entries(admin, object=told, **query)
    assert {one["outcome"] for one in found} == outcomes


def test_a_moment_bounds_it_to_the_second(admin: Person, told: str) -> None:
    later = (timezone.now() + timedelta(seconds=1)).isoformat()
    assert entries(admin, object=told, until=later)
    assert not entries(admin, object=told, since=later)


@pytest.mark.parametrize("field", ["outcome", "source", "since", "until"])
def test_a_value_that_cannot_be_is_400_by_its_name(admin: Person, field: str) -> None:
    status, answer = admin.get("audit", **{field: "yesterday"})
    assert (status, list(answer["fields"])) == (400, [field])


@pytest.mark.parametrize("moment", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-12:00"])
@pytest.mark.parametrize("field", ["since", "until"])
def test_a_moment_that_no_calendar_has_in_utc_is_400(
    admin: Person, field: str, moment: str
) -> None:
    status, answer = admin.get("audit", **{field: moment})
    assert (status, answer["fields"]) == (400, {field: ["is no day that there is"]})


def test_what_was_promised_and_is_not_done_has_one_end_only(
    admin: Person, owner: Person, order: dict[str, Any], runtime: MemoryCluster
) -> None:
    created = owner.post("deployments", order)[1]["id"]
    runtime.faults["*"] = Unavailable("the cluster is away")
    owner.delete(f"deployments/{created}")
    [begun] = entries(admin, object=created, action=DELETION)
    assert begun["outcome"] == "accepted"


def test_nobody_adds_or_changes_entries(admin: Person, told: str) -> None:
    assert admin.post("audit", {})[0] == 405
    assert admin.delete("audit")[0] == 405


def test_what_curators_do_over_the_api_says_so(admin: Person, curator: Person) -> None:
    assert curator.post("models", {"id": "llama", "name": "Llama"})[0] == 201
    [entry] = entries(admin, object="llama")
    assert (entry["actor"], entry["role"], entry["source"]) == ("kurt", "curator", "api")
    assert (entry["action"], entry["outcome"], entry["operation_id"]) == (
        "model.create",
        "succeeded",
        "",
    )

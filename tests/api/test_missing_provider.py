"""Every verb about a deployment whose implementation is not installed in this console."""

from typing import Any

import pytest
from pytest_django import Settings

from deployments.models import Deployment
from providers import registry
from tests.api.conftest import Person

TOLD = "the implementation memory is not installed in this console"


@pytest.fixture
def left(owner: Person, order: dict[str, Any], settings: Settings) -> str:
    """Return the address of a deployment that nothing here carries any more."""
    status, made = owner.post("deployments", order)
    assert status == 201, made
    settings.SLIPWAY_PROVIDERS = ["providers.kubernetes"]
    registry.forget()
    return f"deployments/{made['id']}"


@pytest.mark.parametrize("rest", ["/resources", "/events", "/logs", "/metrics", "/drift"])
def test_a_look_is_503_and_says_why(owner: Person, left: str, rest: str) -> None:
    status, answer = owner.get(left + rest)
    assert (status, answer["code"]) == (503, "ProviderMissing")
    assert TOLD in answer["message"]
    assert "SLIPWAY_PROVIDERS" in answer["message"]


@pytest.mark.parametrize(
    ("verb", "rest", "body"),
    [
        ("patch", "", {"overrides": {"min_replicas": 2}}),
        ("patch", "", {"stopped": True}),
        ("patch", "", {"stopped": False}),
        ("post", "/preview", {"overrides": {"min_replicas": 2}}),
        ("post", "/rollback", {"revision": 1}),
        ("post", "/rollback/preview", {"revision": 1}),
        ("post", "/apply-again", {}),
        ("post", "/drift/put-back", {"digest": "one"}),
        ("post", "/drift/take-over", {"digest": "one"}),
    ],
)
def test_a_change_is_503_and_stores_nothing(
    owner: Person, left: str, verb: str, rest: str, body: dict[str, Any]
) -> None:
    status, answer = getattr(owner, verb)(left + rest, body)
    assert (status, answer["code"]) == (503, "ProviderMissing")
    assert TOLD in answer["message"]
    kept = Deployment.objects.get()
    assert kept.revision == 1
    assert not kept.operations.unfinished().exists()


def test_reading_it_answers_what_was_known_last(owner: Person, left: str) -> None:
    status, answer = owner.get(left)
    assert status == 200
    assert answer["status_detail"]["stale"] is True
    assert TOLD in answer["status_detail"]["stale_because"]


@pytest.mark.parametrize(
    "rest", ["/history", "/manifests", "/revisions", "/revisions/1/manifests", "/implementations"]
)
def test_what_is_kept_here_is_answered_as_ever(owner: Person, left: str, rest: str) -> None:
    assert owner.get(left + rest)[0] == 200


def test_a_deletion_is_told_from_what_was_applied_and_kept(owner: Person, left: str) -> None:
    status, told = owner.get(f"{left}/deletion")
    assert (status, told["live"]) == (200, False)
    assert TOLD in told["cause"]
    assert [one["kind"] for one in told["going"]] == ["MemoryWorkload", "MemoryService"]
    status, answer = owner.delete(left)
    assert (status, answer["status_detail"]["reason"]) == (202, "ProviderMissing")
    assert TOLD in answer["status_detail"]["message"]


def test_an_admin_can_forget_it(admin: Person, left: str) -> None:
    status, answer = admin.post(f"{left}/forget", {"reason": "nobody runs it here any more"})
    assert (status, answer["reason"]) == (200, "Forgotten")

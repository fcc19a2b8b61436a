"""The history of a deployment over the API: verdicts with evidence, revisions, page by page."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from deployments.models import Deployment, StatusChange
from providers.contract.errors import Unavailable
from providers.testing.memory.cluster import MemoryCluster
from tests.api.conftest import Person


@pytest.fixture
def made(owner: Person, order: dict[str, Any]) -> Deployment:
    owner.post("deployments", {**order, "reason": "for the help desk"})
    return Deployment.objects.get()


def fill(deployment: Deployment, *phases: str) -> None:
    now = timezone.now()
    for number, phase in enumerate(phases, start=1):
        StatusChange.objects.create(
            deployment=deployment,
            phase=phase,
            reason=f"R{number}",
            evidence=[{"reason": "Seen", "message": "it was", "object": "Pod a", "row": 15}],
            at=now + timedelta(seconds=number),
            until=now + timedelta(seconds=number + 1) if number < len(phases) else None,
        )


def test_every_verdict_is_there_with_its_evidence_and_until_when_it_held(
    viewer: Person, made: Deployment
) -> None:
    fill(made, "Failed", "Ready")
    status, answer = viewer.get(f"deployments/{made.pk}/history")
    assert (status, answer["count"]) == (200, made.status_changes.count())
    last, failed = answer["history"][:2]
    assert (last["phase"], last["until"]) == ("Ready", None)
    assert (failed["phase"], failed["reason"]) == ("Failed", "R1")
    assert failed["until"] == last["at"]
    assert failed["evidence"] == [
        {"reason": "Seen", "message": "it was", "object": "Pod a", "row": 15}
    ]


def test_faults_can_be_asked_for_alone(viewer: Person, made: Deployment) -> None:
    fill(made, "Failed", "Ready", "Degraded")
    path = f"deployments/{made.pk}/history"
    faults = viewer.get(path, faults="true")[1]
    assert [one["phase"] for one in faults["history"]] == ["Degraded", "Failed"]
    assert viewer.get(path, faults="false")[1]["count"] == made.status_changes.count()
    status, answer = viewer.get(path, faults="yes")
    assert (status, list(answer["fields"])) == (400, ["faults"])


def test_a_long_history_comes_page_by_page(viewer: Person, made: Deployment) -> None:
    fill(made, *["Ready"] * 5)
    every = viewer.get(f"deployments/{made.pk}/history")[1]["history"]
    path, told = f"/api/v1/deployments/{made.pk}/history?page_size=2", []
    while path:
        answer = viewer.client.get(path).json()
        told += answer["history"]
        path = answer["next"]
    assert told == every


def test_a_revision_says_what_was_wanted_by_whom_why_and_what_came_of_it(
    viewer: Person, made: Deployment
) -> None:
    status, answer = viewer.get(f"deployments/{made.pk}/revisions")
    assert (status, answer["count"], answer["next"]) == (200, 1, "")
    [first] = answer["revisions"]
    stored = made.revisions.get()
    assert first == {
        "number": 1,
        "action": "create",
        "restores": None,
        "template_id": str(made.template_id),
        "template_version": "1.0.0",
        "overrides": {"min_replicas": 1},
        "digest": stored.digest,
        "created_by": "olga",
        "created_at": stored.created_at.isoformat().replace("+00:00", "Z"),
        "reason": "for the help desk",
        "outcome": "applied",
    }


@pytest.mark.parametrize("part", ["history", "revisions"])
def test_both_are_kept_when_record_and_cluster_are_gone(
    owner: Person, viewer: Person, made: Deployment, runtime: MemoryCluster, part: str
) -> None:
    owner.delete(f"deployments/{made.pk}")
    runtime.faults["*"] = Unavailable("pulled down")
    status, answer = viewer.get(f"deployments/{made.pk}/{part}")
    assert (status, bool(answer[part])) == (200, True)


@pytest.mark.parametrize("part", ["history", "revisions"])
def test_strangers_and_wrong_ids_find_nothing(
    stranger: Person, viewer: Person, made: Deployment, part: str
) -> None:
    assert stranger.get(f"deployments/{made.pk}/{part}")[0] == 404
    assert viewer.get(f"deployments/nowhere/{part}")[0] == 404
    assert viewer.post(f"deployments/{made.pk}/{part}", {})[0] in {403, 405}

"""Reading one deployment: live, kept only when it is news, and honest when nobody answers."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from deployments.models import Cluster, Deployment, StatusChange
from deployments.selectors import seen_at
from deployments.services.reading import read_deployment
from providers import registry
from providers.contract.errors import Rejected, Unavailable
from providers.testing.memory.cluster import MemoryCluster
from providers.testing.memory.provider import MemoryProvider

Launch = Callable[..., Deployment]


def stored() -> Deployment:
    return Deployment.objects.select_related("cluster").get()


def test_a_read_answers_live_and_keeps_what_changed_with_its_history(
    launch: Launch, memory: MemoryCluster
) -> None:
    deployment = launch(overrides={"min_replicas": 2})
    memory.ready[deployment.runtime_name] = 1

    reading = read_deployment(stored())

    assert not reading.stale
    assert reading.status.message == "1 of 2 replicas ready"
    kept = stored()
    assert (kept.phase, kept.reason) == ("Deploying", "LoadingModel")
    assert (kept.ready_replicas, kept.desired_replicas) == (1, 2)
    assert kept.observed_at is not None
    assert [c.reason for c in StatusChange.objects.all()] == [
        "LoadingModel",
        "WaitingForController",
    ]


@pytest.mark.usefixtures("memory")
def test_a_read_that_says_nothing_new_writes_nothing(launch: Launch) -> None:
    launch()
    read_deployment(stored())
    deployment = stored()

    with CaptureQueriesContext(
        connection,
    ) as queries:
        read_deployment(deployment)

    assert [q["sql"] for q in queries if not q["sql"].startswith("SELECT")] == []


def test_an_older_observation_never_replaces_a_newer_one(
    launch: Launch, memory: MemoryCluster
) -> None:
    launch()
    read_deployment(stored())
    memory.clock = timezone.now() - timedelta(minutes=5)
    memory.ready[stored().runtime_name] = 0

    reading = read_deployment(stored())

    assert reading.status.ready_replicas == 0, "the answer is what was just read"
    assert stored().phase == "Ready", "but it came from an older clock and is not kept"


@pytest.mark.parametrize(
    "fault",
    [Unavailable("no answer"), Rejected("token expired", code="CredentialsRefused")],
    ids=["silent", "refused"],
)
def test_a_cluster_that_does_not_answer_gives_the_snapshot_marked_stale(
    launch: Launch, memory: MemoryCluster, fault: Unavailable | Rejected
) -> None:
    launch()
    read_deployment(stored())
    memory.faults["get"] = fault

    reading = read_deployment(stored())

    assert reading.stale
    assert (reading.cause, reading.cause_code) == (fault.message, fault.code)
    assert reading.status.phase == "Ready"
    assert reading.endpoint.url
    assert reading.seen_at == stored().observed_at


def test_a_provider_that_is_gone_or_broken_gives_the_snapshot(
    launch: Launch, settings: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    launch()

    def fail(*_args: object, **_kwargs: object) -> None:
        raise ZeroDivisionError

    with monkeypatch.context() as patch:
        patch.setattr(MemoryProvider, "get", fail)
        assert "failed at get" in read_deployment(stored()).cause
    settings.SLIPWAY_PROVIDERS = []  # type: ignore[attr-defined]
    registry.forget()
    reading = read_deployment(stored())
    assert reading.stale
    assert "memory is not installed in this console" in reading.cause


def test_what_was_removed_outside_stays_open(launch: Launch, memory: MemoryCluster) -> None:
    launch()
    memory.objects.clear()

    read_deployment(stored())

    assert (stored().phase, stored().reason) == ("Deleted", "RemovedOutside")
    assert stored().closed_at is None


def test_a_closed_record_is_read_without_a_call(launch: Launch, memory: MemoryCluster) -> None:
    launch()
    Deployment.objects.update(closed_at=timezone.now())
    memory.calls.clear()

    assert not read_deployment(stored()).stale
    assert memory.calls == []


def test_a_row_was_seen_by_its_own_read_or_by_its_clusters_pass(launch: Launch) -> None:
    deployment, now = launch(), timezone.now()
    assert seen_at(deployment) is None

    deployment.observed_at = now - timedelta(seconds=90)
    deployment.cluster = Cluster(last_pass_at=now - timedelta(seconds=20))
    assert seen_at(deployment) == now - timedelta(seconds=20)


@pytest.mark.parametrize("seconds", [30, None])
def test_a_row_of_a_kind_that_could_not_be_read_is_as_old_as_the_last_read(
    launch: Launch, seconds: int | None
) -> None:
    deployment, now = launch(), timezone.now()
    read_at = (now - timedelta(seconds=seconds)).isoformat() if seconds else ""
    deployment.observed_at = now - timedelta(seconds=90)
    deployment.cluster = Cluster(
        last_pass_at=now,
        last_moving_pass_at=now,
        unread_kinds={deployment.kind: {"why": "500", "read_at": read_at}},
    )
    assert seen_at(deployment) == now - timedelta(seconds=seconds or 90)


@pytest.mark.parametrize(
    ("phase", "changed", "age"),
    [("Deploying", 60, 5), ("Ready", 60, 20), ("Deploying", 3, 20)],
)
def test_a_pass_over_what_is_moving_has_read_only_what_was_moving_before_it(
    launch: Launch, phase: str, changed: int, age: int
) -> None:
    deployment, now = launch(), timezone.now()
    deployment.phase, deployment.updated_at = phase, now - timedelta(seconds=changed)
    deployment.cluster = Cluster(
        last_pass_at=now - timedelta(seconds=20), last_moving_pass_at=now - timedelta(seconds=5)
    )

    assert seen_at(deployment) == now - timedelta(seconds=age)

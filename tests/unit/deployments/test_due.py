"""Which pass a cluster is due for: small ones for what is moving, full ones within the interval."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.conf import LazySettings
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from console.intervals import Intervals
from deployments.models import Cluster, Deployment, Operation
from deployments.models.operations import OperationState
from deployments.selectors import unfinished_operations
from deployments.services import moving
from deployments.services.due import is_full_pass_due, refresh_if_due
from deployments.services.finishing import place_in_line
from deployments.services.refreshing import refresh_cluster
from providers.contract.errors import Rejected, Unavailable
from providers.testing.memory.cluster import MemoryCluster

Launch = Callable[..., Deployment]


def turn(memory: MemoryCluster) -> list[str]:
    """Let the clock turn once and return what the cluster was asked."""
    memory.calls.clear()
    refresh_if_due(Cluster.objects.get())
    return memory.calls


def test_a_cluster_that_was_never_read_gets_a_full_pass(
    cluster: Cluster, memory: MemoryCluster
) -> None:
    assert "list" in turn(memory)


@pytest.mark.parametrize(
    ("age", "is_due"),
    [(10, False), (44, False), (45, True), (60, True), (-10, False), (-100, True)],
)
def test_a_full_pass_comes_before_its_interval_is_over(age: int, *, is_due: bool) -> None:
    now = timezone.now()
    cluster = Cluster(last_pass_at=now - timedelta(seconds=age))
    assert is_full_pass_due(cluster, now=now) is is_due


def test_a_clock_that_was_set_back_stops_no_pass(cluster: Cluster, memory: MemoryCluster) -> None:
    later = timezone.now() + timedelta(hours=3)
    Cluster.objects.update(last_pass_at=later, next_try_at=later, failed_passes=1)
    Cluster.objects.update(lease_owner="one that was killed", lease_until=later)
    assert "list" in turn(memory)
    row = Cluster.objects.get()
    assert row.last_pass_at is not None
    assert row.last_pass_at < later
    assert (row.lease_until, row.next_try_at, row.failed_passes) == (None, None, 0)


def test_with_equal_intervals_every_turn_is_a_full_pass(settings: LazySettings) -> None:
    settings.REFRESH = Intervals(moving_seconds=10, full_seconds=10)
    now = timezone.now()
    assert is_full_pass_due(Cluster(last_pass_at=now - timedelta(seconds=1)), now=now)


def test_where_all_is_at_rest_nothing_is_asked_between_full_passes(
    launch: Launch, cluster: Cluster, memory: MemoryCluster
) -> None:
    launch()
    refresh_cluster(cluster)
    assert turn(memory) == []


def test_what_is_moving_is_read_by_id_and_its_change_is_kept(
    launch: Launch, cluster: Cluster, memory: MemoryCluster
) -> None:
    still, moves = launch(name="still"), launch(name="moves")
    memory.ready[moves.runtime_name] = 0
    refresh_cluster(cluster)
    memory.ready.clear()

    assert turn(memory) == ["get_several"]

    moves.refresh_from_db()
    still.refresh_from_db()
    assert moves.phase == "Ready"
    assert still.phase == "Ready"
    row = Cluster.objects.get()
    assert row.last_moving_pass_at is not None
    assert row.last_pass_at is not None
    assert row.last_moving_pass_at > row.last_pass_at
    assert row.lease_until is None


def test_more_than_a_selector_can_name_are_read_by_a_full_pass(
    launch: Launch, cluster: Cluster, memory: MemoryCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(moving, "MOST_AT_ONCE", 1)
    names = ("one", "two")
    for name in names:
        memory.ready[launch(name=name).runtime_name] = 0
    refresh_cluster(cluster)
    assert "list" in turn(memory)


def test_a_launch_that_was_cut_short_is_finished_at_the_next_turn(
    launch: Launch, cluster: Cluster, memory: MemoryCluster
) -> None:
    refresh_cluster(cluster)
    memory.faults["create"] = Unavailable("no answer")
    deployment = launch()
    memory.faults.clear()
    assert Operation.objects.unfinished().count() == 1

    assert turn(memory) == ["get_several", "create"]

    deployment.refresh_from_db()
    assert deployment.applied_revision == 1
    assert Operation.objects.get().state == OperationState.DONE


def test_launches_that_always_time_out_starve_none_of_their_kind(
    launch: Launch, cluster: Cluster, memory: MemoryCluster
) -> None:
    memory.faults["create"] = Unavailable("no answer")
    names = {f"launch-{number}" for number in range(6)}
    for name in names:
        launch(name=name)
    left = list(unfinished_operations(cluster.pk))

    firsts = {min(left, key=place_in_line).deployment.name for _ in range(200)}
    assert firsts == names

    left[0].last_error = ""
    assert {min(left, key=place_in_line) for _ in range(20)} == {left[0]}


def test_work_that_is_left_is_done_even_where_nothing_moves(
    launch: Launch, cluster: Cluster, memory: MemoryCluster
) -> None:
    launch()
    refresh_cluster(cluster)
    Operation.objects.update(state=OperationState.OPEN, finished_at=None)
    assert turn(memory) == ["update"]


def test_a_moving_pass_over_a_silent_cluster_counts_as_a_failure(
    launch: Launch, cluster: Cluster, memory: MemoryCluster
) -> None:
    memory.ready[launch().runtime_name] = 0
    refresh_cluster(cluster)
    memory.faults["*"] = Unavailable("no answer")
    turn(memory)
    row = Cluster.objects.get()
    assert (row.failed_passes, row.reachable, row.lease_until) == (1, False, None)


@pytest.mark.parametrize("code", ["ClusterChanged", "CredentialsRefused"])
def test_a_moving_pass_over_another_cluster_or_with_old_credentials_counts_as_a_failure(
    launch: Launch, cluster: Cluster, memory: MemoryCluster, code: str
) -> None:
    memory.ready[launch().runtime_name] = 0
    refresh_cluster(cluster)
    memory.faults["get_several"] = Rejected("not so", code=code)
    turn(memory)
    row = Cluster.objects.get()
    assert (row.failed_passes, row.reachable, row.last_error_code) == (1, False, code)
    assert row.last_moving_pass_at is None


def test_what_a_moving_pass_may_not_read_does_not_pass_for_fresh(
    launch: Launch, cluster: Cluster, memory: MemoryCluster
) -> None:
    memory.ready[launch().runtime_name] = 0
    refresh_cluster(cluster)
    memory.faults["get_several"] = Rejected("no right", code="Forbidden")
    turn(memory)
    row = Cluster.objects.get()
    assert (row.failed_passes, row.reachable, row.last_moving_pass_at) == (0, True, None)


def test_what_no_provider_here_carries_neither_calls_for_a_pass_nor_spoils_one(
    launch: Launch, cluster: Cluster, memory: MemoryCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(moving, "MOST_AT_ONCE", 1)
    for name in ("one", "two"):
        Deployment.objects.filter(pk=launch(name=name).pk).update(kind="acme", phase="Failed")
    refresh_cluster(cluster)
    assert turn(memory) == []
    memory.ready[launch(name="ours").runtime_name] = 0
    refresh_cluster(cluster)
    assert turn(memory) == ["get_several"]
    assert Cluster.objects.get().last_moving_pass_at is not None


def test_a_moving_pass_that_finds_nothing_new_writes_the_cluster_alone(
    launch: Launch, cluster: Cluster, memory: MemoryCluster
) -> None:
    memory.ready[launch().runtime_name] = 0
    refresh_cluster(cluster)
    turn(memory)
    with CaptureQueriesContext(connection) as queries:
        assert turn(memory) == ["get_several"]
    written = [q["sql"] for q in queries if q["sql"].startswith(("INSERT", "UPDATE", "DELETE"))]
    assert len(written) == 2, "the lease, and its return with what was seen"
    assert all('UPDATE "deployments_cluster"' in sql for sql in written)

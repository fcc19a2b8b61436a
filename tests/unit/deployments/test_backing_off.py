"""A cluster that fails is asked less and less by the background work, and by people as ever."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from deployments.models import Cluster, Deployment
from deployments.services.backing_off import wait_seconds
from deployments.services.curating import confirm_identity, save_cluster
from deployments.services.deleting import delete_deployment
from deployments.services.due import refresh_if_due
from deployments.services.reading import read_deployment
from providers.contract.errors import Rejected, Unavailable
from providers.testing.memory.cluster import MemoryCluster

Launch = Callable[..., Deployment]


def fail(cluster: Cluster, memory: MemoryCluster, error: Exception | None = None) -> Cluster:
    """Let one pass fail, whatever was waited for."""
    memory.faults["*"] = error or Unavailable("no answer")  # type: ignore[assignment]
    Cluster.objects.update(next_try_at=None)
    refresh_if_due(Cluster.objects.get(pk=cluster.pk))
    memory.faults.clear()
    return Cluster.objects.get(pk=cluster.pk)


def waits(cluster: Cluster) -> float:
    assert cluster.next_try_at is not None
    return float((cluster.next_try_at - timezone.now()).total_seconds())


@pytest.mark.parametrize(
    ("failures", "longest"),
    [(1, 10), (2, 20), (3, 40), (4, 80), (5, 160), (6, 300), (7, 300), (10_000, 300)],
)
def test_the_wait_doubles_up_to_five_minutes_and_is_spread(failures: int, longest: float) -> None:
    waited = [wait_seconds(failures) for _ in range(200)]
    assert longest * 0.8 <= min(waited) < max(waited) <= longest


def test_each_failure_in_a_row_is_waited_for_longer(
    cluster: Cluster, memory: MemoryCluster
) -> None:
    first = fail(cluster, memory)
    assert (first.failed_passes, first.reachable) == (1, False)
    assert 7 < waits(first) <= 10
    second = fail(cluster, memory)
    assert second.failed_passes == 2
    assert 15 < waits(second) <= 20


def test_while_it_waits_no_pass_asks_it_anything(cluster: Cluster, memory: MemoryCluster) -> None:
    waiting = fail(cluster, memory)
    memory.calls.clear()
    assert refresh_if_due(waiting) is None
    assert memory.calls == []


def test_when_the_wait_is_over_a_full_pass_asks_and_its_success_ends_the_waiting(
    cluster: Cluster, memory: MemoryCluster
) -> None:
    waiting = fail(cluster, memory)
    waiting.next_try_at = timezone.now() - timedelta(seconds=1)
    report = refresh_if_due(waiting)
    assert report is not None
    assert report.ok
    well = Cluster.objects.get()
    assert (well.failed_passes, well.next_try_at, well.reachable) == (0, None, True)
    assert (well.last_error, well.last_error_code) == ("", "")


def test_a_cluster_that_says_when_to_come_back_is_obeyed(
    cluster: Cluster, memory: MemoryCluster
) -> None:
    told = fail(cluster, memory, Unavailable("overloaded", retry_after=45))
    assert 40 < waits(told) <= 45
    Cluster.objects.update(failed_passes=0)
    absurd = fail(cluster, memory, Unavailable("overloaded", retry_after=86_400))
    assert 290 < waits(absurd) <= 300


def test_refused_credentials_are_waited_for_as_silence_is(
    cluster: Cluster, memory: MemoryCluster
) -> None:
    refused = fail(cluster, memory, Rejected("refused", code="CredentialsRefused"))
    assert (refused.failed_passes, refused.last_error_code) == (1, "CredentialsRefused")


def test_a_person_is_answered_while_the_background_waits_and_that_ends_it(
    launch: Launch, cluster: Cluster, memory: MemoryCluster
) -> None:
    launched = launch()
    fail(cluster, memory)
    deployment = Deployment.objects.select_related("cluster").get(pk=launched.pk)
    reading = read_deployment(deployment)
    assert not reading.stale
    row = Cluster.objects.get()
    assert (row.reachable, row.failed_passes, row.next_try_at) == (True, 0, None)


def test_a_person_who_is_not_answered_leaves_the_waiting_as_it_is(
    launch: Launch, cluster: Cluster, memory: MemoryCluster
) -> None:
    launched = launch()
    before = fail(cluster, memory)
    memory.faults["*"] = Unavailable("no answer")
    assert read_deployment(Deployment.objects.get(pk=launched.pk)).stale
    after = Cluster.objects.get()
    assert (after.failed_passes, after.next_try_at) == (1, before.next_try_at)


@pytest.mark.parametrize("verb", ["launch", "delete"])
def test_a_launch_or_a_deletion_that_is_answered_ends_it_too(
    launch: Launch, cluster: Cluster, memory: MemoryCluster, owner: User, verb: str
) -> None:
    launched = launch(name="first")
    fail(cluster, memory)
    if verb == "launch":
        launch(name="second")
    else:
        delete_deployment(Deployment.objects.get(pk=launched.pk), user=owner)
    assert Cluster.objects.get().failed_passes == 0


@pytest.mark.parametrize("act", [save_cluster, confirm_identity])
def test_what_an_admin_put_right_is_tried_at_the_next_turn(
    cluster: Cluster, memory: MemoryCluster, admin: User, act: Callable[..., object]
) -> None:
    act(fail(cluster, memory), user=admin)
    assert Cluster.objects.get().next_try_at is None

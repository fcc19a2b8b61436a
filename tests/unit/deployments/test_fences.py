"""A pass that has lost its lease writes nothing more, whatever it was about to write."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection, transaction

from deployments.models import Cluster, Deployment, Operation, StatusChange
from deployments.services.deleting import delete_deployment
from deployments.services.leasing import LeaseLost, fenced, take_lease
from deployments.services.moving import refresh_moving
from deployments.services.refreshing import refresh_cluster
from providers.contract.errors import Unavailable
from providers.testing.memory.cluster import MemoryCluster
from providers.testing.memory.provider import MemoryProvider

Launch = Callable[..., Deployment]
OTHER = "another process"


def stolen_at(monkeypatch: pytest.MonkeyPatch, verb: str, rows: Any) -> None:
    """Let another process take the lease of these rows while the cluster is asked."""
    ask = getattr(MemoryProvider, verb)

    def asked(*args: object, **kwargs: object) -> object:
        answer = ask(*args, **kwargs)
        rows.update(lease_owner=OTHER)
        return answer

    monkeypatch.setattr(MemoryProvider, verb, asked)


@pytest.mark.parametrize(
    ("verb", "run"), [("list", refresh_cluster), ("get_several", refresh_moving)]
)
def test_a_pass_that_lost_its_lease_keeps_no_verdict(
    launch: Launch,
    cluster: Cluster,
    monkeypatch: pytest.MonkeyPatch,
    verb: str,
    run: Callable[[Cluster], Any],
) -> None:
    deployment = launch()
    changes = StatusChange.objects.count()
    stolen_at(monkeypatch, verb, Cluster.objects)

    report = run(cluster)

    assert (report.ok, report.error_code, report.changed) == (False, "LeaseLost", 0)
    deployment.refresh_from_db()
    assert deployment.phase == "Deploying"
    assert StatusChange.objects.count() == changes
    row = Cluster.objects.get()
    assert (row.lease_owner, row.last_pass_at, row.last_moving_pass_at) == (OTHER, None, None)


def test_a_pass_that_lost_its_lease_closes_nothing(
    launch: Launch,
    cluster: Cluster,
    memory: MemoryCluster,
    owner: User,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    deployment = launch()
    for stored in memory.objects.values():
        stored.held_by = ("example.com/hold",)
    delete_deployment(deployment, user=owner)
    memory.objects.clear()
    stolen_at(monkeypatch, "list", Cluster.objects)

    assert refresh_cluster(cluster).error_code == "LeaseLost"
    assert Deployment.objects.open().filter(pk=deployment.pk).exists()


def test_a_pass_that_lost_its_lease_begins_no_work_and_tells_no_failure(
    launch: Launch, cluster: Cluster, memory: MemoryCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    refresh_cluster(cluster)
    before = Cluster.objects.get()
    memory.faults["create"] = Unavailable("no answer")
    launch()
    memory.faults.clear()
    memory.calls.clear()
    stolen_at(monkeypatch, "list", Cluster.objects)

    refresh_cluster(cluster)

    assert "create" not in memory.calls
    after = Cluster.objects.get()
    assert (after.last_pass_at, after.failed_passes) == (before.last_pass_at, 0)


def test_a_deletion_whose_lease_is_lost_is_told_by_whoever_has_it(
    launch: Launch, memory: MemoryCluster, owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    deployment = launch()
    stolen_at(monkeypatch, "delete", Deployment.objects)

    delete_deployment(deployment, user=owner)

    assert memory.objects == {}
    row = Deployment.objects.get()
    assert (row.closed_at, row.lease_owner) == (None, OTHER)
    operation = Operation.objects.unfinished().get()
    assert (operation.accepted_at, operation.last_error) == (None, "")


def test_a_launch_whose_lease_is_lost_leaves_its_promise_as_it_is(
    launch: Launch, monkeypatch: pytest.MonkeyPatch, cluster: Cluster, memory: MemoryCluster
) -> None:
    def fail(*_args: object, **_kwargs: object) -> None:
        Deployment.objects.update(lease_owner=OTHER)
        raise Unavailable("no answer")

    monkeypatch.setattr(MemoryProvider, "create", fail)
    launch()
    assert Operation.objects.unfinished().get().last_error == ""


def test_a_fence_renews_the_lease_and_rolls_back_what_fails(cluster: Cluster) -> None:
    rows = Cluster.objects.all()
    lease = take_lease(rows, cluster.pk, seconds=1)
    assert lease is not None
    taken_until = Cluster.objects.get().lease_until
    with fenced(rows, lease, seconds=60):
        Cluster.objects.update(region="eu")
    row = Cluster.objects.get()
    assert row.region == "eu"
    assert row.lease_until is not None
    assert taken_until is not None
    assert row.lease_until > taken_until

    with suppress(ZeroDivisionError), fenced(rows, lease, seconds=60):
        Cluster.objects.update(region="us")
        raise ZeroDivisionError
    assert Cluster.objects.get().region == "eu"

    with transaction.atomic():
        Cluster.objects.update(lease_owner=OTHER)
    with pytest.raises(LeaseLost), fenced(rows, lease, seconds=60):
        pytest.fail("nothing may be written")


@pytest.mark.django_db(transaction=True)
def test_nobody_takes_a_lease_while_its_holder_writes_under_it(cluster: Cluster) -> None:
    rows = Cluster.objects.all()
    lease = take_lease(rows, cluster.pk, seconds=0)
    assert lease is not None

    def take() -> object:
        try:
            return take_lease(Cluster.objects.all(), cluster.pk, seconds=60)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        with fenced(rows, lease, seconds=60):
            other = pool.submit(take)
            done, _ = wait([other], timeout=0.5)
            assert not done, "it waits for the end of the transaction"
        assert other.result() is None, "by then the lease is renewed"

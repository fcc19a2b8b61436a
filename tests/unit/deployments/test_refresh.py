"""The full pass: it writes what changed, finishes what was begun, and nothing stops it."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from io import StringIO

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from deployments.models import Cluster, Deployment, Operation, StatusChange
from deployments.selectors import is_stale
from deployments.services.capacity import capacity_of, stored_capacity
from deployments.services.deadlines import deadline_in
from deployments.services.deleting import delete_deployment
from deployments.services.heartbeat import beat_status
from deployments.services.refreshing import refresh_cluster
from providers.contract.capacity import AcceleratorCapacity
from providers.contract.errors import Rejected, Unavailable
from providers.contract.protocols import Listing
from providers.testing.memory.cluster import MemoryCluster, cluster_of
from providers.testing.memory.provider import MemoryProvider

Launch = Callable[..., Deployment]

H100 = AcceleratorCapacity(
    type="H100", resource="nvidia.com/gpu", total=8, free=3, largest_free_on_one_node=2
)


def test_a_pass_brings_every_status_up_to_date(
    launch: Launch, cluster: Cluster, memory: MemoryCluster
) -> None:
    for name in ("one", "two", "three"):
        launch(name=name)

    report = refresh_cluster(cluster)

    assert (report.deployments, report.changed, report.ok) == (3, 3, True)
    assert set(Deployment.objects.values_list("phase", flat=True)) == {"Ready"}
    assert memory.calls.count("list") == 1
    cluster.refresh_from_db()
    assert cluster.reachable
    assert cluster.last_pass_at is not None
    assert cluster.kinds == {"memory": True}
    assert cluster.uid == f"uid-{cluster.pk}"
    assert cluster.lease_until is None


def test_a_pass_that_finds_nothing_new_writes_no_deployment(
    launch: Launch, cluster: Cluster
) -> None:
    launch()
    refresh_cluster(cluster)

    with CaptureQueriesContext(connection) as queries:
        report = refresh_cluster(cluster)

    written = [q["sql"] for q in queries if q["sql"].startswith(("INSERT", "UPDATE", "DELETE"))]
    assert report.changed == 0
    assert [sql for sql in written if '"deployments_cluster"' not in sql] == []
    assert len(written) == 2, "the lease, and what was seen with the lease given back"


def test_the_queries_of_a_pass_do_not_grow_with_the_deployments(
    launch: Launch, cluster: Cluster
) -> None:
    counts = []
    for names in (["a"], ["b", "c", "d", "e"]):
        for name in names:
            launch(name=name)
        refresh_cluster(cluster)
        with CaptureQueriesContext(connection) as queries:
            refresh_cluster(cluster)
        counts.append(len(queries))

    assert counts[0] == counts[1]


def test_a_silent_cluster_is_marked_and_its_rows_are_kept(
    launch: Launch, cluster: Cluster, memory: MemoryCluster
) -> None:
    launch()
    refresh_cluster(cluster)
    memory.faults["*"] = Unavailable("no answer")

    report = refresh_cluster(cluster)

    assert (report.ok, report.error) == (False, "no answer")
    deployment = Deployment.objects.select_related("cluster").get()
    assert deployment.phase == "Ready"
    assert is_stale(deployment)
    assert deployment.cluster.last_error_code == "ClusterUnreachable"
    assert deployment.cluster.lease_until is None


def test_another_cluster_behind_the_same_address_changes_nothing(
    launch: Launch, cluster: Cluster
) -> None:
    launch()
    Cluster.objects.update(uid="the one before")

    report = refresh_cluster(Cluster.objects.get())

    assert report.error_code == "ClusterChanged"
    assert Deployment.objects.get().phase == "Deploying"
    assert Cluster.objects.get(pk=cluster.pk).uid == "the one before"


def test_one_pass_at_a_time(cluster: Cluster) -> None:
    Cluster.objects.update(lease_owner="other", lease_until=timezone.now() + timedelta(minutes=1))

    assert refresh_cluster(cluster).skipped


def test_a_pass_whose_process_died_is_taken_over(cluster: Cluster) -> None:
    Cluster.objects.update(lease_owner="dead", lease_until=timezone.now() - timedelta(seconds=1))

    assert not refresh_cluster(cluster).skipped
    assert Cluster.objects.get().lease_fence == 1


def test_a_broken_record_and_a_broken_provider_stop_nothing_else(
    launch: Launch, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken, sound = launch(name="broken"), launch(name="sound")
    Deployment.objects.filter(pk=broken.pk).update(scaling={"metric": {"type": "moon"}})

    report = refresh_cluster(cluster)

    sound.refresh_from_db()
    assert sound.phase == "Ready"
    assert len(report.problems) == 1
    assert report.problems[0].startswith("broken: ")

    def fail(*_args: object, **_kwargs: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(MemoryProvider, "list", fail)
    report = refresh_cluster(cluster)
    assert report.ok
    assert any("failed at list" in problem for problem in report.problems)
    assert "failed at list" in Cluster.objects.get().unread_kinds["memory"]["why"]


def test_a_kind_that_was_never_read_has_no_age_and_one_that_was_keeps_it(
    launch: Launch, cluster: Cluster, memory: MemoryCluster
) -> None:
    launch()
    memory.faults["list"] = Unavailable("no list")
    refresh_cluster(cluster)
    assert Cluster.objects.get().unread_kinds == {"memory": {"why": "no list", "read_at": ""}}

    memory.faults.clear()
    refresh_cluster(cluster)
    read_at = cluster.last_pass_at
    assert read_at is not None
    memory.faults["list"] = Unavailable("no list")
    for _ in range(2):
        refresh_cluster(cluster)
    deployment = Deployment.objects.select_related("cluster").get()
    assert deployment.cluster.last_pass_at != read_at
    assert deployment.cluster.unread_kinds["memory"]["read_at"] == read_at.isoformat()


def test_credentials_that_are_refused_within_a_pass_are_no_fault_of_one_kind(
    launch: Launch, cluster: Cluster, memory: MemoryCluster
) -> None:
    launch()
    memory.faults["list"] = Rejected("refused", code="CredentialsRefused")

    assert refresh_cluster(cluster).error_code == "CredentialsRefused"
    assert Cluster.objects.get().unread_kinds == {}


def test_a_verdict_that_cannot_be_stored_keeps_none_of_the_others_from_it(
    launch: Launch, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad, good = launch(name="bad"), launch(name="good")
    read = MemoryProvider.list

    def with_half_a_pair(*args: object, **kwargs: object) -> Listing:
        listing = read(*args, **kwargs)  # type: ignore[arg-type]
        seen = listing.observations[str(bad.pk)]
        status = replace(seen.status, message="half \ud800")
        broken = {str(bad.pk): replace(seen, status=status)}
        return replace(listing, observations={**listing.observations, **broken})

    monkeypatch.setattr(MemoryProvider, "list", with_half_a_pair)

    report = refresh_cluster(cluster)

    good.refresh_from_db()
    assert good.phase == "Ready"
    assert report.changed == 1
    assert [problem.partition(":")[0] for problem in report.problems] == ["bad"]
    assert StatusChange.objects.filter(deployment=good, phase="Ready").count() == 1


def test_a_deletion_the_cluster_has_taken_is_not_asked_for_in_every_pass(
    launch: Launch, cluster: Cluster, memory: MemoryCluster, owner: User
) -> None:
    deployment = launch()
    for stored in memory.objects.values():
        stored.held_by = ("example.com/hold",)
    delete_deployment(deployment, user=owner)
    memory.calls.clear()

    report = refresh_cluster(cluster)
    assert report.unfinished == 1
    assert "delete" not in memory.calls

    Operation.objects.update(accepted_at=timezone.now() - timedelta(minutes=6))
    refresh_cluster(cluster)
    assert memory.calls.count("delete") == 1


def test_a_pass_keeps_what_is_free_and_a_young_count_is_not_taken_again(
    cluster: Cluster, memory: MemoryCluster
) -> None:
    memory.accelerators = (H100,)
    refresh_cluster(cluster)
    cluster.refresh_from_db()
    counted = stored_capacity(cluster)
    assert counted is not None
    assert counted.of_type("h100") == H100

    memory.calls.clear()
    assert capacity_of(cluster, deadline=deadline_in(1)) == counted
    assert memory.calls == []

    cluster.capacity_at = timezone.now() - timedelta(seconds=61)
    Cluster.objects.update(capacity_at=cluster.capacity_at)
    memory.accelerators = ()
    renewed = capacity_of(cluster)
    assert renewed is not None
    assert renewed.accelerators == ()
    assert memory.calls == ["read_capacity"]


def test_a_count_that_fails_leaves_the_old_one(cluster: Cluster, memory: MemoryCluster) -> None:
    memory.accelerators = (H100,)
    refresh_cluster(cluster)
    Cluster.objects.update(capacity_at=timezone.now() - timedelta(hours=1))
    cluster.refresh_from_db()
    memory.faults["read_capacity"] = Unavailable("no answer")

    kept = capacity_of(cluster, deadline=deadline_in(1))

    assert kept is not None
    assert kept.accelerators == (H100,)


def test_the_command_prints_each_cluster_and_fails_for_a_silent_one(
    launch: Launch, cluster: Cluster
) -> None:
    launch()
    silent = Cluster.objects.create(name="away")
    cluster_of(str(silent.pk)).faults["*"] = Unavailable("no answer")
    out = StringIO()

    with pytest.raises(CommandError, match="could not read away"):
        call_command("refresh", stdout=out)

    assert "away: failed: no answer" in out.getvalue()
    assert not beat_status().is_late, "whoever refreshes by hand is no dead worker"
    assert "lab: 1 deployments, 1 changed" in out.getvalue()
    call_command("refresh", cluster.name, stdout=out)
    with pytest.raises(CommandError, match="there is no cluster nowhere"):
        call_command("refresh", "nowhere")

"""Deleting: the wish is kept, the cluster asked, the record closed when nothing is left."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from deployments.exceptions import NotAllowed
from deployments.models import AuditEntry, Cluster, Deployment, Operation
from deployments.services.deadlines import deadline_in
from deployments.services.deleting import delete_deployment
from deployments.services.finishing import finish_operation
from deployments.services.reading import read_deployment
from deployments.services.refreshing import refresh_cluster
from providers.contract.errors import Rejected, Unavailable
from providers.testing.memory.cluster import MemoryCluster

Launch = Callable[..., Deployment]


def test_a_deletion_that_completes_closes_the_record_and_frees_the_name(
    launch: Launch, owner: User, memory: MemoryCluster
) -> None:
    deployment = delete_deployment(launch(), user=owner, reason="done with it")

    deployment.refresh_from_db()
    assert deployment.closed_at is not None
    assert (deployment.phase, deployment.reason) == ("Deleted", "Removed")
    assert not memory.objects
    entries = AuditEntry.objects.filter(action="deployment.delete").order_by("id")
    assert [(e.outcome, e.reason) for e in entries] == [
        ("accepted", "done with it"),
        ("succeeded", ""),
    ]
    wish = entries[0]
    assert wish.before is not None
    assert wish.after is not None
    assert (wish.before["intent"], wish.after["intent"]) == ("running", "deleted")
    assert launch().pk != deployment.pk


def test_deleting_what_is_closed_or_gone_already_succeeds(
    launch: Launch, owner: User, memory: MemoryCluster
) -> None:
    deployment = launch()
    memory.objects.clear()

    closed = delete_deployment(deployment, user=owner)
    again = delete_deployment(closed, user=owner)

    assert again.closed_at is not None
    assert Operation.objects.filter(verb="delete").count() == 1


def test_a_finalizer_is_named_and_a_detail_read_closes_the_record_later(
    launch: Launch, owner: User, memory: MemoryCluster
) -> None:
    deployment = launch()
    held = next(stored for key, stored in memory.objects.items() if key.kind == "MemoryWorkload")
    held.held_by = ("example.com/backup",)

    delete_deployment(deployment, user=owner)

    deployment.refresh_from_db()
    assert (deployment.phase, deployment.reason) == ("Deleting", "PendingFinalizer")
    assert "held by example.com/backup" in deployment.message
    assert deployment.closed_at is None

    memory.objects.clear()
    reading = read_deployment(Deployment.objects.get())

    assert reading.status.phase == "Deleted"
    assert reading.deployment.closed_at is not None
    assert Operation.objects.get(verb="delete").state == "done"


def test_a_silent_cluster_keeps_the_wish_for_the_next_pass(
    launch: Launch, owner: User, memory: MemoryCluster, cluster: Cluster
) -> None:
    deployment = launch()
    memory.faults["*"] = Unavailable("no answer")

    delete_deployment(deployment, user=owner)

    deployment.refresh_from_db()
    assert (deployment.phase, deployment.reason) == ("Deleting", "ClusterUnreachable")
    assert "no answer" in deployment.message
    memory.faults.clear()
    report = refresh_cluster(cluster)
    deployment.refresh_from_db()
    assert report.finished == 1
    assert deployment.closed_at is not None
    assert not memory.objects


def test_a_refused_deletion_stays_and_says_so(
    launch: Launch, owner: User, memory: MemoryCluster
) -> None:
    deployment = launch()
    memory.faults["delete"] = Rejected("may not delete", code="Forbidden")

    delete_deployment(deployment, user=owner)

    deployment.refresh_from_db()
    assert (deployment.phase, deployment.reason) == ("Deleting", "Forbidden")
    assert "may not delete" in deployment.message


def test_a_deletion_during_the_launch_waits_for_it_and_wins(
    launch: Launch, owner: User, memory: MemoryCluster, cluster: Cluster
) -> None:
    memory.faults["create"] = Unavailable("no answer")
    deployment = launch()
    memory.faults.clear()
    soon = timezone.now() + timedelta(minutes=1)
    Deployment.objects.update(lease_owner="the launch", lease_until=soon)

    delete_deployment(deployment, user=owner)
    read_deployment(Deployment.objects.get())
    refresh_cluster(cluster)

    deployment.refresh_from_db()
    assert deployment.closed_at is None, "objects may still be on their way"
    Deployment.objects.update(lease_owner="", lease_until=None)
    refresh_cluster(cluster)
    deployment.refresh_from_db()
    assert deployment.closed_at is not None
    assert not memory.objects


def test_a_launch_that_a_deletion_overtakes_says_so_in_the_trail(
    launch: Launch, owner: User, memory: MemoryCluster
) -> None:
    memory.faults["create"] = Unavailable("no answer")
    deployment = launch()
    memory.faults.clear()
    launched = Operation.objects.get()

    delete_deployment(deployment, user=owner)

    told = AuditEntry.objects.filter(operation_id=str(launched.pk)).order_by("pk")
    assert [entry.outcome for entry in told] == ["accepted", "superseded"]
    launched.refresh_from_db()
    assert launched.state == "superseded"


def test_a_pass_that_listed_a_launch_makes_nothing_anew_once_it_is_being_deleted(
    launch: Launch, owner: User, memory: MemoryCluster
) -> None:
    memory.faults["create"] = Unavailable("no answer")
    deployment = launch()
    memory.faults.clear()
    listed = Operation.objects.select_related("deployment__cluster").get()
    memory.faults["delete"] = Unavailable("no answer")
    delete_deployment(deployment, user=owner)

    assert finish_operation(listed, deadline=deadline_in(3))

    assert not memory.objects
    assert Operation.objects.unfinished().get().verb == "delete"
    deployment.refresh_from_db()
    assert deployment.lease_until is None


def test_only_who_launched_it_and_admins_may_delete(
    launch: Launch, member: User, viewer: User, admin: User
) -> None:
    deployment = launch()

    for person in (member, viewer):
        with pytest.raises(NotAllowed, match="olga"):
            delete_deployment(deployment, user=person)
    assert delete_deployment(deployment, user=admin).closed_at is not None

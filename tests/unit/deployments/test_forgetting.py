"""Forgetting a record: for admins, with a reason, only what cannot be deleted, touching nothing."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from deployments.ending_errors import InUse, NotForgettable
from deployments.exceptions import InvalidOrder, NotAllowed
from deployments.models import AuditEntry, Cluster, Deployment, Operation, Orphan, StatusChange
from deployments.services.deleting import delete_deployment
from deployments.services.forgetting import forget_deployment, is_forgettable
from deployments.services.refreshing import refresh_cluster
from providers.contract.errors import Unavailable
from providers.testing.memory.cluster import MemoryCluster
from tests.orphaned import let_time_pass

Launch = Callable[..., Deployment]
WHY = "the cluster was pulled down"


@pytest.fixture
def lost(launch: Launch, memory: MemoryCluster, cluster: Cluster) -> Deployment:
    """Return a deployment whose cluster does not answer any more."""
    deployment = launch()
    memory.faults["*"] = Unavailable("no answer")
    refresh_cluster(cluster)
    return Deployment.objects.select_related("cluster").get(pk=deployment.pk)


def test_a_record_is_closed_and_says_what_may_be_left_behind(
    lost: Deployment, admin: User, memory: MemoryCluster, launch: Launch
) -> None:
    calls, objects = len(memory.calls), dict(memory.objects)

    forget_deployment(lost, user=admin, reason=WHY)

    lost.refresh_from_db()
    assert lost.is_closed
    assert (lost.phase, lost.reason) == ("Deleted", "Forgotten")
    assert f"Forgotten by ada: {WHY}" in lost.message
    assert {item["object"] for item in lost.evidence} == {str(key) for key in objects}
    assert (len(memory.calls), memory.objects) == (calls, objects)
    assert StatusChange.objects.filter(deployment=lost).first().reason == "Forgotten"  # type: ignore[union-attr]
    memory.faults.clear()
    assert launch().pk != lost.pk


def test_the_trail_tells_who_forgot_it_why_and_what_was_left(lost: Deployment, admin: User) -> None:
    forget_deployment(lost, user=admin, reason=WHY)

    entry = AuditEntry.objects.get(action="deployment.forget")
    assert (entry.actor, entry.role, entry.reason) == (admin, "admin", WHY)
    assert entry.outcome == "succeeded"
    assert entry.after is not None
    assert entry.after["phase"] == "Deleted"
    assert [name.split(" ")[0] for name in entry.after["left_behind"]] == [
        "MemoryWorkload",
        "MemoryService",
    ]


def test_a_deletion_that_waits_is_ended_with_it(
    launch: Launch, owner: User, admin: User, memory: MemoryCluster, cluster: Cluster
) -> None:
    deployment = launch()
    memory.faults["*"] = Unavailable("no answer")
    delete_deployment(deployment, user=owner)

    forget_deployment(deployment, user=admin, reason=WHY)

    operation = Operation.objects.get(verb="delete")
    assert operation.state == "superseded"
    ended = AuditEntry.objects.filter(operation_id=str(operation.pk)).latest("id")
    assert (ended.outcome, ended.actor_name) == ("superseded", "olga")
    assert "forgotten" in ended.message
    memory.faults.clear()
    assert refresh_cluster(cluster).unfinished == 0
    assert memory.objects


def test_what_turns_up_again_is_listed_as_what_no_record_owns(
    lost: Deployment, admin: User, memory: MemoryCluster, cluster: Cluster
) -> None:
    forget_deployment(lost, user=admin, reason=WHY)
    memory.faults.clear()
    let_time_pass(memory)

    refresh_cluster(cluster)

    assert {row.deployment_id for row in Orphan.objects.all()} == {str(lost.pk)}
    assert Orphan.objects.count() == 2
    lost.refresh_from_db()
    assert lost.is_closed


@pytest.mark.parametrize("columns", [{"enabled": False}, {"reachable": False}])
def test_what_is_on_a_cluster_that_is_away_may_be_forgotten(
    launch: Launch, cluster: Cluster, columns: dict[str, bool]
) -> None:
    deployment = launch()
    Cluster.objects.filter(pk=cluster.pk).update(**columns)

    assert is_forgettable(Deployment.objects.select_related("cluster").get(pk=deployment.pk))


def test_of_what_was_removed_outside_the_rest_is_named(
    launch: Launch, admin: User, memory: MemoryCluster, cluster: Cluster
) -> None:
    deployment = launch()
    memory.objects.pop(next(key for key in memory.objects if key.kind == "MemoryWorkload"))
    refresh_cluster(cluster)
    deployment = Deployment.objects.select_related("cluster").get(pk=deployment.pk)
    assert deployment.reason == "RemovedOutside"

    forget_deployment(deployment, user=admin, reason=WHY)

    assert "MemoryService" in deployment.message
    assert deployment.is_closed


def test_what_can_be_deleted_is_not_forgotten(launch: Launch, admin: User) -> None:
    deployment = launch()
    with pytest.raises(NotForgettable, match="delete it instead"):
        forget_deployment(deployment, user=admin, reason=WHY)
    assert not Deployment.objects.get().is_closed
    assert not AuditEntry.objects.filter(action="deployment.forget").exists()


@pytest.mark.parametrize("reason", ["", "  "])
def test_nothing_is_forgotten_without_a_reason(lost: Deployment, admin: User, reason: str) -> None:
    with pytest.raises(InvalidOrder, match="reason: is required"):
        forget_deployment(lost, user=admin, reason=reason)


def test_only_an_admin_forgets(lost: Deployment, owner: User) -> None:
    with pytest.raises(NotAllowed, match="only an admin"):
        forget_deployment(lost, user=owner, reason=WHY)


def test_what_somebody_is_at_work_on_is_not_forgotten_under_their_hands(
    lost: Deployment, admin: User
) -> None:
    soon = timezone.now() + timedelta(minutes=1)
    Deployment.objects.update(lease_owner="the launch", lease_until=soon)

    with pytest.raises(InUse):
        forget_deployment(lost, user=admin, reason=WHY)

    Deployment.objects.update(lease_owner="", lease_until=None)
    assert forget_deployment(lost, user=admin, reason=WHY).is_closed


def test_forgetting_what_is_closed_changes_nothing(lost: Deployment, admin: User) -> None:
    forget_deployment(lost, user=admin, reason=WHY)
    closed_at = lost.closed_at

    assert forget_deployment(lost, user=admin, reason="again").closed_at == closed_at
    assert AuditEntry.objects.filter(action="deployment.forget").count() == 1

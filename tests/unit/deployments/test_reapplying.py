"""Applying again what was removed outside: the same revision, anew, finished like any act."""

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User

from deployments.change_errors import DeletionAsked
from deployments.ending_errors import NotRemoved
from deployments.exceptions import ClusterRefused, ClusterUnavailable, NotAllowed, RecordClosed
from deployments.models import AuditEntry, Cluster, Deployment, Operation, Revision
from deployments.services.change_orders import read_change
from deployments.services.changing import change_deployment
from deployments.services.deleting import delete_deployment
from deployments.services.reading import read_deployment
from deployments.services.reapplying import reapply_deployment
from deployments.services.refreshing import refresh_cluster
from deployments.services.superseding import BY_REAPPLYING
from providers.contract.errors import Rejected, Unavailable
from providers.contract.manifest import key_of
from providers.testing.memory.cluster import MemoryCluster

Launch = Callable[..., Deployment]


def remove_workload(memory: MemoryCluster) -> None:
    """Remove what runs the model, as somebody with kubectl would."""
    memory.objects.pop(next(key for key in memory.objects if key.kind == "MemoryWorkload"))


@pytest.fixture
def removed(launch: Launch, memory: MemoryCluster) -> Deployment:
    deployment = launch(reason="for the help desk")
    remove_workload(memory)
    return deployment


def test_the_same_revision_is_made_anew(
    removed: Deployment, owner: User, memory: MemoryCluster
) -> None:
    uid, manifests = removed.workload_uid, Revision.objects.get().manifests

    reapply_deployment(removed, user=owner, reason="somebody removed it")

    removed.refresh_from_db()
    assert removed.workload_uid not in {"", uid}
    assert removed.applied_revision == removed.revision == 1
    assert (removed.phase, removed.reason) == ("Deploying", "WaitingForController")
    made = {key: stored.manifest for key, stored in memory.objects.items()}
    assert made == {key_of(manifest): manifest for manifest in manifests}
    assert Revision.objects.count() == 1
    assert read_deployment(removed).status.reason != "RemovedOutside"


def test_the_trail_has_both_ends_of_it(removed: Deployment, owner: User) -> None:
    uid = removed.workload_uid
    reapply_deployment(removed, user=owner, reason="somebody removed it")

    begun, ended = AuditEntry.objects.filter(action="deployment.reapply").order_by("id")
    assert (begun.outcome, ended.outcome) == ("accepted", "succeeded")
    assert (
        begun.operation_id == ended.operation_id == str(Operation.objects.latest("created_at").pk)
    )
    assert (begun.reason, begun.before) == (
        "somebody removed it",
        {"applied_revision": 1, "uid": uid},
    )


def test_what_is_cut_short_a_pass_finishes(
    removed: Deployment, owner: User, memory: MemoryCluster, cluster: Cluster
) -> None:
    memory.faults["create"] = Unavailable("no answer")
    reapply_deployment(removed, user=owner)
    removed.refresh_from_db()
    assert (removed.phase, removed.reason, removed.applied_revision) == (
        "Deploying",
        "ApplyPending",
        0,
    )
    memory.faults.clear()

    refresh_cluster(cluster)

    removed.refresh_from_db()
    assert removed.applied_revision == 1
    assert Operation.objects.get(verb="reapply").state == "done"


def test_what_is_there_is_not_applied_again(launch: Launch, owner: User) -> None:
    deployment = launch()
    with pytest.raises(NotRemoved, match="cannot be applied again"):
        reapply_deployment(deployment, user=owner)
    assert Operation.objects.count() == 1


def test_asked_for_twice_it_is_made_once(
    removed: Deployment, owner: User, memory: MemoryCluster
) -> None:
    reapply_deployment(removed, user=owner)
    with pytest.raises(NotRemoved):
        reapply_deployment(removed, user=owner)
    assert memory.calls.count("create") == 2


def test_a_silent_cluster_is_told_and_nothing_is_stored(
    removed: Deployment, owner: User, memory: MemoryCluster
) -> None:
    memory.faults["*"] = Unavailable("no answer")
    with pytest.raises(ClusterUnavailable, match="no answer"):
        reapply_deployment(removed, user=owner)
    assert Operation.objects.count() == 1


def test_what_the_cluster_says_no_to_beforehand_stores_nothing(
    removed: Deployment, owner: User, memory: MemoryCluster
) -> None:
    memory.refusals["MemoryWorkload"] = Rejected("quota is used up", code="QuotaExceeded")
    with pytest.raises(ClusterRefused, match="quota is used up"):
        reapply_deployment(removed, user=owner)
    assert Operation.objects.count() == 1
    assert read_deployment(removed).status.reason == "RemovedOutside"


def test_what_is_refused_while_it_is_made_says_so_and_can_be_tried_again(
    removed: Deployment, owner: User, memory: MemoryCluster
) -> None:
    memory.faults["create"] = Rejected("no such class", code="ApplyRejected")
    with pytest.raises(ClusterRefused, match="no such class"):
        reapply_deployment(removed, user=owner)
    removed.refresh_from_db()
    assert (removed.phase, removed.reason, removed.is_closed) == ("Failed", "ApplyRejected", False)
    memory.faults.clear()

    reapply_deployment(removed, user=owner)

    removed.refresh_from_db()
    assert (removed.phase, removed.applied_revision) == ("Deploying", 1)


def test_what_is_being_deleted_is_not_applied_again(
    removed: Deployment, owner: User, memory: MemoryCluster
) -> None:
    memory.faults["delete"] = Unavailable("no answer")
    delete_deployment(removed, user=owner)
    with pytest.raises(DeletionAsked):
        reapply_deployment(removed, user=owner)


def test_what_is_closed_is_not_applied_again(removed: Deployment, owner: User) -> None:
    delete_deployment(removed, user=owner)
    with pytest.raises(RecordClosed):
        reapply_deployment(removed, user=owner)


def test_what_was_stopped_is_made_anew_as_stopped(
    launch: Launch, owner: User, memory: MemoryCluster
) -> None:
    deployment = launch()
    change_deployment(read_change({"stopped": True}), deployment=deployment, user=owner)
    remove_workload(memory)
    deployment.refresh_from_db()

    reapply_deployment(deployment, user=owner)

    deployment.refresh_from_db()
    assert (deployment.intent, deployment.applied_revision) == ("stopped", 2)
    assert read_deployment(deployment).status.phase == "Stopped"


def test_a_change_that_was_still_to_be_applied_is_what_is_made_anew(
    launch: Launch, owner: User, memory: MemoryCluster
) -> None:
    deployment = launch()
    memory.faults["update"] = Unavailable("no answer")
    change_deployment(
        read_change({"overrides": {"min_replicas": 2}}), deployment=deployment, user=owner
    )
    memory.faults.clear()
    remove_workload(memory)

    reapply_deployment(deployment, user=owner)

    deployment.refresh_from_db()
    assert deployment.applied_revision == deployment.revision == 2
    assert deployment.revisions.get(number=2).outcome == "applied"
    assert Operation.objects.get(verb="update").state == "superseded"
    ended = AuditEntry.objects.filter(action="deployment.update").latest("id")
    assert (ended.outcome, ended.message) == ("superseded", BY_REAPPLYING)


def test_only_who_may_change_it_applies_it_again(removed: Deployment, member: User) -> None:
    with pytest.raises(NotAllowed, match="olga"):
        reapply_deployment(removed, user=member)

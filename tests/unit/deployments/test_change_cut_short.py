"""A change that is refused, cut short or overtaken: what was wanted before, or what is wanted now.

Never something in between: record, revisions, promises, trail and cluster tell one story.
"""

import pytest
from django.contrib.auth.models import User

from deployments.exceptions import ClusterUnavailable
from deployments.models import Cluster, Deployment, Revision
from deployments.services.deleting import delete_deployment
from deployments.services.leasing import take_lease
from deployments.services.refreshing import refresh_cluster
from providers.contract.errors import Unavailable
from providers.testing.memory.cluster import MemoryCluster
from tests.unit.deployments.changed import Change, again, ends, outcomes, workload
from tests.unit.deployments.conftest import Launch


def test_a_silent_cluster_stores_nothing(
    running: Deployment, change: Change, memory: MemoryCluster
) -> None:
    memory.faults["*"] = Unavailable("no answer")

    with pytest.raises(ClusterUnavailable):
        change(running, overrides={"min_replicas": 3})

    assert len(outcomes(running)) == 1


def test_a_stop_is_kept_until_a_silent_cluster_answers(
    running: Deployment, change: Change, memory: MemoryCluster, cluster: Cluster
) -> None:
    memory.faults["*"] = Unavailable("no answer")

    change(running, stopped=True)

    stored = again(running)
    assert (stored.revision, stored.applied_revision, stored.intent) == (2, 1, "stopped")
    assert (stored.phase, stored.reason) == ("Deploying", "ApplyPending")
    assert "no answer" in stored.message
    memory.faults.clear()
    refresh_cluster(cluster)
    refresh_cluster(cluster)
    assert again(running).phase == "Stopped"
    assert outcomes(running)[-1] == (2, "stop", "applied")


def test_silence_after_it_was_stored_is_made_up_for_by_the_next_pass(
    running: Deployment, change: Change, memory: MemoryCluster, cluster: Cluster
) -> None:
    memory.faults["update"] = Unavailable("no answer")

    assert change(running, overrides={"min_replicas": 3}).is_change

    assert (again(running).phase, again(running).reason) == ("Deploying", "ApplyPending")
    memory.faults.clear()
    refresh_cluster(cluster)
    refresh_cluster(cluster)
    assert (again(running).phase, again(running).applied_revision) == ("Ready", 2)
    assert workload(memory)["spec"]["replicas"] == 3
    assert ends() == [("update", "accepted"), ("update", "succeeded")]


def test_a_change_overtakes_one_that_is_not_applied_yet(
    running: Deployment, change: Change, memory: MemoryCluster, cluster: Cluster
) -> None:
    memory.faults["update"] = Unavailable("no answer")
    change(running, overrides={"min_replicas": 3})
    memory.faults.clear()

    change(running, overrides={"min_replicas": 4})

    assert outcomes(running) == [
        (1, "create", "applied"),
        (2, "update", "withdrawn"),
        (3, "update", "applied"),
    ]
    assert ends() == [
        ("update", "accepted"),
        ("update", "superseded"),
        ("update", "accepted"),
        ("update", "succeeded"),
    ]
    assert workload(memory)["spec"]["replicas"] == 4


def test_a_launch_that_never_was_applied_is_changed_before_it_is(
    launch: Launch, change: Change, memory: MemoryCluster, cluster: Cluster
) -> None:
    memory.faults["create"] = Unavailable("no answer")
    deployment = launch()
    memory.faults.clear()

    change(deployment, overrides={"min_replicas": 3})

    assert memory.calls[-1] == "create", "what is not there is made, and undone when refused"
    assert outcomes(deployment) == [(1, "create", "withdrawn"), (2, "update", "applied")]
    assert workload(memory)["spec"]["replicas"] == 3


def test_a_deletion_overtakes_a_change(
    running: Deployment, change: Change, memory: MemoryCluster, cluster: Cluster, owner: User
) -> None:
    memory.faults["update"] = Unavailable("no answer")
    change(running, overrides={"min_replicas": 3})

    delete_deployment(again(running), user=owner)
    refresh_cluster(cluster)

    assert again(running).is_closed
    assert outcomes(running)[-1] == (2, "update", "withdrawn")
    assert not memory.objects
    assert ends()[:2] == [("update", "accepted"), ("update", "superseded")]


def test_a_change_is_stored_while_somebody_else_is_at_work_and_applied_by_a_pass(
    running: Deployment, change: Change, memory: MemoryCluster, cluster: Cluster
) -> None:
    lease = take_lease(Deployment.objects.open(), running.pk, seconds=60)
    assert lease is not None

    change(running, overrides={"min_replicas": 3})

    assert (again(running).revision, again(running).applied_revision) == (2, 1)
    assert again(running).reason == "ApplyPending"
    assert again(running).last_apply == {}, "how the last write ended says nothing about this one"
    Deployment.objects.update(lease_until=None, lease_owner="")
    refresh_cluster(cluster)
    assert again(running).applied_revision == 2


def test_what_is_applied_late_leaves_a_newer_change_to_be_applied(
    running: Deployment, change: Change, memory: MemoryCluster, cluster: Cluster
) -> None:
    """A second change is stored while the first one is on its way to the cluster."""
    plain = memory.enter

    def enter(verb: str) -> None:
        plain(verb)
        if verb == "update":
            memory.enter = plain  # type: ignore[method-assign]
            change(running, overrides={"min_replicas": 4})

    memory.enter = enter  # type: ignore[method-assign]
    change(running, overrides={"min_replicas": 3})

    stored = again(running)
    assert (stored.revision, stored.applied_revision, stored.reason) == (3, 2, "ApplyPending")
    assert stored.overrides == {"min_replicas": 4}
    refresh_cluster(cluster)
    assert (again(running).applied_revision, workload(memory)["spec"]["replicas"]) == (3, 4)
    assert Revision.objects.filter(outcome="pending").count() == 0

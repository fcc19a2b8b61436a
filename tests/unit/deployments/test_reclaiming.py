"""Removing what has no record: exactly what was seen, by uid, by admins only, and on the trail."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.auth.models import User

from deployments.exceptions import (
    ClusterRefused,
    ClusterUnavailable,
    InvalidOrder,
    NotAllowed,
    NotVisible,
    OrphansChanged,
    SlipwayError,
)
from deployments.models import AuditEntry, Cluster, Deployment, Orphan
from deployments.services import abandoned
from deployments.services.orphan_groups import OrphanGroup
from deployments.services.reclaiming import remove_orphans
from deployments.services.refreshing import refresh_cluster
from deployments.services.tracing import traced
from providers.contract.errors import ProviderError, Rejected, Unavailable
from providers.testing.memory.cluster import MemoryCluster
from providers.testing.memory.provider import MemoryProvider
from tests.orphaned import close_only, groups_after_a_pass

Launch = Callable[..., Deployment]


class Killed(BaseException):
    """As a process ends: no handler of ours sees it."""


@pytest.fixture
def lost(launch: Launch, cluster: Cluster, memory: MemoryCluster) -> OrphanGroup:
    close_only(launch())
    return groups_after_a_pass(cluster, memory)[0]


def uids(group: OrphanGroup) -> list[str]:
    return [row.uid for row in group.objects]


def test_what_is_removed_is_gone_from_cluster_list_and_count(
    lost: OrphanGroup, launch: Launch, cluster: Cluster, memory: MemoryCluster, admin: User
) -> None:
    kept = launch(name="kept")

    removal = remove_orphans(cluster, uids(lost), user=admin, reason="left over")

    assert {key.kind for key in removal.removed} == {"MemoryWorkload", "MemoryService"}
    assert removal.waiting_for == ()
    assert {key.name for key in memory.objects} == {kept.runtime_name}
    assert not Orphan.objects.exists()
    assert Cluster.objects.get().orphans == 0


def test_the_trail_tells_what_was_asked_for_and_how_it_ended(
    lost: OrphanGroup, cluster: Cluster, admin: User
) -> None:
    remove_orphans(cluster, uids(lost), user=admin, reason="left over")

    asked, ended = AuditEntry.objects.filter(action="cluster.remove_orphans").order_by("id")
    assert (asked.outcome, ended.outcome) == ("accepted", "succeeded")
    assert asked.operation_id == ended.operation_id != ""
    assert (asked.actor_name, asked.reason, asked.object_name) == ("ada", "left over", "lab")
    assert asked.before is not None
    assert {found["uid"] for found in asked.before["objects"]} == set(uids(lost))


def test_another_object_of_the_same_name_stays(
    lost: OrphanGroup, cluster: Cluster, memory: MemoryCluster, admin: User
) -> None:
    for stored in memory.objects.values():
        stored.uid = f"new-{stored.uid}"

    assert remove_orphans(cluster, uids(lost), user=admin).waiting_for == ()
    assert len(memory.objects) == 2


def test_what_a_finalizer_holds_stays_listed_as_going(
    lost: OrphanGroup, cluster: Cluster, memory: MemoryCluster, admin: User
) -> None:
    for stored in memory.objects.values():
        stored.held_by = ("example.com/keep",)

    removal = remove_orphans(cluster, uids(lost), user=admin)

    assert removal.removed == ()
    assert {name for rest in removal.waiting_for for name in rest.finalizers} == {
        "example.com/keep"
    }
    assert set(Orphan.objects.values_list("is_terminating", flat=True)) == {True}
    assert "still removing MemoryWorkload" in AuditEntry.objects.latest("id").message
    refresh_cluster(cluster)
    assert Orphan.objects.count() == 2


@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        (Rejected("may not delete services", code="Forbidden"), ClusterRefused),
        (Unavailable("no answer"), ClusterUnavailable),
    ],
)
def test_a_refusal_is_told_and_leaves_the_objects_to_try_again(
    lost: OrphanGroup,
    cluster: Cluster,
    memory: MemoryCluster,
    admin: User,
    fault: ProviderError,
    expected: type[SlipwayError],
) -> None:
    memory.faults["remove"] = fault
    with pytest.raises(expected, match=fault.message):
        remove_orphans(cluster, uids(lost), user=admin)

    entry = AuditEntry.objects.latest("id")
    assert (entry.outcome, entry.message) == ("refused", fault.message)
    assert set(Orphan.objects.values_list("is_terminating", flat=True)) == {False}
    memory.faults.clear()
    assert remove_orphans(cluster, uids(lost), user=admin).waiting_for == ()


def test_what_got_a_record_meanwhile_is_not_removed(
    lost: OrphanGroup, cluster: Cluster, memory: MemoryCluster, admin: User
) -> None:
    Deployment.objects.update(closed_at=None)
    with pytest.raises(OrphansChanged, match="got a record or are gone"):
        remove_orphans(cluster, uids(lost), user=admin)
    assert len(memory.objects) == 2
    assert set(Orphan.objects.values_list("is_terminating", flat=True)) == {False}


def test_what_is_not_listed_is_not_removed(
    lost: OrphanGroup, launch: Launch, cluster: Cluster, memory: MemoryCluster, admin: User
) -> None:
    launch(name="managed")
    managed = next(s for k, s in memory.objects.items() if k.name.startswith("managed"))
    with pytest.raises(OrphansChanged, match=f"uids: {managed.uid} is not among"):
        remove_orphans(cluster, [*uids(lost), managed.uid], user=admin)
    assert len(memory.objects) == 4


@pytest.mark.parametrize("given", [[], ["x"] * 501])
def test_some_must_be_named_and_not_too_many(
    cluster: Cluster, admin: User, given: list[str]
) -> None:
    with pytest.raises(InvalidOrder, match="uids: must name between 1 and 500"):
        remove_orphans(cluster, given, user=admin)


def test_only_an_admin_removes(
    lost: OrphanGroup, cluster: Cluster, memory: MemoryCluster, owner: User, stranger: User
) -> None:
    with pytest.raises(NotAllowed):
        remove_orphans(cluster, uids(lost), user=owner)
    with pytest.raises(NotVisible):
        remove_orphans(cluster, uids(lost), user=stranger)
    assert len(memory.objects) == 2


@pytest.mark.parametrize(
    ("is_left", "outcome", "said"),
    [
        (False, "succeeded", "none of the objects is there any more"),
        (True, "unknown", "still there: MemoryWorkload"),
    ],
)
def test_a_removal_whose_process_died_is_ended_by_what_the_next_pass_finds(
    lost: OrphanGroup,
    cluster: Cluster,
    memory: MemoryCluster,
    admin: User,
    monkeypatch: pytest.MonkeyPatch,
    *,
    is_left: bool,
    outcome: str,
    said: str,
) -> None:
    def die(*_asked: object, **_told: object) -> None:
        raise Killed

    monkeypatch.setattr(MemoryProvider, "remove", die)
    with pytest.raises(Killed):
        remove_orphans(cluster, uids(lost), user=admin, reason="left over")
    if not is_left:
        memory.objects.clear()
    refresh_cluster(cluster)
    [begun] = AuditEntry.objects.filter(action="cluster.remove_orphans")

    monkeypatch.setattr(abandoned, "LONGEST", timedelta(0))
    with traced():
        refresh_cluster(cluster)
        refresh_cluster(cluster)

    [ended] = AuditEntry.objects.filter(action="cluster.remove_orphans").exclude(pk=begun.pk)
    assert (ended.outcome, ended.source) == (outcome, "reconciler")
    assert ended.operation_id == begun.operation_id
    assert (ended.actor_name, ended.role) == ("ada", "admin")
    assert said in ended.message

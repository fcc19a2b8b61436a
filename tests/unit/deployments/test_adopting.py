"""Adopting: a record again for what runs, opened or written anew; the cluster stays as it is."""

from collections.abc import Callable
from copy import deepcopy
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from deployments.access import can_change
from deployments.exceptions import (
    ClusterUnavailable,
    InvalidOrder,
    NameTaken,
    NotAdoptable,
    NotAllowed,
    OrphansChanged,
)
from deployments.models import AuditEntry, Cluster, Deployment, Orphan, Revision, StatusChange
from deployments.services.adoptable import plan_adoption, suggested_name
from deployments.services.adopting import adopt_orphans
from deployments.services.deleting import delete_deployment
from deployments.services.orphan_groups import OrphanGroup
from deployments.services.refreshing import refresh_cluster
from providers.contract.errors import Unavailable
from providers.testing.memory.cluster import MemoryCluster
from templates_app.models import ModelDeploymentTemplate
from tests.orphaned import close_only, forget_record, groups_after_a_pass
from tests.unit.deployments.changed import Change, again

Launch = Callable[..., Deployment]


@pytest.fixture
def closed(launch: Launch, cluster: Cluster, memory: MemoryCluster) -> OrphanGroup:
    """Return what runs of a deployment whose record is closed."""
    close_only(launch(overrides={"min_replicas": 2}))
    return groups_after_a_pass(cluster, memory)[0]


@pytest.fixture
def forgotten(launch: Launch, cluster: Cluster, memory: MemoryCluster) -> OrphanGroup:
    """Return what runs of a deployment that the database has never heard of."""
    forget_record(launch(overrides={"min_replicas": 2}))
    return groups_after_a_pass(cluster, memory)[0]


def set_annotation(memory: MemoryCluster, name: str, text: str) -> None:
    for stored in memory.objects.values():
        annotations = stored.manifest["metadata"]["annotations"]
        if name in annotations:
            annotations[name] = text


def test_a_closed_record_is_opened_and_managed_again(
    closed: OrphanGroup, cluster: Cluster, memory: MemoryCluster, admin: User, owner: User
) -> None:
    before = deepcopy(memory.objects)

    deployment = adopt_orphans(closed, user=admin, reason="restored")

    assert memory.objects == before, "nothing on the cluster is written"
    row = Deployment.objects.get()
    assert row.pk == deployment.pk
    assert row.closed_at is None
    assert (row.phase, row.desired_replicas, row.created_by) == ("Ready", 2, owner)
    assert (row.intent, row.revision, row.applied_revision) == ("running", 1, 1)
    assert not Orphan.objects.exists()
    report = refresh_cluster(cluster)
    assert (report.deployments, report.orphans, report.problems) == (1, 0, ())
    delete_deployment(row, user=owner)
    assert not memory.objects


@pytest.mark.parametrize("orders", [[{"redeploy": True}], [{"redeploy": True}, {"stopped": True}]])
def test_what_was_redeployed_or_stopped_is_written_anew_as_it_is(
    running: Deployment,
    change: Change,
    cluster: Cluster,
    memory: MemoryCluster,
    admin: User,
    orders: list[dict[str, object]],
) -> None:
    for order in orders:
        change(running, **order)
    before = Revision.objects.get(number=1 + len(orders))
    forget_record(running)
    group = groups_after_a_pass(cluster, memory)[0]

    assert plan_adoption(group, name="demo", user=admin).differences == ()
    adopted = adopt_orphans(group, user=admin)

    row = adopted.revisions.get()
    assert (row.stopped, row.restart, row.scaling) == (
        before.stopped,
        before.restart,
        before.scaling,
    )
    assert Deployment.objects.get().intent == ("stopped" if before.stopped else "running")


def test_a_stopped_one_whose_record_was_closed_is_opened_as_stopped(
    running: Deployment, change: Change, cluster: Cluster, memory: MemoryCluster, admin: User
) -> None:
    change(running, stopped=True)
    close_only(again(running))

    adopt_orphans(groups_after_a_pass(cluster, memory)[0], user=admin)

    assert again(running).intent == "stopped"


def test_the_trail_and_the_history_tell_of_an_adoption(closed: OrphanGroup, admin: User) -> None:
    deployment = adopt_orphans(closed, user=admin, reason="restored")

    entry = AuditEntry.objects.latest("id")
    assert (entry.action, entry.outcome) == ("deployment.adopt", "succeeded")
    assert (entry.object_id, entry.reason) == (str(deployment.pk), "restored")
    assert entry.before is not None
    assert StatusChange.objects.filter(deployment=deployment).latest("id").phase == "Ready"


def test_what_no_record_is_left_of_is_written_from_what_it_says_itself(
    forgotten: OrphanGroup, cluster: Cluster, memory: MemoryCluster, admin: User, owner: User
) -> None:
    before = deepcopy(memory.objects)
    plan = plan_adoption(forgotten, user=admin)
    assert (plan.is_new, plan.differences) == (True, ())

    deployment = adopt_orphans(forgotten, user=admin)

    assert memory.objects == before
    row = Deployment.objects.select_related("template").get()
    assert str(row.pk) == forgotten.key.deployment_id == str(deployment.pk)
    assert (row.name, row.runtime_name) == ("demo", forgotten.objects[0].name)
    assert (row.template.name, row.overrides) == ("mock-cpu", {"min_replicas": 2})
    assert (row.created_by, row.created_by_name) == (owner, "olga")
    assert row.created_at == forgotten.created_at
    assert (row.phase, row.workload_uid) == ("Ready", forgotten.objects[0].uid)
    assert can_change(owner, row)
    revision = Revision.objects.get()
    assert (revision.number, revision.outcome) == (1, "applied")
    assert revision.manifests == [stored.manifest for stored in memory.objects.values()]
    report = refresh_cluster(cluster)
    assert (report.changed, report.orphans, report.problems) == (0, 0, ())
    delete_deployment(row, user=owner)
    assert not memory.objects


def test_whose_launcher_is_gone_keeps_the_name_and_is_an_admins_to_change(
    forgotten: OrphanGroup, admin: User, owner: User
) -> None:
    owner.delete()
    row = adopt_orphans(forgotten, user=admin)
    assert (row.created_by, row.created_by_name) == (None, "olga")


def test_a_name_that_is_taken_is_said_and_another_one_is_taken_instead(
    forgotten: OrphanGroup, launch: Launch, admin: User, memory: MemoryCluster
) -> None:
    memory.clock = None
    launch()
    with pytest.raises(NameTaken, match="name: demo is taken"):
        adopt_orphans(forgotten, user=admin)

    other = suggested_name(forgotten)
    assert adopt_orphans(forgotten, user=admin, name=other).name == other


def test_a_closed_record_whose_name_is_taken_is_opened_under_another(
    closed: OrphanGroup, launch: Launch, admin: User, memory: MemoryCluster
) -> None:
    memory.clock = None
    launch()
    with pytest.raises(NameTaken):
        adopt_orphans(closed, user=admin)

    renamed = adopt_orphans(closed, user=admin, name="Demo of before")
    assert (renamed.name, renamed.name_key) == ("Demo of before", "demo of before")
    assert renamed.phase == "Ready"


def test_a_name_that_is_none_is_told_by_field(closed: OrphanGroup, admin: User) -> None:
    with pytest.raises(InvalidOrder, match="name: "):
        adopt_orphans(closed, user=admin, name="two\nlines")


def test_an_older_revision_that_runs_becomes_the_newest_one(
    closed: OrphanGroup, admin: User
) -> None:
    first = Revision.objects.get()
    first.pk, first.number, first.overrides = None, 2, {"min_replicas": 7}
    first._state.adding = True
    first.save()
    Deployment.objects.update(revision=2, applied_revision=2, overrides={"min_replicas": 7})
    record = Deployment.objects.select_related("cluster").get()
    stale = OrphanGroup(
        key=closed.key, cluster=closed.cluster, objects=closed.objects, record=record
    )

    row = adopt_orphans(stale, user=admin)

    assert (row.revision, row.applied_revision) == (3, 3)
    assert row.overrides == {"min_replicas": 2}
    newest = Revision.objects.get(number=3)
    assert newest.reason == "adopted as it runs, from revision 1"
    assert newest.overrides == {"min_replicas": 2}
    assert Revision.objects.count() == 3


def test_what_was_written_from_something_else_is_named(
    launch: Launch, cluster: Cluster, memory: MemoryCluster, admin: User
) -> None:
    forget_record(launch())
    for key in [key for key in memory.objects if key.kind == "MemoryService"]:
        del memory.objects[key]
    set_annotation(memory, "slipway.dev/digest", "another")
    group = groups_after_a_pass(cluster, memory)[0]

    name = group.objects[0].name
    assert plan_adoption(group, user=admin).differences == (
        f"MemoryWorkload {name} was written from something else",
        f"MemoryService {name} is missing",
    )


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        ("not told", "does not say from which template"),
        ("no id", "bears no id of a deployment"),
        ("no workload", "What would run the model is gone"),
        ("going", "being removed already"),
        ("no template", "mock-cpu 1.0.0 of the model qwen3-8b, which the catalogue has not"),
        ("wrong overrides", "does not fit the catalogue: overrides.min_replicas"),
        ("no provider", "the implementation memory is not installed in this console"),
    ],
)
def test_what_cannot_be_adopted_says_why(
    launch: Launch,
    cluster: Cluster,
    memory: MemoryCluster,
    admin: User,
    monkeypatch: pytest.MonkeyPatch,
    spoil: str,
    why: str,
) -> None:
    forget_record(launch(overrides={"min_replicas": 2}))
    if spoil == "not told":
        set_annotation(memory, "slipway.dev/launch", "")
    if spoil == "wrong overrides":
        key = next(key for key in memory.objects if key.kind == "MemoryWorkload")
        told = memory.objects[key].manifest["metadata"]["annotations"]["slipway.dev/launch"]
        set_annotation(
            memory, "slipway.dev/launch", told.replace('"min_replicas":2', '"min_replicas":-2')
        )
    for key, stored in list(memory.objects.items()):
        if spoil == "no id":
            del stored.manifest["metadata"]["labels"]["slipway.dev/implementation"]
            stored.manifest["metadata"]["labels"]["slipway.dev/id"] = "somebody's"
        if spoil == "no workload" and key.kind == "MemoryWorkload":
            del memory.objects[key]
        stored.deleting = spoil == "going"
    group = groups_after_a_pass(cluster, memory)[0]
    if spoil == "no template":
        ModelDeploymentTemplate.objects.update(name="renamed")
    if spoil == "no provider":
        monkeypatch.setattr("providers.registry.providers", dict)

    with pytest.raises(NotAdoptable, match=why):
        plan_adoption(group, user=admin)
    assert not Deployment.objects.exists()


def test_a_copy_of_a_closed_deployment_elsewhere_is_not_adopted(
    closed: OrphanGroup, admin: User
) -> None:
    assert closed.record is not None
    closed.record.namespace = "somewhere-else"
    with pytest.raises(NotAdoptable, match="lab / somewhere-else; this is a copy"):
        plan_adoption(closed, user=admin)


def test_what_is_another_workload_by_now_is_not_adopted(
    closed: OrphanGroup, memory: MemoryCluster, admin: User
) -> None:
    for stored in memory.objects.values():
        stored.uid = "another"
    with pytest.raises(OrphansChanged):
        adopt_orphans(closed, user=admin)
    assert Deployment.objects.get().is_closed
    assert Orphan.objects.count() == 2


def test_what_somebody_removes_at_this_moment_is_not_adopted(
    closed: OrphanGroup, admin: User
) -> None:
    Orphan.objects.update(is_terminating=True)
    with pytest.raises(OrphansChanged):
        adopt_orphans(closed, user=admin)
    assert Deployment.objects.get().is_closed


def test_the_same_is_adopted_once(closed: OrphanGroup, admin: User) -> None:
    adopt_orphans(closed, user=admin)
    with pytest.raises(OrphansChanged):
        adopt_orphans(closed, user=admin)


def test_a_silent_cluster_is_said_and_nothing_is_stored(
    forgotten: OrphanGroup, memory: MemoryCluster, admin: User
) -> None:
    memory.faults["get"] = Unavailable("no answer")
    with pytest.raises(ClusterUnavailable, match="no answer"):
        adopt_orphans(forgotten, user=admin)
    assert not Deployment.objects.exists()


def test_only_an_admin_adopts(closed: OrphanGroup, owner: User) -> None:
    with pytest.raises(NotAllowed, match="only an admin may adopt"):
        adopt_orphans(closed, user=owner)


def test_a_record_that_was_refused_once_is_not_shown_as_refused(
    closed: OrphanGroup, admin: User
) -> None:
    assert closed.record is not None
    at = (timezone.now() - timedelta(days=1)).isoformat()
    refused = {"code": "QuotaExceeded", "message": "no room", "at": at}
    Deployment.objects.update(last_apply=refused, applied_revision=0)
    closed.record.refresh_from_db()
    row = adopt_orphans(closed, user=admin)
    assert (row.phase, row.applied_revision, row.last_apply["code"]) == ("Ready", 1, "")

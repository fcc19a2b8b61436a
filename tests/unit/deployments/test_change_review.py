"""The review of a change: what is confirmed is what was shown, once."""

import time
import uuid

import pytest
from django.contrib.auth.models import User

from deployments.change_errors import ReviewOutdated, RevisionConflict
from deployments.exceptions import ClusterRefused, InvalidOrder, NotAllowed
from deployments.models import Cluster, Deployment, LoadTime, Operation
from deployments.services.change_orders import read_change
from deployments.services.changing import change_deployment, preview_change
from providers.contract.checks import Result
from providers.contract.errors import Rejected, Unavailable
from providers.testing.memory.cluster import MemoryCluster
from tests.unit.deployments.changed import Change, Preview, again, outcomes

THREE = {"overrides": {"min_replicas": 3}}


def test_a_review_stores_and_makes_nothing(
    running: Deployment, preview: Preview, memory: MemoryCluster
) -> None:
    before = list(memory.objects)

    shown = preview(running, **THREE)

    assert shown.ok
    assert shown.change
    assert list(memory.objects) == before
    assert "update" not in memory.calls
    assert again(running).revision == 1
    assert Operation.objects.count() == 1


def test_what_was_reviewed_is_what_is_applied(
    running: Deployment, preview: Preview, change: Change
) -> None:
    shown = preview(running, **THREE)

    change(running, **THREE, change=shown.change)

    stored = again(running).revisions.get(number=2)
    assert stored.manifests == list(shown.plan.plan.manifests)


def test_a_review_that_is_confirmed_twice_changes_once(
    running: Deployment, preview: Preview, change: Change
) -> None:
    token = preview(running, redeploy=True).change

    first = change(running, redeploy=True, change=token)
    second = change(running, redeploy=True, change=token)

    assert first.is_change
    assert second.is_change
    assert again(running).revision == 2


def test_a_refused_review_is_answered_the_same_when_it_is_sent_again(
    running: Deployment, preview: Preview, change: Change, memory: MemoryCluster
) -> None:
    token = preview(running, **THREE).change
    memory.faults["update"] = Rejected("quota says no")
    with pytest.raises(ClusterRefused):
        change(running, **THREE, change=token)
    memory.faults.clear()

    with pytest.raises(ClusterRefused, match="quota says no"):
        change(running, **THREE, change=token)

    assert [number for number, _, _ in outcomes(running)] == [1, 2]


def test_another_order_than_the_reviewed_one_is_told_where_it_differs(
    running: Deployment, preview: Preview, change: Change
) -> None:
    token = preview(running, **THREE).change

    with pytest.raises(ReviewOutdated) as outdated:
        change(running, overrides={"min_replicas": 4}, change=token)

    changes = {one.path: (one.before, one.after) for one in outdated.value.changes}
    assert changes["MemoryWorkload.spec.replicas"] == ("3", "4")
    assert again(running).revision == 1


def test_a_review_of_a_revision_that_has_moved_on_is_a_conflict(
    running: Deployment, preview: Preview, change: Change
) -> None:
    token = preview(running, **THREE).change
    change(running, overrides={"min_replicas": 1})

    with pytest.raises(RevisionConflict):
        change(running, **THREE, change=token)


def test_another_persons_review_is_not_mine(
    running: Deployment, preview: Preview, admin: User
) -> None:
    order = read_change({**THREE, "change": preview(running, **THREE).change})

    with pytest.raises(InvalidOrder, match="another person"):
        change_deployment(order, deployment=running, user=admin)


def test_a_review_is_good_for_an_hour(
    running: Deployment, preview: Preview, change: Change, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = preview(running, **THREE).change
    later = time.time() + 3601
    monkeypatch.setattr("django.core.signing.time.time", lambda: later)

    with pytest.raises(InvalidOrder, match="older than an hour"):
        change(running, **THREE, change=token)


def test_the_same_id_of_an_operation_changes_once(running: Deployment, owner: User) -> None:
    own_id = uuid.uuid4()
    order = read_change({"redeploy": True})

    for _ in range(2):
        change_deployment(order, deployment=running, user=owner, operation_id=own_id)

    assert again(running).revision == 2
    assert Operation.objects.filter(pk=own_id).count() == 1


def test_a_silent_cluster_is_an_unknown_check(
    running: Deployment, preview: Preview, memory: MemoryCluster
) -> None:
    memory.faults["preflight"] = Unavailable("no answer")

    checks = preview(running, **THREE).checks

    assert [check.result for check in checks] == [Result.UNKNOWN]


def test_a_refusal_is_a_failed_check(
    running: Deployment, preview: Preview, memory: MemoryCluster
) -> None:
    memory.refusals["MemoryWorkload"] = Rejected("quota says no", code="QuotaExceeded")

    shown = preview(running, **THREE)

    assert not shown.ok
    assert "QuotaExceeded" in [check.code for check in shown.checks]


def test_a_stop_is_reviewed_without_a_question_to_the_cluster(
    running: Deployment, preview: Preview, memory: MemoryCluster
) -> None:
    memory.calls.clear()

    assert preview(running, stopped=True).ok

    assert memory.calls == []


def test_what_replaces_pods_says_how_long_they_usually_load(
    running: Deployment, preview: Preview, cluster: Cluster
) -> None:
    del cluster
    LoadTime.objects.create(
        template=running.template,
        deployment=running,
        pod_uid="one",
        seconds=420,
        at=running.created_at,
    )

    told = preview(running, redeploy=True).load_times

    assert told is not None
    assert told.high == 420
    assert preview(running, **THREE).load_times is None


def test_the_review_of_a_change_is_for_who_may_change_it(running: Deployment, member: User) -> None:
    with pytest.raises(NotAllowed):
        preview_change(read_change(THREE), deployment=running, user=member)

"""Creating: what is stored, in which order, and what is left when it is cut short."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from django.contrib.auth.models import User

from deployments.exceptions import (
    ClusterRefused,
    ClusterUnavailable,
    NameTaken,
    NotAllowed,
    NotVisible,
)
from deployments.models import AuditEntry, Cluster, Deployment, Operation, Revision, StatusChange
from deployments.services.deleting import delete_deployment
from deployments.services.launching import create_deployment
from deployments.services.orders import LaunchOrder
from deployments.services.refreshing import refresh_cluster
from providers.contract.checks import Check, Result
from providers.contract.errors import Rejected, Unavailable
from providers.contract.protocols import Applied
from providers.testing.memory.cluster import MemoryCluster
from providers.testing.memory.provider import MemoryProvider

MakeOrder = Callable[..., LaunchOrder]
Launch = Callable[..., Deployment]


def test_a_launch_is_stored_with_its_history_and_applied(
    launch: Launch, memory: MemoryCluster, owner: User
) -> None:
    deployment = Deployment.objects.get(pk=launch(overrides={"min_replicas": 2}, reason="try").pk)

    assert (deployment.phase, deployment.reason) == ("Deploying", "WaitingForController")
    assert deployment.applied_revision == deployment.revision == 1
    assert deployment.workload_uid
    assert deployment.lease_until is None
    assert deployment.created_by == owner
    assert deployment.overrides == {"min_replicas": 2}
    assert deployment.replicas_text == "2"
    revision = Revision.objects.get()
    assert (revision.outcome, revision.reason, revision.number) == ("applied", "try", 1)
    assert [m["kind"] for m in revision.manifests] == ["MemoryWorkload", "MemoryService"]
    assert Operation.objects.get().state == "done"
    assert len(memory.objects) == 2
    outcomes = AuditEntry.objects.filter(object_type="deployment").order_by("id")
    assert [(e.action, e.outcome, e.actor_name) for e in outcomes] == [
        ("deployment.create", "accepted", "olga"),
        ("deployment.create", "succeeded", "olga"),
    ]
    assert StatusChange.objects.get().reason == "WaitingForController"


def test_a_failed_check_stores_nothing_and_says_the_clusters_words(
    launch: Launch, memory: MemoryCluster
) -> None:
    memory.namespaces.clear()

    with pytest.raises(ClusterRefused) as refusal:
        launch()

    assert refusal.value.code == "NamespaceMissing"
    assert refusal.value.fields == {"target.namespace": ('namespace "models" not found',)}
    assert not Deployment.objects.exists()
    assert not AuditEntry.objects.filter(object_type="deployment").exists()
    assert not memory.objects


def test_a_silent_cluster_before_anything_is_stored_stores_nothing(
    launch: Launch, memory: MemoryCluster
) -> None:
    memory.faults["*"] = Unavailable("no answer", retry_after=3)

    with pytest.raises(ClusterUnavailable) as refusal:
        launch()

    assert refusal.value.retry_after == 3
    assert not Deployment.objects.exists()
    assert not Operation.objects.exists()


def test_a_cluster_that_falls_silent_at_apply_is_finished_by_the_next_pass(
    launch: Launch, memory: MemoryCluster, cluster: Cluster
) -> None:
    memory.faults["create"] = Unavailable("no answer")
    deployment = launch()
    assert (deployment.phase, deployment.reason) == ("Deploying", "ApplyPending")
    assert "no answer" in deployment.message
    assert deployment.applied_revision == 0

    del memory.faults["create"]
    report = refresh_cluster(cluster)

    deployment.refresh_from_db()
    assert report.finished == 1
    assert deployment.applied_revision == 1
    assert Operation.objects.get().state == "done"
    refresh_cluster(cluster)
    deployment.refresh_from_db()
    assert deployment.phase == "Ready"


def test_a_process_that_dies_between_store_and_apply_loses_nothing(
    launch: Launch,
    memory: MemoryCluster,
    cluster: Cluster,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Killed(BaseException):
        """As a process ends: no handler of ours sees it."""

    def die(*_args: object, **_kwargs: object) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(MemoryProvider, "create", die)
        with pytest.raises(Killed):
            launch()
    stored = Deployment.objects.get()
    assert stored.reason == "ApplyPending"
    assert not memory.objects

    assert refresh_cluster(cluster).finished == 0, "the dead process still holds the lease"
    Deployment.objects.update(lease_until=stored.created_at)
    assert refresh_cluster(cluster).finished == 1

    stored.refresh_from_db()
    assert stored.applied_revision == 1
    assert len(memory.objects) == 2


def test_what_the_cluster_refuses_half_way_is_undone_and_closed_with_its_evidence(
    launch: Launch, memory: MemoryCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    refuse_at_apply(memory, monkeypatch, Rejected("quota used up", code="QuotaExceeded"))

    with pytest.raises(ClusterRefused, match="quota used up") as refusal:
        launch()

    closed = Deployment.objects.get()
    assert refusal.value.deployment_id == str(closed.pk)
    assert closed.closed_at is not None
    assert (closed.phase, closed.reason) == ("Deleted", "ApplyRejected")
    assert closed.evidence[0]["message"] == "quota used up"
    assert Revision.objects.get().outcome == "refused"
    assert Operation.objects.get().state == "refused"
    assert not memory.objects
    last = AuditEntry.objects.filter(object_type="deployment").first()
    assert last is not None
    assert (last.outcome, last.message) == ("refused", "quota used up")


def test_the_name_of_a_refused_launch_is_free_again(
    launch: Launch, memory: MemoryCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        refuse_at_apply(memory, patch, Rejected("denied"))
        with pytest.raises(ClusterRefused):
            launch()
    memory.refusals.clear()

    assert launch().applied_revision == 1


def test_objects_that_could_not_be_undone_are_removed_by_later_passes(
    launch: Launch, memory: MemoryCluster, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = Rejected("denied", left_behind=("MemoryWorkload demo",))
    refuse_at_apply(memory, monkeypatch, left)

    with pytest.raises(ClusterRefused):
        launch()

    stored = Deployment.objects.get()
    assert (stored.phase, stored.intent, stored.closed_at) == ("Deleting", "deleted", None)
    assert {e["reason"] for e in stored.evidence} == {"ApplyRejected", "LeftBehind"}
    refresh_cluster(cluster)
    stored.refresh_from_db()
    assert stored.closed_at is not None
    assert not Operation.objects.unfinished().exists()


def test_what_was_left_behind_goes_with_a_deletion_that_was_asked_for_meanwhile(
    launch: Launch,
    owner: User,
    memory: MemoryCluster,
    cluster: Cluster,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    left = Rejected("denied", left_behind=("MemoryWorkload demo",))

    def delete_meanwhile(*_args: Any, **_kwargs: Any) -> Applied:
        delete_deployment(Deployment.objects.get(), user=owner)
        raise left

    monkeypatch.setattr(MemoryProvider, "create", delete_meanwhile)

    with pytest.raises(ClusterRefused):
        launch()

    refresh_cluster(cluster)
    assert Deployment.objects.get().is_closed
    assert not Operation.objects.unfinished().exists()
    outcomes = AuditEntry.objects.order_by("pk").values_list("action", "outcome")
    assert list(outcomes.filter(object_type="deployment")) == [
        ("deployment.create", "accepted"),
        ("deployment.create", "superseded"),
        ("deployment.delete", "accepted"),
        ("deployment.delete", "succeeded"),
    ]


def test_a_refusal_found_out_later_leaves_the_record_open_and_failed(
    launch: Launch, memory: MemoryCluster, cluster: Cluster
) -> None:
    memory.faults["create"] = Unavailable("no answer")
    deployment = launch()
    memory.faults["create"] = Rejected("admission said no")

    refresh_cluster(cluster)

    deployment.refresh_from_db()
    assert deployment.closed_at is None
    assert (deployment.phase, deployment.reason) == ("Failed", "ApplyRejected")
    assert "admission said no" in deployment.message
    assert not Operation.objects.unfinished().exists()


def test_a_name_that_is_taken_is_a_conflict_whatever_its_case(launch: Launch) -> None:
    launch(name="Straße")

    with pytest.raises(NameTaken) as refusal:
        launch(name="STRASSE")

    assert list(refusal.value.fields) == ["name"]
    assert Deployment.objects.count() == 1


def test_the_same_name_may_live_in_another_namespace(
    launch: Launch, cluster: Cluster, memory: MemoryCluster
) -> None:
    cluster.namespaces = ["research"]
    cluster.save()
    memory.namespaces.add("research")

    launch()
    other = launch(target={"namespace": "research"})

    assert other.namespace == "research"


def test_a_launch_with_the_same_id_answers_what_the_first_did(
    order: MakeOrder, owner: User, memory: MemoryCluster
) -> None:
    first = create_deployment(order(), user=owner)

    again = create_deployment(order(), user=owner, deployment_id=first.pk)

    assert again == first
    assert memory.calls.count("create") == 1


def test_who_may_only_look_may_not_launch(order: MakeOrder, viewer: User, stranger: User) -> None:
    with pytest.raises(NotAllowed):
        create_deployment(order(), user=viewer)
    with pytest.raises(NotVisible):
        create_deployment(order(), user=stranger)
    assert not Deployment.objects.exists()


def test_a_provider_that_raises_what_the_contract_has_not_stores_nothing(
    launch: Launch, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_args: object, **_kwargs: object) -> None:
        raise KeyError("spec")

    monkeypatch.setattr(MemoryProvider, "preflight", fail)

    with pytest.raises(ClusterUnavailable, match="log has the details"):
        launch()
    assert not Deployment.objects.exists()


@pytest.mark.parametrize(
    "name", ["meta-llama/Llama-3.2-3B", "qwen2.5:32b", "123abc", "模型", "x" * 200, "🦙 model"]
)
def test_any_display_name_works(launch: Launch, name: str) -> None:
    deployment = launch(name=name)

    assert deployment.name == name
    assert len(deployment.runtime_name) <= 63
    assert deployment.runtime_name.endswith(str(deployment.pk)[:8])


def refuse_at_apply(
    memory: MemoryCluster, monkeypatch: pytest.MonkeyPatch, refusal: Rejected
) -> None:
    """Let preflight pass and the second object be refused, as an admission webhook may do."""
    preflight = MemoryProvider.preflight

    def then_refuse(*args: object, **kwargs: object) -> object:
        checks = preflight(*args, **kwargs)  # type: ignore[arg-type]
        memory.refusals["MemoryService"] = refusal
        return checks

    monkeypatch.setattr(MemoryProvider, "preflight", then_refuse)


def test_a_warning_of_the_cluster_is_kept_once(
    launch: Launch, memory: MemoryCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    create, told = MemoryProvider.create, {"message": "Deployment: the cluster warns: told before"}

    def warned(provider: MemoryProvider, *given: Any, **named: Any) -> Applied:
        applied = create(provider, *given, **named)
        return replace(applied, warnings=("beware", "beware", "told before"))

    monkeypatch.setattr(MemoryProvider, "create", warned)
    check = Check(code="ClusterWarning", result=Result.WARN, **told)
    monkeypatch.setattr(MemoryProvider, "preflight", lambda *_, **__: (check,))

    messages = [check["message"] for check in launch().checks]

    assert messages == [told["message"], "beware"]

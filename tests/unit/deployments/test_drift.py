"""What others changed: told, and put back as far as it was seen."""

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User

from deployments.change_errors import ClusterDisabled, DeletionAsked
from deployments.drift_errors import (
    ChangeUnderWay,
    DriftChanged,
    NotCompared,
    NothingToPutBack,
)
from deployments.exceptions import (
    ClusterRefused,
    ClusterUnavailable,
    NotAllowed,
    RecordClosed,
)
from deployments.models import AuditEntry, Cluster, Deployment, Operation
from deployments.models.operations import OperationState
from deployments.services.deleting import delete_deployment
from deployments.services.drifting import drift_of
from deployments.services.leasing import take_lease
from deployments.services.refreshing import refresh_cluster
from deployments.services.restoring import Restored, put_back_drift
from providers.contract.errors import Rejected, Unavailable
from providers.contract.manifest import Manifest
from providers.testing.memory.cluster import MemoryCluster
from providers.testing.memory.drifting import ComparesInMemory
from tests.unit.deployments.changed import again, workload

Meddle = Callable[..., None]


def put_back(deployment: Deployment, user: User, digest: str = "", reason: str = "") -> Restored:
    seen = digest or drift_of(deployment).digest
    return put_back_drift(deployment, user=user, digest=seen, reason=reason)


def spec_of(memory: MemoryCluster) -> Manifest:
    spec: Manifest = workload(memory)["spec"]
    return spec


def told(action: str) -> list[tuple[str, str, str]]:
    rows = AuditEntry.objects.filter(action=action).order_by("id")
    return [(row.outcome, row.actor_name, row.reason) for row in rows]


def test_what_others_changed_is_compared_with_what_was_applied(
    running: Deployment, meddle: Meddle
) -> None:
    assert drift_of(running).fields == ()

    meddle(replicas=5)

    (found,) = drift_of(running).fields
    assert (found.path, found.ours, found.theirs) == ("spec.replicas", "2", "5")


def test_putting_back_writes_ours_makes_no_revision_and_is_told_twice(
    running: Deployment, meddle: Meddle, memory: MemoryCluster, owner: User
) -> None:
    meddle(replicas=5)

    done = put_back(running, owner, reason="nobody asked for it")

    assert done.done
    assert [one.path for one in done.fields] == ["spec.replicas"]
    assert spec_of(memory)["replicas"] == 2
    stored = again(running)
    assert (stored.revision, stored.lease_until) == (1, None)
    assert told("deployment.put_back") == [
        ("accepted", "olga", "nobody asked for it"),
        ("succeeded", "olga", ""),
    ]
    begun, ended = AuditEntry.objects.filter(action="deployment.put_back").order_by("id")
    assert begun.operation_id == ended.operation_id != ""
    name = f"MemoryWorkload/{running.runtime_name}:spec.replicas"
    assert (begun.before, begun.after) == ({name: "5"}, {name: "2"})


def test_where_nothing_differs_nothing_is_stored(running: Deployment, owner: User) -> None:
    done = put_back(running, owner)

    assert (done.done, done.fields) == (True, ())
    assert told("deployment.put_back") == []


def test_what_changed_since_somebody_looked_is_not_overwritten(
    running: Deployment, meddle: Meddle, memory: MemoryCluster, owner: User
) -> None:
    meddle(replicas=5)
    digest = drift_of(running).digest
    meddle(replicas=6)

    with pytest.raises(DriftChanged):
        put_back(running, owner, digest=digest)

    assert spec_of(memory)["replicas"] == 6
    assert told("deployment.put_back") == []


def test_what_changes_in_the_very_moment_ends_the_promise_as_refused(
    running: Deployment,
    meddle: Meddle,
    memory: MemoryCluster,
    owner: User,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    meddle(replicas=5)
    real = ComparesInMemory.put_back

    def late(*given: object, **more: object) -> object:
        meddle(replicas=6)
        return real(*given, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(ComparesInMemory, "put_back", late)

    with pytest.raises(DriftChanged):
        put_back(running, owner)

    assert spec_of(memory)["replicas"] == 6
    assert [outcome for outcome, *_ in told("deployment.put_back")] == ["accepted", "refused"]
    assert again(running).lease_until is None


def test_while_the_cluster_is_silent_the_promise_stays_and_a_pass_keeps_it(
    running: Deployment, meddle: Meddle, memory: MemoryCluster, owner: User, cluster: Cluster
) -> None:
    meddle(replicas=5)
    memory.faults["put_back"] = Unavailable("the cluster is silent")

    assert not put_back(running, owner).done
    (operation,) = Operation.objects.unfinished()
    assert operation.last_error == "the cluster is silent"
    memory.faults.clear()
    refresh_cluster(cluster)

    assert spec_of(memory)["replicas"] == 2
    assert [outcome for outcome, *_ in told("deployment.put_back")] == ["accepted", "succeeded"]
    assert not Operation.objects.unfinished().exists()


def test_a_pass_puts_back_only_what_was_agreed_to(
    running: Deployment, meddle: Meddle, memory: MemoryCluster, owner: User, cluster: Cluster
) -> None:
    meddle(replicas=5)
    memory.faults["put_back"] = Unavailable("the cluster is silent")
    put_back(running, owner)
    memory.faults.clear()
    meddle(max_replicas=9)

    refresh_cluster(cluster)

    assert (spec_of(memory)["replicas"], spec_of(memory)["max_replicas"]) == (5, 9)
    (operation,) = Operation.objects.filter(verb="put_back")
    assert operation.state == OperationState.REFUSED
    assert "since you looked" in operation.last_error


def test_a_refusal_of_the_cluster_is_told_and_ends_it(
    running: Deployment, meddle: Meddle, memory: MemoryCluster, owner: User
) -> None:
    meddle(replicas=5)
    memory.refusals["MemoryWorkload"] = Rejected("no", code="AdmissionDenied")

    with pytest.raises(ClusterRefused):
        put_back(running, owner)

    assert [outcome for outcome, *_ in told("deployment.put_back")] == ["accepted", "refused"]
    assert not Operation.objects.unfinished().exists()


def test_refused_credentials_leave_the_promise_open(
    running: Deployment, meddle: Meddle, memory: MemoryCluster, owner: User
) -> None:
    meddle(replicas=5)
    memory.faults["put_back"] = Rejected("who are you", code="CredentialsRefused")

    assert not put_back(running, owner).done
    assert Operation.objects.unfinished().count() == 1


def test_a_deployment_that_is_gone_cannot_be_put_back_piece_by_piece(
    running: Deployment, memory: MemoryCluster, owner: User
) -> None:
    memory.objects.clear()

    with pytest.raises(NothingToPutBack, match=r"^MemoryWorkload \S+: there is"):
        put_back(running, owner)

    assert told("deployment.put_back") == []


@pytest.mark.parametrize("name", ["member", "viewer"])
def test_only_who_may_change_a_deployment_puts_back(
    running: Deployment, meddle: Meddle, request: pytest.FixtureRequest, name: str
) -> None:
    meddle(replicas=5)

    with pytest.raises(NotAllowed):
        put_back(running, request.getfixturevalue(name))


def test_while_a_change_is_on_its_way_nothing_is_compared(
    running: Deployment, memory: MemoryCluster, owner: User, meddle: Meddle
) -> None:
    meddle(replicas=5)
    memory.faults["put_back"] = Unavailable("the cluster is silent")
    put_back(running, owner)

    with pytest.raises(ChangeUnderWay):
        drift_of(running)


def test_who_works_on_it_is_waited_for(running: Deployment, meddle: Meddle, owner: User) -> None:
    meddle(replicas=5)
    take_lease(Deployment.objects.all(), running.pk, seconds=60)

    with pytest.raises(ChangeUnderWay):
        put_back(running, owner)

    assert not Operation.objects.unfinished().exists()


def test_a_deletion_overtakes_what_is_being_put_back(
    running: Deployment, meddle: Meddle, memory: MemoryCluster, owner: User
) -> None:
    meddle(replicas=5)
    memory.faults["put_back"] = Unavailable("the cluster is silent")
    put_back(running, owner)

    delete_deployment(running, user=owner)

    outcomes = [outcome for outcome, *_ in told("deployment.put_back")]
    assert outcomes == ["accepted", "superseded"]


def test_what_has_ended_or_is_ending_is_not_compared(
    running: Deployment, memory: MemoryCluster, owner: User
) -> None:
    memory.faults["delete"] = Unavailable("the cluster is silent")
    delete_deployment(running, user=owner)
    with pytest.raises(DeletionAsked):
        drift_of(again(running))
    memory.faults.clear()
    delete_deployment(running, user=owner)

    with pytest.raises(RecordClosed):
        drift_of(again(running))


def test_a_silent_cluster_is_unavailable(running: Deployment, memory: MemoryCluster) -> None:
    memory.faults["drift"] = Unavailable("the cluster is silent")

    with pytest.raises(ClusterUnavailable):
        drift_of(running)


def test_on_a_disabled_cluster_nothing_is_put_back(
    running: Deployment, meddle: Meddle, owner: User, cluster: Cluster
) -> None:
    meddle(replicas=5)
    digest = drift_of(running).digest
    Cluster.objects.filter(pk=cluster.pk).update(enabled=False)

    with pytest.raises(ClusterDisabled):
        put_back(Deployment.objects.get(pk=running.pk), owner, digest=digest)


def test_a_kind_that_cannot_compare_says_so(
    running: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("deployments.services.drifting.provider_of", lambda kind: kind)

    with pytest.raises(NotCompared):
        drift_of(running)

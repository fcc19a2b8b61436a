"""A change that the cluster refuses: what ran before is wanted again, and put back whole."""

import pytest
from django.contrib.auth.models import User

from deployments.exceptions import ClusterRefused
from deployments.models import Cluster, Deployment, Operation
from deployments.services.deleting import delete_deployment
from deployments.services.refreshing import refresh_cluster
from providers.contract.errors import InvalidRequest, Rejected, Unavailable
from providers.testing.memory.cluster import MemoryCluster
from tests.unit.deployments.changed import Change, again, ends, fault_at_update, outcomes, workload
from tests.unit.deployments.conftest import Launch

ARGS = {"engine_args": {"max_model_len": "4096"}}


class Killed(BaseException):
    """As a process ends: no handler of ours sees it."""


def test_a_refusal_leaves_the_old_revision_wanted_and_applied(
    running: Deployment, change: Change, memory: MemoryCluster, cluster: Cluster
) -> None:
    fault_at_update(memory, Rejected("quota says no", code="QuotaExceeded"), times=1)

    with pytest.raises(ClusterRefused, match="quota says no"):
        change(running, overrides={**ARGS, "min_replicas": 3})

    stored = again(running)
    assert (stored.revision, stored.applied_revision) == (1, 1)
    assert (stored.overrides, stored.replicas_text) == ({"min_replicas": 2}, "2")
    assert outcomes(stored) == [(1, "create", "applied"), (2, "update", "refused")]
    assert workload(memory)["spec"]["replicas"] == 2
    assert ends() == [
        ("update", "accepted"),
        ("update", "refused"),
        ("reapply", "accepted"),
        ("reapply", "succeeded"),
    ]
    assert stored.lease_until is None
    refresh_cluster(cluster)
    assert again(running).phase == "Ready"


def test_what_was_half_written_before_a_refusal_is_put_back(
    running: Deployment, change: Change, memory: MemoryCluster
) -> None:
    plain = memory.apply

    def refuse_the_service(manifest: dict[str, object]) -> object:
        if manifest["kind"] == "MemoryService" and memory.refusals:
            memory.refusals.clear()
            raise InvalidRequest.of("spec.port", "is not a port")
        return plain(manifest)

    memory.refusals["Marker"] = Rejected("")
    memory.apply = refuse_the_service  # type: ignore[assignment,method-assign]

    with pytest.raises(ClusterRefused):
        change(running, overrides={"min_replicas": 4})

    assert workload(memory)["spec"]["replicas"] == 2
    assert workload(memory)["metadata"]["annotations"]["slipway.dev/revision"] == "1"


@pytest.mark.parametrize("path", ["", "spec.port"])
def test_a_refusal_names_a_field_only_where_the_cluster_did(
    running: Deployment, change: Change, memory: MemoryCluster, path: str
) -> None:
    fault_at_update(memory, InvalidRequest({path: ["is wrong"]}, message="no such thing"), times=1)

    with pytest.raises(ClusterRefused, match="no such thing") as refusal:
        change(running, overrides={"min_replicas": 3})

    assert list(refusal.value.fields) == ([path] if path else [])


def test_the_number_of_a_refused_revision_is_not_used_again(
    running: Deployment, change: Change, memory: MemoryCluster
) -> None:
    fault_at_update(memory, Rejected("no"), times=1)
    with pytest.raises(ClusterRefused):
        change(running, overrides={"min_replicas": 3})

    change(running, overrides={"min_replicas": 3})

    assert outcomes(running) == [
        (1, "create", "applied"),
        (2, "update", "refused"),
        (3, "update", "applied"),
    ]
    assert again(running).revision == 3


def test_what_cannot_be_put_back_now_is_put_back_by_the_next_pass(
    running: Deployment, change: Change, memory: MemoryCluster, cluster: Cluster
) -> None:
    errors = iter([Rejected("no"), Unavailable("no answer")])
    plain = memory.enter

    def enter(verb: str) -> None:
        if verb == "update" and (error := next(errors, None)):
            raise error
        plain(verb)

    memory.enter = enter  # type: ignore[method-assign]
    with pytest.raises(ClusterRefused):
        change(running, overrides={"min_replicas": 3})
    pending = Operation.objects.unfinished().get()
    assert (pending.verb, pending.revision) == ("reapply", 1)
    assert (again(running).phase, again(running).reason) == ("Deploying", "ApplyPending")

    refresh_cluster(cluster)

    assert not Operation.objects.unfinished().exists()
    refresh_cluster(cluster)
    assert (again(running).phase, again(running).revision) == ("Ready", 1)


def test_a_process_that_dies_while_it_puts_back_leaves_that_to_the_next_pass(
    running: Deployment, change: Change, memory: MemoryCluster, cluster: Cluster
) -> None:
    errors = iter([Rejected("no"), Killed()])
    plain = memory.enter

    def enter(verb: str) -> None:
        if verb == "update" and (error := next(errors, None)):
            raise error
        plain(verb)

    memory.enter = enter  # type: ignore[method-assign]
    with pytest.raises(Killed):
        change(running, overrides={"min_replicas": 3})
    assert Operation.objects.unfinished().get().verb == "reapply"

    Deployment.objects.update(lease_until=running.created_at)
    refresh_cluster(cluster)

    assert not Operation.objects.unfinished().exists()
    assert (again(running).revision, again(running).applied_revision) == (1, 1)
    assert ends()[-1] == ("reapply", "succeeded")


def test_what_the_cluster_will_not_have_back_either_has_failed(
    running: Deployment, change: Change, memory: MemoryCluster
) -> None:
    memory.faults["update"] = Rejected("nothing at all any more")

    with pytest.raises(ClusterRefused):
        change(running, overrides={"min_replicas": 3})

    stored = again(running)
    assert (stored.phase, stored.reason, stored.revision) == ("Failed", "ApplyRejected", 1)
    assert not Operation.objects.unfinished().exists()
    assert ends()[-1] == ("reapply", "refused")


def test_a_failed_check_stores_nothing(
    running: Deployment, change: Change, memory: MemoryCluster
) -> None:
    memory.namespaces.clear()

    with pytest.raises(ClusterRefused):
        change(running, overrides={"min_replicas": 3})

    assert len(outcomes(running)) == 1
    assert ends() == []


def test_a_refusal_that_comes_later_puts_back_what_ran(
    running: Deployment, change: Change, memory: MemoryCluster, cluster: Cluster
) -> None:
    memory.faults["update"] = Unavailable("no answer")
    change(running, overrides={"min_replicas": 3})
    fault_at_update(memory, Rejected("no"), times=1)

    refresh_cluster(cluster)

    stored = again(running)
    assert (stored.revision, stored.applied_revision, stored.replicas_text) == (1, 1, "2")
    assert outcomes(stored)[-1] == (2, "update", "refused")
    refresh_cluster(cluster)
    assert again(running).phase == "Ready"
    told = [(check["code"], check["message"]) for check in again(running).checks]
    said = "The cluster refused revision 2: no; revision 1 is wanted again"
    assert told == [("ChangeRefused", said)], "who got no answer finds it with the record"
    change(running, overrides={"min_replicas": 4})
    assert again(running).checks == [], "until the next change"


def test_a_refusal_after_an_overtaken_change_goes_back_to_what_was_applied(
    running: Deployment, change: Change, memory: MemoryCluster
) -> None:
    memory.faults["update"] = Unavailable("no answer")
    change(running, overrides={"min_replicas": 3})
    fault_at_update(memory, Rejected("no"), times=1)

    with pytest.raises(ClusterRefused):
        change(running, overrides={"min_replicas": 4})

    assert (again(running).revision, again(running).replicas_text) == (1, "2")


def test_a_launch_that_is_refused_after_a_change_has_failed_and_stays_open(
    launch: Launch, change: Change, memory: MemoryCluster
) -> None:
    memory.faults["create"] = Unavailable("no answer")
    deployment = launch()
    memory.faults["create"] = Rejected("no")

    with pytest.raises(ClusterRefused):
        change(deployment, overrides={"min_replicas": 3})

    stored = again(deployment)
    assert (stored.phase, stored.reason, stored.closed_at) == ("Failed", "ApplyRejected", None)
    assert outcomes(stored)[-1] == (2, "update", "refused")


def test_a_deletion_that_comes_while_a_refused_change_is_put_back_wins(
    running: Deployment, change: Change, memory: MemoryCluster, cluster: Cluster, owner: User
) -> None:
    plain = memory.enter

    def enter(verb: str) -> None:
        plain(verb)
        if verb == "update":
            memory.enter = plain  # type: ignore[method-assign]
            delete_deployment(again(running), user=owner)
            raise Rejected("no")

    memory.enter = enter  # type: ignore[method-assign]
    with pytest.raises(ClusterRefused):
        change(running, overrides={"min_replicas": 3})

    refresh_cluster(cluster)

    assert again(running).is_closed
    assert not memory.objects
    assert not Operation.objects.unfinished().exists()

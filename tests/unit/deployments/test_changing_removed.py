"""A change of what somebody has removed, and nobody has noticed: it makes nothing anew."""

from collections.abc import Callable, Mapping

import pytest
from django.contrib.auth.models import User

from deployments.change_errors import RemovedOutside
from deployments.exceptions import ClusterRefused
from deployments.models import Cluster, Deployment, Operation
from deployments.services.applying import Task, apply_wanted
from deployments.services.change_orders import read_change
from deployments.services.changing import change_deployment, preview_change
from deployments.services.reapplying import reapply_deployment
from deployments.services.refreshing import refresh_cluster
from providers.contract.errors import ProviderError, Rejected, Unavailable
from providers.contract.protocols import Deadline
from providers.testing.memory.cluster import MemoryCluster
from tests.unit.deployments.changed import Change, again, ends, fault_at_update, outcomes
from tests.unit.deployments.test_reapplying import remove_workload

Launch = Callable[..., Deployment]
MORE = {"overrides": {"min_replicas": 2}}


def verdict(deployment: Deployment) -> tuple[str, str]:
    found = again(deployment)
    return found.phase, found.reason


def kinds(memory: MemoryCluster) -> set[str]:
    return {key.kind for key in memory.objects}


@pytest.mark.parametrize("body", [MORE, {"stopped": True}, {"redeploy": True}])
def test_it_is_refused_as_what_is_known_to_be_gone_is(
    launch: Launch, owner: User, memory: MemoryCluster, body: Mapping[str, object]
) -> None:
    deployment = launch()
    remove_workload(memory)

    with pytest.raises(RemovedOutside, match="apply it again before it is changed, or delete it"):
        change_deployment(read_change(body), deployment=deployment, user=owner)

    assert kinds(memory) == {"MemoryService"}
    assert again(deployment).revision == again(deployment).applied_revision == 1
    assert outcomes(deployment)[1][2] == "refused"
    assert verdict(deployment) == ("Deleted", "RemovedOutside")
    assert not Operation.objects.unfinished().exists()
    assert [outcome for _, outcome in ends()] == ["accepted", "refused"]


def test_it_can_be_applied_again_and_changed_then(
    launch: Launch, owner: User, memory: MemoryCluster, change: Change
) -> None:
    deployment = launch()
    remove_workload(memory)
    with pytest.raises(RemovedOutside):
        change(deployment, **MORE)

    reapply_deployment(again(deployment), user=owner)
    change(again(deployment), **MORE)

    assert again(deployment).applied_revision == 3


def test_a_start_looks_first_and_stores_nothing(
    launch: Launch, owner: User, memory: MemoryCluster
) -> None:
    deployment = launch()
    remove_workload(memory)
    start = read_change({"stopped": False})

    with pytest.raises(RemovedOutside):
        preview_change(start, deployment=deployment, user=owner)
    with pytest.raises(RemovedOutside):
        change_deployment(start, deployment=deployment, user=owner)

    assert kinds(memory) == {"MemoryService"}
    assert len(outcomes(deployment)) == 1


def test_a_pass_makes_nothing_anew_to_finish_a_change(
    launch: Launch, owner: User, memory: MemoryCluster, cluster: Cluster
) -> None:
    deployment = launch()
    memory.faults["update"] = Unavailable("no answer")
    change_deployment(read_change(MORE), deployment=deployment, user=owner)
    memory.faults.clear()
    remove_workload(memory)

    refresh_cluster(cluster)

    assert kinds(memory) == {"MemoryService"}
    assert verdict(deployment) == ("Deleted", "RemovedOutside")
    assert again(deployment).revision == 1


def test_what_is_removed_while_a_refused_change_is_taken_back_stays_removed(
    launch: Launch,
    memory: MemoryCluster,
    cluster: Cluster,
    change: Change,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    deployment = launch()
    fault_at_update(memory, Rejected("no such class", code="ApplyRejected"), times=1)

    def settle(task: Task, *, deadline: Deadline) -> ProviderError | None:
        remove_workload(memory)
        return apply_wanted(task, deadline=deadline)

    monkeypatch.setattr("deployments.services.putting_back.apply_wanted", settle)
    with pytest.raises(ClusterRefused, match="no such class"):
        change(deployment, **MORE)
    refresh_cluster(cluster)

    assert kinds(memory) == {"MemoryService"}
    assert verdict(deployment) == ("Deleted", "RemovedOutside")

"""Rollouts on a virtual clock, by the figures that were measured on a real control plane."""

from dataclasses import dataclass, field

import pytest

from providers.sandbox.cluster import VirtualCluster
from providers.sandbox.store import Change

from .conftest import DEPLOYMENTS, PODS, Desk, deployment

IN_PLACE = {"maxSurge": 0, "maxUnavailable": 1}
ADDED = {"maxSurge": 1, "maxUnavailable": 0}


@dataclass(kw_only=True)
class Census:
    """The fewest ready pods and the most live ones; those that end are not live."""

    cluster: VirtualCluster
    ready: list[int] = field(default_factory=list)
    live: list[int] = field(default_factory=list)

    def count(self, change: Change) -> None:
        if change.key.plural != "pods":
            return
        pods = self.cluster.store.items("pods")
        live = [pod for pod in pods if not pod["metadata"].get("deletionTimestamp")]
        ready = [
            pod
            for pod in live
            for entry in pod["status"].get("conditions") or ()
            if entry["type"] == "Ready" and entry["status"] == "True"
        ]
        self.live.append(len(live))
        self.ready.append(len(ready))


@pytest.mark.parametrize(
    ("rolling", "replicas", "fewest_ready", "most_live"),
    [
        (IN_PLACE, 1, 0, 1),
        (IN_PLACE, 2, 1, 2),
        (IN_PLACE, 3, 2, 3),
        (IN_PLACE, 4, 3, 4),
        (ADDED, 1, 1, 2),
        (ADDED, 2, 2, 3),
        (ADDED, 3, 3, 4),
        (ADDED, 4, 4, 5),
        ({"maxSurge": 0, "maxUnavailable": "25%"}, 1, 0, 1),
        ({"maxSurge": 0, "maxUnavailable": "25%"}, 3, 2, 3),
        ({"maxSurge": "25%", "maxUnavailable": "25%"}, 1, 1, 2),
        ({"maxUnavailable": "50%"}, 4, 2, 5),
    ],
)
def test_a_rollout_keeps_to_its_bounds(
    cluster: VirtualCluster,
    desk: Desk,
    rolling: dict[str, object],
    replicas: int,
    fewest_ready: int,
    most_live: int,
) -> None:
    strategy = {"type": "RollingUpdate", "rollingUpdate": rolling}
    desk.apply(deployment(replicas=replicas, strategy=strategy))
    cluster.advance(60)
    census = Census(cluster=cluster)
    cluster.store.listen(census.count)
    desk.apply(deployment(env="2", replicas=replicas, strategy=strategy))
    cluster.advance(60)

    assert (min(census.ready), max(census.live)) == (fewest_ready, most_live)
    status = desk.get(f"{DEPLOYMENTS}/d")["status"]
    assert status["updatedReplicas"] == status["readyReplicas"] == replicas
    assert len(desk.items(PODS)) == replicas


def test_a_recreate_waits_for_the_last_old_pod(cluster: VirtualCluster, desk: Desk) -> None:
    strategy = {"type": "Recreate"}
    slow = deployment(word="slow-stop:5", replicas=2, strategy=strategy)
    desk.apply(slow)
    cluster.advance(60)
    census = Census(cluster=cluster)
    cluster.store.listen(census.count)
    desk.apply(deployment(env="2", replicas=2, strategy=strategy))
    cluster.advance(4)
    assert all(pod["metadata"].get("deletionTimestamp") for pod in desk.items(PODS))
    cluster.advance(60)
    assert desk.get(f"{DEPLOYMENTS}/d")["status"]["readyReplicas"] == 2
    assert max(census.live) == 2


def test_a_rollout_that_never_gets_ready_is_late_after_its_deadline(
    cluster: VirtualCluster, desk: Desk
) -> None:
    desk.apply(deployment(word="never-ready", replicas=1, progressDeadlineSeconds=30))

    def progressing() -> tuple[str, str]:
        conditions = desk.get(f"{DEPLOYMENTS}/d")["status"]["conditions"]
        found = next(entry for entry in conditions if entry["type"] == "Progressing")
        return found["status"], found["reason"]

    cluster.advance(25)
    assert progressing() == ("True", "ReplicaSetUpdated")
    cluster.advance(15)
    assert progressing() == ("False", "ProgressDeadlineExceeded")


def test_scaling_a_finished_rollout_is_no_new_one(cluster: VirtualCluster, desk: Desk) -> None:
    desk.apply(deployment(replicas=1))
    cluster.advance(60)
    desk.apply(deployment(replicas=4))
    cluster.advance()
    conditions = desk.get(f"{DEPLOYMENTS}/d")["status"]["conditions"]
    reasons = {entry["type"]: entry["reason"] for entry in conditions}
    assert reasons["Progressing"] == "NewReplicaSetAvailable"
    cluster.advance(60)
    assert desk.get(f"{DEPLOYMENTS}/d")["status"]["availableReplicas"] == 4


def test_replica_sets_that_nobody_needs_are_removed(cluster: VirtualCluster, desk: Desk) -> None:
    for number in range(4):
        desk.apply(deployment(env=str(number), replicas=1, revisionHistoryLimit=1))
        cluster.advance(60)
    assert len(desk.items("/apis/apps/v1/replicasets")) == 2


def test_going_back_takes_up_the_old_replica_set(cluster: VirtualCluster, desk: Desk) -> None:
    for env in ("1", "2", "1"):
        desk.apply(deployment(env=env, replicas=1))
        cluster.advance(60)
    sets = desk.items("/apis/apps/v1/replicasets")
    revision = "deployment.kubernetes.io/revision"
    assert sorted(each["metadata"]["annotations"][revision] for each in sets) == ["2", "3"]

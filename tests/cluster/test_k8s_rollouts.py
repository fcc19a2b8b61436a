"""What is told of a rollout before it begins, held against what the real controllers then do."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest

from providers.contract.capacity import Capacity
from providers.contract.changing import Effects, Fit, Running, running_as_seen
from providers.contract.manifest import Manifest
from providers.contract.request import DeployRequest, Rollout
from providers.contract.status import Status
from providers.contract.target import AcceleratorMapping
from providers.kube.clock import deadline_in
from providers.kubernetes.provider import provider
from providers.testing.samples import spec_with
from tests.cluster.census import Census, place_of
from tests.cluster.following import Following
from tests.cluster.harness.api import namespaced
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.kubelet.nodes import NodeSpec
from tests.cluster.launching import PATIENCE_SECONDS, SECONDS, Launch, eventually, launch_in
from tests.cluster.scheduling import one_more_node
from tests.cluster.waiting import wait_for

pytestmark = pytest.mark.usefixtures("cluster_nodes")

# So that a pod is there for a while before it is ready.
SLOW = spec_with(engine={"env": {"SLIPWAY_SIMULATE": "slow-load:1"}})
POOL = {"pool": "narrow"}
NARROW = NodeSpec(name="narrow-1", labels=POOL, capacity={"nvidia.com/gpu": "1"})


def told(launch: Launch, after: DeployRequest, capacity: Capacity | None, now: Running) -> Effects:
    return provider.effects(launch.request, after, launch.target, capacity=capacity, running=now)


@contextmanager
def asked_for(launch: Launch) -> Iterator[list[int]]:
    """Collect how many pods all ReplicaSets ask for together, at each step of the controller."""
    sizes: dict[str, int] = {}
    sums: list[int] = []

    def take(_kind: str, found: Manifest) -> None:
        sizes[found["metadata"]["name"]] = found["spec"]["replicas"]
        sums.append(sum(sizes.values()))

    followed = Following(
        api=launch.api,
        path=namespaced(launch.request.namespace, "replicasets", api="apis/apps/v1"),
        selector={"labelSelector": f"slipway.dev/id={launch.request.id}"},
        take=take,
    )
    for found in followed.begin():
        take("ADDED", found)
    try:
        yield sums
    finally:
        followed.end()


@pytest.mark.parametrize("replicas", [1, 3])
@pytest.mark.parametrize("rollout", list(Rollout))
def test_pods_are_replaced_as_it_was_told(
    control_plane: ControlPlane, namespace: str, rollout: Rollout, replicas: int
) -> None:
    overrides = {"min_replicas": replicas}
    launch = launch_in(control_plane, namespace, spec=SLOW, overrides=overrides)
    launch.request = replace(launch.request, rollout=rollout)
    launch.create()
    launch.wait_until_ready(replicas)
    after = replace(launch.request, restart="again", revision=2)
    effects = told(launch, after, None, Running(replicas=replicas))

    with Census(place=place_of(launch)) as census, asked_for(launch) as sums:
        there = set(census.names)
        launch.update(after)
        eventually("new pods", lambda: census.names > there)
        launch.wait_until_ready(replicas)
        census.linger()

    assert census.fewest_ready == effects.fewest_ready
    # Two sets carry their numbers out side by side, so that one more may live for a moment.
    assert max(census.live) >= max(sums) == replicas + effects.surge
    assert len(census.names - there) == effects.restarts == replicas
    assert effects.has_downtime is (census.fewest_ready == 0)


@pytest.fixture
def narrow(control_plane: ControlPlane, namespace: str) -> Iterator[Launch]:
    """Return what holds the only accelerator of its type."""
    mapping = AcceleratorMapping(resource="nvidia.com/gpu", node_selector=POOL)
    launch = launch_in(
        control_plane,
        namespace,
        spec=spec_with(accelerator={"type": "NARROW", "count": 1}),
        accelerators={"NARROW": mapping},
    )
    with one_more_node(control_plane, NARROW):
        launch.create()
        launch.wait_until_ready(1)
        yield launch


def waiting(launch: Launch) -> Status | None:
    """Return what is told once the rollout waits, with where it could go on."""
    status = launch.get().status
    told = (status.reason, NARROW.name in status.message)
    return status if told == ("RolloutNeedsSpareAccelerator", True) else None


def counted(launch: Launch) -> Capacity:
    assert provider.door is not None
    return provider.door.read_capacity(launch.target, deadline=deadline_in(SECONDS))


def test_a_rollout_without_a_spare_accelerator_is_foretold_stuck_and_freed_by_another_strategy(
    narrow: Launch,
) -> None:
    surge = replace(narrow.request, restart="again", revision=2)
    foretold = told(narrow, surge, counted(narrow), Running(replicas=1))
    auto = provider.resolve_rollout(
        "auto",
        surge.spec,
        narrow.target,
        namespace=surge.namespace,
        scaling=surge.scaling,
        capacity=counted(narrow),
    )

    narrow.update(surge)
    stuck = wait_for(lambda: waiting(narrow), PATIENCE_SECONDS, "the rollout waits")
    switched = replace(surge, rollout=Rollout.REPLACE, revision=3)
    freed = told(narrow, switched, counted(narrow), running_as_seen(stuck))
    narrow.update(switched)
    narrow.wait_until_ready(1)

    assert (foretold.fit, foretold.spare[0].accelerators, foretold.spare[0].free) == (
        Fit.SHORT,
        1,
        0,
    )
    assert auto is Rollout.REPLACE
    assert "narrow-1; free one, or roll out by replace" in stuck.message
    assert (freed.fit, freed.restarts, freed.has_downtime) == (Fit.FITS, 1, True)

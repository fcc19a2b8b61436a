"""No replica is dropped by any change: eight of them, each number that was ever stored counted."""

import copy
from collections.abc import Iterator

import pytest

from providers.kubernetes.provider import provider
from tests.cluster.census import Census
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.launching import launch_in
from tests.cluster.transitions import (
    TRANSITIONS,
    Counted,
    Transition,
    count_transition,
    scale_outside,
    table_of,
)

pytestmark = pytest.mark.usefixtures("cluster_nodes")


@pytest.fixture(scope="module")
def counted(pytestconfig: pytest.Config) -> Iterator[list[Counted]]:
    """Keep what was seen, and print it at the end of the module whatever the verdict."""
    seen: list[Counted] = []
    yield seen
    capture = pytestconfig.pluginmanager.getplugin("capturemanager")
    with capture.global_and_fixture_disabled():
        print("", *table_of(seen), sep="\n")


@pytest.mark.parametrize("transition", TRANSITIONS, ids=lambda one: one.name)
def test_no_change_falls_short_of_both_its_ends(
    control_plane: ControlPlane,
    namespace: str,
    counted: list[Counted],
    transition: Transition,
) -> None:
    found = count_transition(control_plane, namespace, transition)
    counted.append(found)

    assert found.census.fewest_wanted >= transition.floor
    assert found.census.fewest_ready >= transition.floor
    assert max(found.census.wanted) <= max(transition.before, transition.after)
    assert found.census.steps[-1] == transition.after
    assert transition.made is None or found.made == transition.made


def test_a_replica_that_is_dropped_for_a_moment_is_counted(
    control_plane: ControlPlane, namespace: str
) -> None:
    launch = launch_in(control_plane, namespace, overrides={"min_replicas": 3})
    launch.create()
    launch.wait_until_ready(3)
    without = copy.deepcopy(provider.render(launch.request, launch.target)[0])
    del without["spec"]["replicas"]

    with Census(launch=launch) as census:
        launch.api.apply(launch.deployment_path, without, manager="slipway")
        scale_outside(launch, 3)
        census.linger()

    assert census.steps == (3, 1, 3)
    assert census.fewest_ready == 1

"""An InferenceService on a real control plane: begun, scaled, stopped, changed by others."""

from dataclasses import replace

import pytest

from providers.contract.request import Rollout
from providers.contract.status import Phase
from providers.kube.apply import SCALE_MANAGER
from providers.workload.rollout import deployment_strategy
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.inference_services import SECONDS, Cast, wait_for_the_first_replicas
from tests.cluster.waiting import wait_for


@pytest.fixture
def cast(
    foreign_plane: ControlPlane, foreign_namespace: str, monkeypatch: pytest.MonkeyPatch
) -> Cast:
    wait_for_the_first_replicas(monkeypatch)
    return Cast(foreign_plane, foreign_namespace)


def test_it_begins_with_all_its_replicas(cast: Cast) -> None:
    cast.launch(min_replicas=3)
    found = cast.deployment()
    assert found["spec"]["replicas"] == 3
    holders = {entry["manager"]: entry for entry in found["metadata"]["managedFields"]}
    assert holders[SCALE_MANAGER]["subresource"] == "scale"
    cast.until(Phase.READY, 3)


@pytest.mark.parametrize("after", [1, 4])
def test_another_number_replaces_no_pod_that_stays(cast: Cast, after: int) -> None:
    cast.launch(min_replicas=2)
    cast.until(Phase.READY, 2)
    before = cast.pods()

    cast.rescale(min_replicas=after)
    cast.until(Phase.READY, after)

    assert len(cast.pods() & before) == min(2, after)


def test_turning_the_autoscaler_on_and_off_replaces_no_pod(cast: Cast) -> None:
    cast.launch(min_replicas=2)
    cast.until(Phase.READY, 2)
    before = cast.pods()

    cast.rescale(min_replicas=2, max_replicas=4, enable_auto_scaling=True)
    cast.until_bounded(2, 4)
    cast.until(Phase.READY, 2)
    cast.rescale(min_replicas=2)
    cast.until_bounded(2, 2)
    cast.until(Phase.READY, 2)

    assert cast.pods() == before


@pytest.mark.parametrize(
    "way", [(Rollout.SURGE, Rollout.RECREATE), (Rollout.RECREATE, Rollout.SURGE)]
)
def test_another_rollout_replaces_no_pod_and_is_the_next_ones(
    cast: Cast, way: tuple[Rollout, Rollout]
) -> None:
    cast.request = replace(cast.request, rollout=way[0])
    cast.launch(min_replicas=1)
    cast.until(Phase.READY, 1)
    before = cast.pods()
    cast.change(replace(cast.request, rollout=way[1], revision=2))
    wait_for(lambda: cast.strategy() == deployment_strategy(way[1]), SECONDS, "the other strategy")
    cast.until(Phase.READY, 1)
    assert cast.pods() == before
    cast.with_variable("1")
    wait_for(lambda: not cast.pods() & before, SECONDS, "other pods")
    cast.until(Phase.READY, 1)


def test_a_stop_ends_when_the_last_pod_is_gone_and_a_start_begins_whole(cast: Cast) -> None:
    cast.launch(min_replicas=2)
    cast.until(Phase.READY, 2)

    cast.rescale(min_replicas=0)
    cast.until(Phase.STOPPED, 0)
    assert cast.pods() == set()

    cast.rescale(min_replicas=2)
    assert cast.deployment()["spec"]["replicas"] == 2
    cast.until(Phase.READY, 2)


def test_what_others_changed_on_it_is_told_and_put_back(cast: Cast) -> None:
    cast.launch(min_replicas=1)
    cast.until(Phase.READY, 1)
    cast.meddle({"spec": {"predictor": {"maxReplicas": 5}}})
    [field] = cast.drifted()
    assert (field.path, field.ours, field.theirs) == ("spec.predictor.maxReplicas", "1", "5")

    cast.put_back()
    assert cast.plane.api.get(cast.path)["spec"]["predictor"]["maxReplicas"] == 1
    assert cast.drifted() == ()


def test_bounds_that_others_set_are_taken_over_by_what_overrides_say(cast: Cast) -> None:
    cast.launch(min_replicas=1)
    cast.until(Phase.READY, 1)
    cast.meddle({"spec": {"predictor": {"minReplicas": 2, "maxReplicas": 5}}})
    overrides = {name: value for one in cast.drifted() for name, value in one.overrides.items()}

    assert overrides == {"min_replicas": 2, "max_replicas": 5, "enable_auto_scaling": True}
    cast.rescale(**overrides)

    cast.until(Phase.READY, 2)
    assert cast.drifted() == ()

"""Every change of scaling, sampled on a real control plane: no replica is ever dropped."""

import pytest

from providers.kube.apply import MANAGER, SCALE_MANAGER, managers_of
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.launching import Launch, Sampler, eventually, launch_in, linger

pytestmark = pytest.mark.usefixtures("cluster_nodes")

AUTOSCALED = {"enable_auto_scaling": True, "min_replicas": 2, "max_replicas": 5}
FIXED = {"enable_auto_scaling": False}


def running(plane: ControlPlane, namespace: str, **overrides: object) -> Launch:
    launch = launch_in(plane, namespace, overrides=overrides)
    launch.create()
    launch.wait_until_ready(launch.request.scaling.min_replicas)
    return launch


def scale_outside(launch: Launch, replicas: int) -> None:
    """Scale as an autoscaler or a person does: through the scale subresource."""
    body = {"spec": {"replicas": replicas}}
    launch.api.merge(f"{launch.deployment_path}/scale", body, fieldManager="somebody")
    launch.wait_until_ready(replicas)


def has_autoscaler(launch: Launch) -> bool:
    return launch.api.find(launch.autoscaler_path) is not None


def test_a_deployment_created_autoscaled_starts_with_its_fewest_replicas_at_once(
    control_plane: ControlPlane, namespace: str
) -> None:
    launch = launch_in(control_plane, namespace, overrides={**AUTOSCALED, "min_replicas": 3})

    launch.create()

    live = launch.api.get(launch.deployment_path)
    assert live["spec"]["replicas"] == 3
    assert SCALE_MANAGER in managers_of(live, "spec", "replicas")  # and no autoscaler yet
    assert has_autoscaler(launch)
    launch.wait_until_ready(3)


@pytest.mark.parametrize(("before", "after"), [(1, 3), (3, 1)])
def test_fixed_to_fixed_keeps_the_smaller_number(
    control_plane: ControlPlane, namespace: str, before: int, after: int
) -> None:
    launch = running(control_plane, namespace, min_replicas=before)

    with Sampler(launch=launch) as sampler:
        launch.update(launch.rescaled(min_replicas=after))
        launch.wait_until_ready(after)

    assert sampler.fewest_wanted >= min(before, after)
    assert sampler.fewest_ready >= min(before, after)


def test_scaling_restarts_no_pod(control_plane: ControlPlane, namespace: str) -> None:
    launch = running(control_plane, namespace, min_replicas=1)
    generation = launch.api.get(launch.deployment_path)["spec"]["template"]

    launch.update(launch.rescaled(min_replicas=2))

    assert launch.api.get(launch.deployment_path)["spec"]["template"] == generation


def test_fixed_to_autoscaled_keeps_what_runs(control_plane: ControlPlane, namespace: str) -> None:
    launch = running(control_plane, namespace, min_replicas=3)

    with Sampler(launch=launch) as sampler:
        launch.update(launch.rescaled(**AUTOSCALED))
        linger(sampler)

    assert (sampler.fewest_wanted, sampler.most_wanted) == (3, 3)
    assert sampler.fewest_ready == 3
    assert has_autoscaler(launch)


def test_fixed_to_autoscaled_keeps_what_somebody_else_has_scaled_to(
    control_plane: ControlPlane, namespace: str
) -> None:
    launch = running(control_plane, namespace, min_replicas=2)
    scale_outside(launch, 4)

    with Sampler(launch=launch) as sampler:
        launch.update(launch.rescaled(**AUTOSCALED))
        linger(sampler)

    assert sampler.fewest_wanted == 4
    assert sampler.fewest_ready == 4


def test_a_template_change_while_autoscaled_keeps_the_number_and_the_ready_pods(
    control_plane: ControlPlane, namespace: str
) -> None:
    launch = running(control_plane, namespace, **AUTOSCALED)
    scale_outside(launch, 4)

    with Sampler(launch=launch) as sampler:
        launch.update(launch.with_env(COLOUR="blue"))
        launch.wait_until_ready(4)

    assert (sampler.fewest_wanted, sampler.most_wanted) == (4, 4)
    assert sampler.fewest_ready >= 4  # surge: one more before one less


def test_new_bounds_while_autoscaled_change_only_the_autoscaler(
    control_plane: ControlPlane, namespace: str
) -> None:
    launch = running(control_plane, namespace, **AUTOSCALED)
    version = launch.api.get(launch.deployment_path)["metadata"]["generation"]

    launch.update(launch.rescaled(**{**AUTOSCALED, "max_replicas": 6}))

    assert launch.api.get(launch.autoscaler_path)["spec"]["maxReplicas"] == 6
    assert launch.api.get(launch.deployment_path)["metadata"]["generation"] == version


@pytest.mark.parametrize("after", [4, 2, 5])
def test_autoscaled_to_fixed_goes_from_what_runs_to_what_is_wanted(
    control_plane: ControlPlane, namespace: str, after: int
) -> None:
    launch = running(control_plane, namespace, **AUTOSCALED)
    scale_outside(launch, 4)

    with Sampler(launch=launch) as sampler:
        launch.update(launch.rescaled(**FIXED, min_replicas=after))
        launch.wait_until_ready(after)

    assert sampler.fewest_wanted >= min(4, after)
    assert sampler.fewest_ready >= min(4, after)
    assert not has_autoscaler(launch)
    live = launch.api.get(launch.deployment_path)
    assert MANAGER in managers_of(live, "spec", "replicas")
    assert SCALE_MANAGER not in managers_of(live, "spec", "replicas")


def test_autoscaled_to_fixed_with_a_new_template_drops_nothing(
    control_plane: ControlPlane, namespace: str
) -> None:
    launch = running(control_plane, namespace, **AUTOSCALED)
    scale_outside(launch, 4)
    launch.request = launch.with_env(COLOUR="green")

    with Sampler(launch=launch) as sampler:
        launch.update(launch.rescaled(**FIXED, min_replicas=3))
        launch.wait_until_ready(3)

    assert sampler.fewest_wanted >= 3
    assert sampler.fewest_ready >= 3


def test_a_stop_takes_the_autoscaler_first_and_a_start_brings_it_back(
    control_plane: ControlPlane, namespace: str
) -> None:
    launch = running(control_plane, namespace, **AUTOSCALED)

    launch.update(launch.rescaled(**FIXED, min_replicas=0))
    assert not has_autoscaler(launch)
    eventually("stopped", lambda: launch.get().status.reason == "ScaledToZero")

    launch.update(launch.rescaled(**AUTOSCALED))
    launch.wait_until_ready(2)
    assert has_autoscaler(launch)


def test_an_update_that_is_repeated_changes_nothing(
    control_plane: ControlPlane, namespace: str
) -> None:
    launch = running(control_plane, namespace, **AUTOSCALED)
    wanted = launch.rescaled(**FIXED, min_replicas=3)
    launch.update(wanted)
    launch.wait_until_ready(3)
    before = launch.api.get(launch.deployment_path)["metadata"]

    launch.update(wanted)

    after = launch.api.get(launch.deployment_path)["metadata"]
    assert after["generation"] == before["generation"]


def test_a_hand_over_that_broke_off_is_finished_by_the_next_call(
    control_plane: ControlPlane, namespace: str
) -> None:
    launch = running(control_plane, namespace, **AUTOSCALED)
    scale_outside(launch, 4)
    launch.api.delete(launch.autoscaler_path)  # as if the first step was the last one

    with Sampler(launch=launch) as sampler:
        launch.update(launch.rescaled(**FIXED, min_replicas=4))
        linger(sampler)

    assert (sampler.fewest_wanted, sampler.fewest_ready) == (4, 4)


def test_what_somebody_changed_by_hand_is_taken_back(
    control_plane: ControlPlane, namespace: str
) -> None:
    launch = running(control_plane, namespace, min_replicas=2)
    body = {"spec": {"replicas": 3, "minReadySeconds": 1}}
    launch.api.merge(launch.deployment_path, body, fieldManager="kubectl-edit")
    eventually(
        "the change is told",
        lambda: "ChangedOutside" in {note.reason for note in launch.get().status.notes},
    )

    launch.update(launch.with_env(COLOUR="red"))

    launch.wait_until_ready(2)

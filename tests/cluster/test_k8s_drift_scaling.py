"""Replicas that others set on a real control plane: put back, and no autoscaler ever fought."""

import pytest

from providers.contract.drifting import Drift
from tests.cluster.drifting import (
    AUTOSCALED,
    CONTAINER,
    drift_of,
    is_clean,
    kubectl,
    manifests_of,
    named,
    only,
    put_back,
    running,
)
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.launching import Sampler, linger

pytestmark = pytest.mark.usefixtures("cluster_nodes")


def test_kubectl_scale_is_told_and_put_back_without_a_restart(
    control_plane: ControlPlane, namespace: str
) -> None:
    launch = running(control_plane, namespace, min_replicas=2)

    kubectl(control_plane, launch, "scale", named(launch), "--replicas=3")

    found = only(launch)
    assert (found.path, found.ours, found.theirs) == ("spec.replicas", "2", "3")
    assert (found.holder.who, found.holder.subresource) == ("somebody with kubectl scale", "scale")
    assert found.holder.at is None  # writes through scale bear no time
    assert (found.overrides, found.restarts) == ({"min_replicas": 3}, False)
    template = launch.api.get(launch.deployment_path)["spec"]["template"]
    assert put_back(launch).fields == (found,)
    launch.wait_until_ready(2)
    assert launch.api.get(launch.deployment_path)["spec"]["template"] == template
    assert is_clean(launch)


def test_an_autoscaler_that_scales_has_changed_nothing(
    control_plane: ControlPlane, namespace: str
) -> None:
    launch = running(control_plane, namespace, **AUTOSCALED)
    body = {"spec": {"replicas": 3}}
    scale = f"{launch.deployment_path}/scale"
    launch.api.merge(scale, body, fieldManager="kube-controller-manager")
    launch.wait_until_ready(3)

    assert drift_of(launch) == Drift()


def test_bounds_of_the_autoscaler_are_put_back_and_its_number_is_left_alone(
    control_plane: ControlPlane, namespace: str
) -> None:
    launch = running(control_plane, namespace, **AUTOSCALED)
    launch.api.merge(f"{launch.deployment_path}/scale", {"spec": {"replicas": 3}})
    launch.wait_until_ready(3)
    patch = '{"spec":{"maxReplicas":9}}'
    kubectl(control_plane, launch, "patch", "hpa", launch.request.runtime_name, "-p", patch)
    kubectl(control_plane, launch, "set", "env", named(launch), "COLOUR=blue")

    found = {field.path: field for field in drift_of(launch).fields}
    assert set(found) == {"spec.maxReplicas", f"{CONTAINER}.env[name=COLOUR].value"}
    assert found["spec.maxReplicas"].overrides == {"max_replicas": 9}
    with Sampler(launch=launch) as sampler:
        put_back(launch)
        linger(sampler)

    assert (sampler.fewest_wanted, sampler.most_wanted) == (3, 3)
    assert is_clean(launch)


def test_a_stop_by_hand_under_the_autoscaler_is_told_and_put_back_to_the_fewest(
    control_plane: ControlPlane, namespace: str
) -> None:
    launch = running(control_plane, namespace, **AUTOSCALED)
    kubectl(control_plane, launch, "scale", named(launch), "--replicas=0")

    found = only(launch)
    assert (found.path, found.ours, found.theirs) == (
        "spec.replicas",
        "left to the autoscaler",
        "0",
    )
    assert found.overrides == {"min_replicas": 0}
    put_back(launch)

    launch.wait_until_ready(2)
    assert is_clean(launch)


def test_a_number_that_slipway_alone_holds_is_handed_over_before_it_is_left_out(
    control_plane: ControlPlane, namespace: str
) -> None:
    launch = running(control_plane, namespace, **AUTOSCALED)
    step = {**manifests_of(launch)[0], "spec": {**manifests_of(launch)[0]["spec"], "replicas": 4}}
    launch.api.apply(launch.deployment_path, step, manager="slipway")
    launch.wait_until_ready(4)
    kubectl(control_plane, launch, "set", "env", named(launch), "COLOUR=blue")

    with Sampler(launch=launch) as sampler:
        put_back(launch)
        linger(sampler)

    assert sampler.fewest_wanted == 4


def test_an_autoscaler_of_somebody_else_is_named_and_never_fought(
    control_plane: ControlPlane, namespace: str
) -> None:
    launch = running(control_plane, namespace, min_replicas=2)
    kubectl(control_plane, launch, "autoscale", named(launch), "--min=3", "--max=5", "--name=mine")
    launch.wait_until_ready(3)
    kubectl(control_plane, launch, "set", "env", named(launch), "COLOUR=blue")

    found = drift_of(launch)
    replicas = next(field for field in found.fields if field.path == "spec.replicas")
    assert "HorizontalPodAutoscaler mine" in replicas.obstacle
    assert "HorizontalPodAutoscaler mine" in {one.name for one in found.co_managers}
    with Sampler(launch=launch) as sampler:
        done = put_back(launch)
        linger(sampler)

    assert [field.path for field in done.left] == ["spec.replicas"]
    assert (sampler.fewest_wanted, sampler.most_wanted) == (3, 3)
    assert only(launch).path == "spec.replicas"

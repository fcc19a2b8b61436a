"""What silences the controller of StormServices is found before a launch, and told after one."""

import pytest

from providers.contract.checks import Result
from providers.contract.protocols import Applied
from providers.contract.request import DeployRequest
from providers.contract.status import Phase
from providers.contract.target import ClusterTarget
from providers.kube.clock import deadline_in
from providers.stormservice.provider import provider
from providers.testing.samples import make_request
from tests.cluster.harness.api import namespaced
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.launching import set_quota, target_for
from tests.cluster.looking import EACH_LOOK, Look, by_itself
from tests.cluster.storms import STORM, path_of
from tests.cluster.waiting import wait_for

SECONDS = 90.0


def refused(request: DeployRequest, target: ClusterTarget) -> dict[str, str]:
    checks = provider.preflight(request, target, capacity=None, deadline=deadline_in(60))
    return {check.code: check.message for check in checks if check.result is Result.FAIL}


def take_name(plane: ControlPlane, request: DeployRequest) -> str:
    """Make a Service of the name that the controller needs; returns its path."""
    metadata = {"name": request.runtime_name, "namespace": request.namespace}
    body = {"apiVersion": "v1", "kind": "Service", "metadata": metadata}
    path = namespaced(request.namespace, "services")
    plane.api.create(path, {**body, "spec": {"ports": [{"port": 80}]}})
    return f"{path}/{request.runtime_name}"


def launch(request: DeployRequest, target: ClusterTarget) -> Applied:
    return provider.create(request, target, deadline=deadline_in(60))


def test_a_taken_name_of_a_service_is_refused_before_anything_is_made(
    foreign_plane: ControlPlane, foreign_namespace: str
) -> None:
    target = target_for(foreign_plane, foreign_namespace)
    request = make_request(provider, namespace=foreign_namespace)
    assert refused(request, target) == {}

    take_name(foreign_plane, request)
    told = refused(request, target)
    assert list(told) == ["NameTaken"]
    assert f"Service {request.runtime_name} belongs to somebody else" in told["NameTaken"]


def test_the_service_that_the_controller_made_is_no_obstacle_to_a_change(
    foreign_plane: ControlPlane, foreign_namespace: str
) -> None:
    target = target_for(foreign_plane, foreign_namespace)
    request = make_request(provider, namespace=foreign_namespace)
    applied = launch(request, target)
    wait_for(
        lambda: by_itself(request, applied, target).reason == "Available", SECONDS, "it is ready"
    )
    assert refused(request, target) == {}


@pytest.mark.parametrize("look", EACH_LOOK)
def test_a_name_that_was_taken_meanwhile_is_told_at_every_look(
    foreign_plane: ControlPlane, foreign_namespace: str, look: Look
) -> None:
    target = target_for(foreign_plane, foreign_namespace)
    request = make_request(provider, namespace=foreign_namespace)
    path = take_name(foreign_plane, request)
    applied = launch(request, target)

    status = look(request, applied, target)
    assert (status.phase, status.reason) == (Phase.FAILED, "ReconcileFailed")
    assert f"Service {request.runtime_name} belongs to somebody else" in status.message

    foreign_plane.api.delete(path)
    wait_for(lambda: look(request, applied, target).reason == "Available", SECONDS, "it is ready")


def test_a_quota_has_to_leave_room_for_the_controllers_own_service(
    foreign_plane: ControlPlane, foreign_namespace: str
) -> None:
    target = target_for(foreign_plane, foreign_namespace)
    set_quota(foreign_plane.api, foreign_namespace, **{"count/services": "1"})
    request = make_request(provider, namespace=foreign_namespace)
    assert "it takes 2 count/services" in refused(request, target)["QuotaExceeded"]


@pytest.mark.parametrize("look", EACH_LOOK)
def test_a_quota_that_keeps_the_controllers_service_away_is_told_at_every_look(
    foreign_plane: ControlPlane, foreign_namespace: str, look: Look
) -> None:
    target = target_for(foreign_plane, foreign_namespace)
    request = make_request(provider, namespace=foreign_namespace)
    fill_services(foreign_plane, foreign_namespace)
    applied = apply_alone(request, target, foreign_plane)

    status = look(request, applied, target)
    assert (status.phase, status.reason) == (Phase.FAILED, "QuotaExceeded")
    assert "quota team counts services: 1 of 1 used" in status.message


def test_a_selector_that_somebody_narrowed_is_told_and_no_role_set_is_made_for_it(
    foreign_plane: ControlPlane, foreign_namespace: str
) -> None:
    api, target = foreign_plane.api, target_for(foreign_plane, foreign_namespace)
    request = make_request(provider, namespace=foreign_namespace)
    applied = launch(request, target)
    wait_for(
        lambda: by_itself(request, applied, target).reason == "Available", SECONDS, "it is ready"
    )
    narrowed = {"matchLabels": {"team": "another"}}
    api.merge(path_of(request), {"spec": {"selector": narrowed}})
    wait_for(
        lambda: "does not match" in by_itself(request, applied, target).message,
        SECONDS,
        "it is told",
    )
    sets = api.get(namespaced(foreign_namespace, "rolesets", api=STORM))["items"]
    assert len(sets) == 1


def fill_services(plane: ControlPlane, namespace: str) -> None:
    """Allow one Service and make it.

    In this order: a new quota counts what its controller's cache holds, which may be behind; what
    is made under a quota in force is counted by its admission, before the answer.
    """
    set_quota(plane.api, namespace, services="1")
    body = {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "another"}}
    plane.api.create(namespaced(namespace, "services"), {**body, "spec": {"ports": [{"port": 80}]}})


def apply_alone(request: DeployRequest, target: ClusterTarget, plane: ControlPlane) -> Applied:
    """Make the StormService as if our own Service had been made before the quota was full."""
    manifest = provider.render(request, target)[0]
    made = plane.api.create(namespaced(request.namespace, "stormservices", api=STORM), manifest)
    return Applied(workload_uid=made["metadata"]["uid"], pod_digest="", objects=())

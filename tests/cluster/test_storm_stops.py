"""StormServices of every shape are stopped and started again, and never lack a number meanwhile."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from providers.contract.protocols import Applied
from providers.contract.request import DeploymentRef, DeployRequest, Intent
from providers.contract.status import Phase
from providers.contract.target import ClusterTarget
from providers.kube.clock import deadline_in
from providers.stormservice.provider import provider
from providers.testing.samples import make_request, ref_of, rescaled, spec_with
from tests.cluster.harness.api import namespaced
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.launching import target_for
from tests.cluster.looking import by_itself
from tests.cluster.test_storm_handover import BOUNDS, SGLANG, SPECS, Stored, autoscalers
from tests.cluster.waiting import wait_for

SECONDS = 90.0
NODES = spec_with(engine=SGLANG, topology={"kind": "multi-node", "nodes": 2})
TWO: Mapping[str, object] = {"min_replicas": 2, "max_replicas": 2}
STOPPED: Mapping[str, object] = {
    "min_replicas": 0,
    "max_replicas": 0,
    "enable_auto_scaling": False,
}


def create(request: DeployRequest, target: ClusterTarget) -> Applied:
    return provider.create(request, target, deadline=deadline_in(60))


def update(
    request: DeployRequest, ref: DeploymentRef, target: ClusterTarget
) -> tuple[DeploymentRef, Applied]:
    applied = provider.update(request, ref, target, deadline=deadline_in(60))
    return ref_of(request, applied), applied


def wait_for_two(request: DeployRequest, applied: Applied, target: ClusterTarget) -> None:
    def are_ready() -> bool:
        status = by_itself(request, applied, target)
        return (status.reason, status.ready_replicas) == ("Available", 2)

    wait_for(are_ready, SECONDS, "both replicas are ready")


@pytest.mark.parametrize(
    ("spec", "overrides", "scaled_by"),
    [
        (SPECS["standard"], BOUNDS, ["HPA"]),
        (NODES, TWO, []),
        (SPECS["roles"], TWO, []),
        (SPECS["roles"], BOUNDS, ["PA"]),
    ],
    ids=["standard and autoscaled", "several nodes", "roles", "roles and autoscaled"],
)
def test_what_was_stopped_starts_as_it_was(
    foreign_plane: ControlPlane,
    foreign_namespace: str,
    spec: Mapping[str, object],
    overrides: Mapping[str, object],
    scaled_by: list[str],
) -> None:
    api, target = foreign_plane.api, target_for(foreign_plane, foreign_namespace)
    first = make_request(provider, namespace=foreign_namespace, spec=spec, overrides=overrides)
    with Stored(api=api, request=first) as stored:
        applied = create(first, target)
        wait_for_two(first, applied, target)
        assert autoscalers(api, first) == scaled_by

        stopped = rescaled(first, **STOPPED)
        ref, _ = update(stopped, ref_of(first, applied), target)
        ref = replace(ref, intent=Intent.STOPPED)

        def is_stopped() -> bool:
            status = provider.get(ref, target, deadline=deadline_in(60)).status
            return status.phase is Phase.STOPPED

        wait_for(is_stopped, SECONDS, "it is stopped")
        assert api.get(namespaced(foreign_namespace, "pods"))["items"] == []
        assert autoscalers(api, stopped) == []

        again = replace(first, revision=3)
        _, applied = update(again, ref, target)
        wait_for_two(again, applied, target)
    assert autoscalers(api, again) == scaled_by
    assert set(stored.numbers) == {0, 2}

"""A quota that counts RoleSets: held against a launch, and told where it keeps one away."""

import pytest

from providers.contract.checks import Result
from providers.contract.status import Phase
from providers.kube.clock import deadline_in
from providers.stormservice.provider import provider
from providers.testing.samples import make_request
from tests.cluster.harness.api import namespaced
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.launching import set_quota, target_for
from tests.cluster.looking import EACH_LOOK, Look
from tests.cluster.waiting import wait_for

SECONDS = 90.0
ROLE_SETS = "count/rolesets.orchestration.aibrix.ai"
API = "apis/orchestration.aibrix.ai/v1alpha1"
TWO = {"min_replicas": 2}


def test_a_launch_that_takes_more_of_them_than_are_left_is_refused(
    foreign_plane: ControlPlane, foreign_namespace: str
) -> None:
    target = target_for(foreign_plane, foreign_namespace)
    set_quota(foreign_plane.api, foreign_namespace, **{ROLE_SETS: "1"})

    def refusals(**overrides: int) -> dict[str, str]:
        request = make_request(provider, namespace=foreign_namespace, overrides=overrides)
        checks = provider.preflight(request, target, capacity=None, deadline=deadline_in(60))
        return {one.code: one.message for one in checks if one.result is Result.FAIL}

    assert refusals() == {}
    told = f"2 replicas ask for 2 {ROLE_SETS}, 1 left under quota team"
    assert told in refusals(**TWO)["QuotaExceeded"]


@pytest.mark.parametrize("look", EACH_LOOK)
def test_one_that_was_kept_away_is_told_at_every_look_until_there_is_room(
    foreign_plane: ControlPlane, foreign_namespace: str, look: Look
) -> None:
    api = foreign_plane.api
    target = target_for(foreign_plane, foreign_namespace)
    set_quota(api, foreign_namespace, **{ROLE_SETS: "1"})
    request = make_request(provider, namespace=foreign_namespace, overrides=TWO)
    applied = provider.create(request, target, deadline=deadline_in(60))
    wait_for(lambda: look(request, applied, target).ready_replicas == 1, SECONDS, "one is ready")

    wait_for(
        lambda: look(request, applied, target).reason == "QuotaExceeded", SECONDS, "it is told"
    )
    status = look(request, applied, target)
    assert (status.phase, status.ready_replicas) == (Phase.DEGRADED, 1)
    assert f"quota team is exceeded: {ROLE_SETS} asks for 1, 1 of 1 used" in status.message
    assert len(api.get(namespaced(foreign_namespace, "rolesets", api=API))["items"]) == 1

    path = namespaced(foreign_namespace, "resourcequotas", "team")
    api.merge(path, {"spec": {"hard": {ROLE_SETS: "2"}}})
    wait_for(
        lambda: look(request, applied, target).reason == "Available", SECONDS, "both are there"
    )

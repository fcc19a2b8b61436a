"""The number of a StormService's replicas changes hands without one being dropped.

From no autoscaler to Kubernetes' own or AIBrix's, which writes it by a plain update, and on.
"""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from providers.contract.manifest import Manifest
from providers.contract.protocols import Applied
from providers.contract.request import DeployRequest
from providers.contract.target import ClusterTarget
from providers.kube.apply import MANAGER, SCALE_MANAGER, managers_of
from providers.kube.clock import deadline_in
from providers.stormservice.provider import provider
from providers.testing.samples import make_request, ref_of
from tests.cluster.harness.api import Api
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.launching import target_for
from tests.cluster.looking import by_itself
from tests.cluster.storms import (
    BOUNDS,
    SECONDS,
    SPECS,
    Stored,
    autoscalers,
    create,
    path_of,
    update,
)
from tests.cluster.waiting import wait_for

# The name of the binary of AIBrix's controllers, where it is built as in its image, is another.
AIBRIX = "aibrix-controllers"

FIXED: Mapping[str, object] = {"min_replicas": 3, "max_replicas": 3}
State = tuple[str, Mapping[str, object]]
# Topology and scaling before and after.
HPA: State = ("standard", BOUNDS)
PA: State = ("roles", BOUNDS)
CHANGES: list[tuple[State, State]] = [
    (("roles", FIXED), PA),
    (PA, ("roles", FIXED)),
    (("standard", FIXED), HPA),
    (HPA, ("standard", FIXED)),
    (HPA, PA),
    (PA, HPA),
    (PA, ("standard", FIXED)),
]


def request_of(namespace: str, state: State, id_: str = "") -> DeployRequest:
    topology, overrides = state
    return make_request(
        provider,
        namespace=namespace,
        spec=SPECS[topology],
        overrides=overrides,
        deployment_id=id_,
    )


def scale(api: Api, request: DeployRequest, replicas: int) -> None:
    """Scale as AIBrix's autoscaler does: the object itself, by a plain update."""
    body = {"spec": {"replicas": replicas}}
    api.merge(path_of(request), body, fieldManager=AIBRIX)


def running(
    plane: ControlPlane, namespace: str, state: State, replicas: int
) -> tuple[DeployRequest, Applied, ClusterTarget]:
    target = target_for(plane, namespace)
    request = request_of(namespace, state)
    applied = create(request, target)
    scale(plane.api, request, replicas)
    wait_until_ready(request, applied, target, replicas)
    return request, applied, target


def wait_until_ready(
    request: DeployRequest, applied: Applied, target: ClusterTarget, replicas: int
) -> None:
    def is_ready() -> bool:
        status = by_itself(request, applied, target)
        return status.ready_replicas == status.desired_replicas == replicas

    wait_for(is_ready, SECONDS, f"{replicas} replicas are ready")


def holders(live: Manifest) -> set[str]:
    return set(managers_of(live, "spec", "replicas"))


@pytest.mark.parametrize(("before", "after"), CHANGES)
def test_no_replica_is_dropped_on_the_way(
    foreign_plane: ControlPlane,
    foreign_namespace: str,
    before: State,
    after: State,
) -> None:
    api = foreign_plane.api
    first, applied, target = running(foreign_plane, foreign_namespace, before, 4)
    wanted = replace(request_of(foreign_namespace, after, first.id), revision=2)
    final = 4 if after[1] is BOUNDS else 3

    with Stored(api=api, request=first) as stored:
        changed = update(wanted, applied, target)
        wait_until_ready(wanted, changed, target, final)

    assert None not in stored.numbers
    assert set(stored.numbers) <= {4, final}
    expected = {"roles": "PA", "standard": "HPA"}[after[0]]
    assert autoscalers(api, wanted) == ([expected] if after[1] is BOUNDS else [])


def test_a_number_that_was_taken_back_is_held_by_nobody_else(
    foreign_plane: ControlPlane, foreign_namespace: str
) -> None:
    first, applied, target = running(foreign_plane, foreign_namespace, PA, 4)
    fixed = replace(request_of(foreign_namespace, ("roles", FIXED), first.id), revision=2)
    update(fixed, applied, target)

    held = holders(foreign_plane.api.get(path_of(fixed)))
    assert MANAGER in held
    assert SCALE_MANAGER not in held


def test_another_image_leaves_the_number_to_the_pod_autoscaler(
    foreign_plane: ControlPlane, foreign_namespace: str
) -> None:
    first, applied, target = running(foreign_plane, foreign_namespace, PA, 4)
    again = replace(first, restart="again", revision=2)
    with Stored(api=foreign_plane.api, request=first) as stored:
        changed = update(again, applied, target)
        scale(foreign_plane.api, again, 5)
        wait_until_ready(again, changed, target, 5)
    assert set(stored.numbers) == {4, 5}


def test_its_autoscaler_is_shown_and_none_of_another_kind_is_missed(
    foreign_plane: ControlPlane, foreign_namespace: str
) -> None:
    request, applied, target = running(foreign_plane, foreign_namespace, PA, 4)
    seen = provider.resources(ref_of(request, applied), target, deadline=deadline_in(60))
    scalers = [one for one in seen.objects if one.key.kind.endswith("Autoscaler")]
    assert [(one.key.kind, one.state) for one in scalers] == [("PodAutoscaler", "Acting")]


def test_what_its_autoscaler_wrote_is_no_change_from_outside(
    foreign_plane: ControlPlane, foreign_namespace: str
) -> None:
    request, applied, target = running(foreign_plane, foreign_namespace, PA, 4)
    status = by_itself(request, applied, target)
    assert "ChangedOutside" not in {note.reason for note in status.notes}

"""The roles of a StormService while something else is on its way, and where there is but one."""

from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest

from providers.contract.manifest import Manifest
from providers.contract.protocols import Applied
from providers.contract.request import DeployRequest
from providers.contract.target import ClusterTarget
from providers.stormservice.provider import provider
from providers.testing.samples import make_request, spec_with
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.launching import target_for
from tests.cluster.looking import by_itself
from tests.cluster.storms import (
    SECONDS,
    SGLANG,
    create,
    path_of,
    roles,
    roles_by_pod,
    update,
    wait_until_ready,
)
from tests.cluster.waiting import wait_for

SLOWLY = {**SGLANG, "env": {"SLIPWAY_SIMULATE": "slow-load:3"}}


def request_of(
    namespace: str, numbers: Mapping[str, int], engine: Manifest = SGLANG, id_: str = ""
) -> DeployRequest:
    spec = spec_with(engine=engine, topology=roles(**numbers))
    return make_request(provider, namespace=namespace, spec=spec, deployment_id=id_)


def launched(target: ClusterTarget, numbers: Mapping[str, int]) -> tuple[DeployRequest, Applied]:
    request = request_of(target.default_namespace, numbers)
    applied = create(request, target)
    wait_until_ready(request, applied, target)
    return request, applied


def updated(
    request: DeployRequest, applied: Applied, target: ClusterTarget, revision: int = 2
) -> tuple[DeployRequest, Applied]:
    wanted = replace(request, revision=revision)
    return wanted, update(wanted, applied, target)


def test_a_role_on_its_way_out_leaves_no_pod_though_another_is_scaled_meanwhile(
    foreign_plane: ControlPlane, foreign_namespace: str
) -> None:
    target = target_for(foreign_plane, foreign_namespace)
    first, applied = launched(target, {"prefill": 1, "decode": 1, "routing": 1})
    fewer = request_of(foreign_namespace, {"prefill": 1, "decode": 1}, SLOWLY, first.id)
    _, changed = updated(fewer, applied, target)
    more = request_of(foreign_namespace, {"prefill": 1, "decode": 2}, SLOWLY, first.id)
    last, changed = updated(more, changed, target, revision=3)

    wait_for(
        lambda: (
            sorted(roles_by_pod(foreign_plane.api, foreign_namespace).values())
            == ["decode", "decode", "prefill"]
        ),
        SECONDS,
        "only pods of the roles that are left are there",
    )
    wait_until_ready(last, changed, target)


@pytest.mark.parametrize(("before", "after"), [(1, 3), (3, 1), (2, 3)])
def test_another_number_of_the_only_role_keeps_every_other_pod(
    foreign_plane: ControlPlane, foreign_namespace: str, before: int, after: int
) -> None:
    target = target_for(foreign_plane, foreign_namespace)
    first, applied = launched(target, {"decode": before})
    old = roles_by_pod(foreign_plane.api, foreign_namespace)
    last, changed = updated(
        request_of(foreign_namespace, {"decode": after}, id_=first.id), applied, target
    )
    wait_for(
        lambda: len(roles_by_pod(foreign_plane.api, foreign_namespace)) == after,
        SECONDS,
        f"{after} pods are there",
    )
    wait_until_ready(last, changed, target)
    new = roles_by_pod(foreign_plane.api, foreign_namespace)
    assert len(old.keys() & new.keys()) == min(before, after)


def without_number(_: Manifest) -> Manifest:
    return {"replicas": None}


def without_numbers_of_roles(live: Manifest) -> Manifest:
    template = live["spec"]["template"]
    for role in template["spec"]["roles"]:
        del role["replicas"]
    return {"template": template}


@pytest.mark.parametrize("taking", [without_number, without_numbers_of_roles])
def test_a_role_is_scaled_though_somebody_took_a_number_away(
    foreign_plane: ControlPlane,
    foreign_namespace: str,
    taking: Callable[[Manifest], Manifest],
) -> None:
    api, target = foreign_plane.api, target_for(foreign_plane, foreign_namespace)
    first, applied = launched(target, {"prefill": 1, "decode": 1})
    api.merge(path_of(first), {"spec": taking(api.get(path_of(first)))})
    wait_for(
        lambda: by_itself(first, applied, target).reason == "ReconcileFailed", SECONDS, "it is told"
    )

    more = request_of(foreign_namespace, {"prefill": 1, "decode": 2}, id_=first.id)
    last, changed = updated(more, applied, target)
    wait_until_ready(last, changed, target)
    wait_for(
        lambda: len(roles_by_pod(foreign_plane.api, foreign_namespace)) == 3,
        SECONDS,
        "the pods of before are gone",
    )


def test_a_role_is_scaled_under_a_pause_that_somebody_asked_for_as_soon_as_it_ends(
    foreign_plane: ControlPlane, foreign_namespace: str
) -> None:
    target = target_for(foreign_plane, foreign_namespace)
    first, applied = launched(target, {"prefill": 1, "decode": 1})
    foreign_plane.api.merge(path_of(first), {"spec": {"paused": True}})

    more = request_of(foreign_namespace, {"prefill": 1, "decode": 2}, id_=first.id)
    last, changed = updated(more, applied, target)
    wait_for(
        lambda: by_itself(last, changed, target).reason == "RolloutPaused", SECONDS, "it is told"
    )
    foreign_plane.api.merge(path_of(first), {"spec": {"paused": False}})
    wait_until_ready(last, changed, target)

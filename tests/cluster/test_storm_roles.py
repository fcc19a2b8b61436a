"""The roles of a StormService while something else is on its way, and where there is but one."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from providers.contract.manifest import Manifest
from providers.contract.protocols import Applied
from providers.contract.request import DeployRequest
from providers.contract.target import ClusterTarget
from providers.kube.clock import deadline_in
from providers.stormservice.provider import provider
from providers.testing.samples import make_request, ref_of, spec_with
from tests.cluster.harness.api import namespaced
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.launching import target_for
from tests.cluster.looking import by_itself
from tests.cluster.test_storm_handover import path_of
from tests.cluster.waiting import wait_for

SECONDS = 90.0
SGLANG = {"type": "sglang", "version": "0.5.3", "image": "docker.io/lmsysorg/sglang:v0.5.3"}
SLOWLY = {**SGLANG, "env": {"SLIPWAY_SIMULATE": "slow-load:3"}}


def request_of(
    namespace: str, numbers: Mapping[str, int], engine: Manifest = SGLANG, id_: str = ""
) -> DeployRequest:
    given = [
        {"name": name, "accelerator": {"type": "cpu"}, "replicas": number}
        for name, number in numbers.items()
    ]
    spec = spec_with(engine=engine, topology={"kind": "disaggregated", "roles": given})
    return make_request(provider, namespace=namespace, spec=spec, deployment_id=id_)


def launched(target: ClusterTarget, numbers: Mapping[str, int]) -> tuple[DeployRequest, Applied]:
    request = request_of(target.default_namespace, numbers)
    applied = provider.create(request, target, deadline=deadline_in(60))
    wait_until_ready(request, applied, target)
    return request, applied


def update(
    request: DeployRequest, applied: Applied, target: ClusterTarget, revision: int = 2
) -> tuple[DeployRequest, Applied]:
    wanted = replace(request, revision=revision)
    ref = ref_of(wanted, applied)
    return wanted, provider.update(wanted, ref, target, deadline=deadline_in(60))


def wait_until_ready(request: DeployRequest, applied: Applied, target: ClusterTarget) -> None:
    wait_for(
        lambda: by_itself(request, applied, target).reason == "Available", SECONDS, "it is ready"
    )


def roles_by_pod(plane: ControlPlane, namespace: str) -> dict[str, str]:
    """Return the role of every pod, also of one that is about to go, by its uid."""
    found = plane.api.get(namespaced(namespace, "pods"))["items"]
    return {pod["metadata"]["uid"]: pod["metadata"]["labels"]["role-name"] for pod in found}


def test_a_role_on_its_way_out_leaves_no_pod_though_another_is_scaled_meanwhile(
    foreign_plane: ControlPlane, foreign_namespace: str
) -> None:
    target = target_for(foreign_plane, foreign_namespace)
    first, applied = launched(target, {"prefill": 1, "decode": 1, "routing": 1})
    fewer = request_of(foreign_namespace, {"prefill": 1, "decode": 1}, SLOWLY, first.id)
    _, changed = update(fewer, applied, target)
    more = request_of(foreign_namespace, {"prefill": 1, "decode": 2}, SLOWLY, first.id)
    last, changed = update(more, changed, target, revision=3)

    wait_for(
        lambda: (
            sorted(roles_by_pod(foreign_plane, foreign_namespace).values())
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
    old = roles_by_pod(foreign_plane, foreign_namespace)
    last, changed = update(
        request_of(foreign_namespace, {"decode": after}, id_=first.id), applied, target
    )
    wait_for(
        lambda: len(roles_by_pod(foreign_plane, foreign_namespace)) == after,
        SECONDS,
        f"{after} pods are there",
    )
    wait_until_ready(last, changed, target)
    new = roles_by_pod(foreign_plane, foreign_namespace)
    assert len(old.keys() & new.keys()) == min(before, after)


def test_a_role_is_scaled_though_somebody_took_the_number_of_the_whole_away(
    foreign_plane: ControlPlane, foreign_namespace: str
) -> None:
    target = target_for(foreign_plane, foreign_namespace)
    first, applied = launched(target, {"prefill": 1, "decode": 1})
    foreign_plane.api.merge(path_of(first), {"spec": {"replicas": None}})

    more = request_of(foreign_namespace, {"prefill": 1, "decode": 2}, id_=first.id)
    last, changed = update(more, applied, target)
    wait_until_ready(last, changed, target)
    wait_for(
        lambda: len(roles_by_pod(foreign_plane, foreign_namespace)) == 3,
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
    last, changed = update(more, applied, target)
    wait_for(
        lambda: by_itself(last, changed, target).reason == "RolloutPaused", SECONDS, "it is told"
    )
    foreign_plane.api.merge(path_of(first), {"spec": {"paused": False}})
    wait_until_ready(last, changed, target)

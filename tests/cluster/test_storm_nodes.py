"""Several nodes on a real control plane: their PodSets are seen, and so is what refuses a rank."""

import pytest

from providers.contract.observing import ObjectState
from providers.contract.protocols import Applied
from providers.contract.request import DeployRequest
from providers.contract.target import ClusterTarget
from providers.kube.clock import deadline_in
from providers.stormservice.provider import provider
from providers.testing.samples import make_request, ref_of, spec_with
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.launching import set_quota, target_for
from tests.cluster.looking import EACH_LOOK, Look, by_itself
from tests.cluster.waiting import wait_for

SGLANG = {"type": "sglang", "version": "0.5.3", "image": "docker.io/lmsysorg/sglang:v0.5.3"}
READY_SECONDS = 90.0


def launch(target: ClusterTarget) -> tuple[DeployRequest, Applied]:
    spec = spec_with(engine=SGLANG, topology={"kind": "multi-node", "nodes": 2})
    request = make_request(provider, namespace=target.default_namespace, spec=spec)
    return request, provider.create(request, target, deadline=deadline_in(60))


@pytest.mark.parametrize("look", EACH_LOOK)
def test_a_first_rank_that_is_refused_is_told_at_every_look(
    foreign_plane: ControlPlane, foreign_namespace: str, look: Look
) -> None:
    target = target_for(foreign_plane, foreign_namespace)
    set_quota(foreign_plane.api, foreign_namespace, pods="0")
    request, applied = launch(target)

    def is_told() -> bool:
        return look(request, applied, target).reason == "QuotaExceeded"

    wait_for(is_told, READY_SECONDS, "the refusal is told")


def test_a_rank_that_is_refused_at_first_is_forgiven_once_it_is_there(
    foreign_plane: ControlPlane, foreign_namespace: str
) -> None:
    target = target_for(foreign_plane, foreign_namespace)
    set_quota(foreign_plane.api, foreign_namespace, pods="1")
    request, applied = launch(target)

    def reason() -> str:
        return by_itself(request, applied, target).reason

    wait_for(lambda: reason() == "QuotaExceeded", READY_SECONDS, "the refusal is told")

    path = f"/api/v1/namespaces/{foreign_namespace}/resourcequotas/team"
    foreign_plane.api.merge(path, {"spec": {"hard": {"pods": "2"}}})
    wait_for(lambda: reason() == "Available", READY_SECONDS, "both ranks are ready")


def test_a_pod_set_stands_between_role_set_and_pods(
    foreign_plane: ControlPlane, foreign_namespace: str
) -> None:
    target = target_for(foreign_plane, foreign_namespace)
    request, applied = launch(target)
    ref = ref_of(request, applied)

    def is_whole() -> bool:
        seen = provider.resources(ref, target, deadline=deadline_in(60))
        told = [(one.message, one.current) for one in of_kind(seen.objects, "PodSet")]
        return told == [("2 of 2 pods ready", True)]

    wait_for(is_whole, READY_SECONDS, "the one PodSet says that both ranks are ready")
    seen = provider.resources(ref, target, deadline=deadline_in(60))
    assert seen.unreadable == {}
    [pod_set] = of_kind(seen.objects, "PodSet")
    assert pod_set.below == of_kind(seen.objects, "RoleSet")[0].key
    assert [pod.below for pod in of_kind(seen.objects, "Pod")] == [pod_set.key] * 2


def test_a_deletion_of_several_nodes_says_that_their_pod_set_goes(
    foreign_plane: ControlPlane, foreign_namespace: str
) -> None:
    target = target_for(foreign_plane, foreign_namespace)
    request, applied = launch(target)
    ref = ref_of(request, applied)

    def kinds() -> set[str]:
        going = provider.what_goes(ref, target, deadline=deadline_in(60))
        return {one.object.kind for one in going.objects}

    wait_for(lambda: "PodSet" in kinds(), READY_SECONDS, "the PodSet is told of")


def of_kind(objects: tuple[ObjectState, ...], kind: str) -> list[ObjectState]:
    return [one for one in objects if one.key.kind == kind]

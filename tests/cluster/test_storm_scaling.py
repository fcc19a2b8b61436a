"""Scaling a StormService replaces no pod: neither whole replicas nor the replicas of a role."""

import pytest

from providers.contract.protocols import Applied
from providers.contract.request import DeployRequest
from providers.kube.clock import deadline_in
from providers.stormservice.provider import provider
from providers.testing.samples import make_request, ref_of, rescaled, spec_with
from tests.cluster.harness.api import namespaced
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.launching import target_for
from tests.cluster.waiting import wait_for

READY_SECONDS = 90.0
SGLANG = {"type": "sglang", "version": "0.5.3", "image": "docker.io/lmsysorg/sglang:v0.5.3"}


def request_of(namespace: str, *, decode: int, deployment_id: str = "") -> DeployRequest:
    roles = [
        {"name": "prefill", "accelerator": {"type": "cpu"}},
        {"name": "decode", "accelerator": {"type": "cpu"}, "replicas": decode},
    ]
    spec = spec_with(engine=SGLANG, topology={"kind": "disaggregated", "roles": roles})
    return make_request(provider, namespace=namespace, spec=spec, deployment_id=deployment_id)


def pods_of(plane: ControlPlane, namespace: str) -> dict[str, str]:
    """Return the role of each pod that is not being deleted, by its uid."""
    found = plane.api.get(namespaced(namespace, "pods"))["items"]
    return {
        pod["metadata"]["uid"]: pod["metadata"]["labels"]["role-name"]
        for pod in found
        if "deletionTimestamp" not in pod["metadata"]
    }


@pytest.mark.parametrize(("before", "after"), [(1, 3), (3, 1)])
def test_another_number_of_a_role_keeps_every_other_pod(
    foreign_plane: ControlPlane, foreign_namespace: str, before: int, after: int
) -> None:
    target = target_for(foreign_plane, foreign_namespace)
    first = request_of(foreign_namespace, decode=before)
    applied = provider.create(first, target, deadline=deadline_in(60))
    _wait_until_ready(foreign_plane, first, applied, pods=before + 1)
    old = pods_of(foreign_plane, foreign_namespace)

    second = request_of(foreign_namespace, decode=after, deployment_id=first.id)
    changed = provider.update(second, ref_of(first, applied), target, deadline=deadline_in(60))
    _wait_until_ready(foreign_plane, second, changed, pods=after + 1)

    new = pods_of(foreign_plane, foreign_namespace)
    assert len(old.keys() & new.keys()) == min(before, after) + 1
    live = foreign_plane.api.get(_path(first))
    assert live["spec"]["updateStrategy"]["type"] == "RollingUpdate"


def test_more_replicas_of_the_whole_keep_every_pod(
    foreign_plane: ControlPlane, foreign_namespace: str
) -> None:
    target = target_for(foreign_plane, foreign_namespace)
    first = request_of(foreign_namespace, decode=1)
    applied = provider.create(first, target, deadline=deadline_in(60))
    _wait_until_ready(foreign_plane, first, applied, pods=2)
    old = pods_of(foreign_plane, foreign_namespace)

    second = rescaled(first, min_replicas=2)
    changed = provider.update(second, ref_of(first, applied), target, deadline=deadline_in(60))
    _wait_until_ready(foreign_plane, second, changed, pods=4)

    assert old.items() <= pods_of(foreign_plane, foreign_namespace).items()


def _wait_until_ready(
    plane: ControlPlane, request: DeployRequest, applied: Applied, *, pods: int
) -> None:
    target = target_for(plane, request.namespace)

    def is_ready() -> bool:
        seen = provider.get(ref_of(request, applied), target, deadline=deadline_in(60))
        return seen.status.reason == "Available" and len(pods_of(plane, request.namespace)) == pods

    wait_for(is_ready, READY_SECONDS, f"{pods} pods are ready")


def _path(request: DeployRequest) -> str:
    api = "apis/orchestration.aibrix.ai/v1alpha1"
    return namespaced(request.namespace, "stormservices", request.runtime_name, api=api)

"""A change of what replicas are made up of replaces them whole, as it is said before."""

from dataclasses import replace

import pytest

from providers.contract.changing import Running
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
from tests.cluster.waiting import wait_for

SECONDS = 90.0
SGLANG = {"type": "sglang", "version": "0.5.3", "image": "docker.io/lmsysorg/sglang:v0.5.3"}


def roles(*names: str) -> dict[str, object]:
    given = [{"name": name, "accelerator": {"type": "cpu"}} for name in names]
    return {"kind": "disaggregated", "roles": given}


def request_of(namespace: str, topology: dict[str, object], id_: str = "") -> DeployRequest:
    spec = spec_with(engine=SGLANG, topology=topology)
    return make_request(provider, namespace=namespace, spec=spec, deployment_id=id_)


def roles_by_pod(plane: ControlPlane, namespace: str) -> dict[str, str]:
    """Return the role of every pod, also of one that is about to go, by its uid."""
    found = plane.api.get(namespaced(namespace, "pods"))["items"]
    return {pod["metadata"]["uid"]: pod["metadata"]["labels"]["role-name"] for pod in found}


@pytest.mark.parametrize(
    ("before", "after", "left"),
    [
        (roles("prefill", "decode", "routing"), roles("prefill", "decode"), ["decode", "prefill"]),
        (roles("prefill", "decode"), roles("decode"), ["decode"]),
        (roles("decode"), roles("prefill", "decode"), ["decode", "prefill"]),
        ({"kind": "standard"}, {"kind": "multi-node", "nodes": 2}, ["main", "main"]),
    ],
    ids=["one role less", "one role left", "one role more", "several nodes"],
)
def test_no_pod_of_before_is_left_and_none_of_a_role_that_went(
    foreign_plane: ControlPlane,
    foreign_namespace: str,
    before: dict[str, object],
    after: dict[str, object],
    left: list[str],
) -> None:
    target = target_for(foreign_plane, foreign_namespace)
    first = request_of(foreign_namespace, before)
    applied = provider.create(first, target, deadline=deadline_in(60))
    wait_until_ready(first, applied, target)
    old = roles_by_pod(foreign_plane, foreign_namespace)

    shaped = request_of(foreign_namespace, after, first.id)
    second = replace(shaped, runtime_name=first.runtime_name, revision=2)
    told = provider.effects(first, second, target, capacity=None, running=Running(replicas=1))
    changed = provider.update(second, ref_of(first, applied), target, deadline=deadline_in(60))

    def is_out() -> bool:
        pods = roles_by_pod(foreign_plane, foreign_namespace)
        return not pods.keys() & old.keys() and sorted(pods.values()) == left

    wait_for(is_out, SECONDS, "the pods of before are gone")
    wait_until_ready(second, changed, target)
    assert told.restarts == 1


def wait_until_ready(request: DeployRequest, applied: Applied, target: ClusterTarget) -> None:
    wait_for(
        lambda: by_itself(request, applied, target).reason == "Available", SECONDS, "it is ready"
    )

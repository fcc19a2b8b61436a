"""The rights of deploy/kserve on a real control plane: enough, and none to spare."""

from collections.abc import Callable, Sequence

import pytest

from providers.contract.request import DeployRequest
from providers.contract.target import ClusterTarget
from providers.kserve.provider import provider
from providers.kserve.runtimes import check_runtime
from providers.kube.clock import deadline_in
from providers.testing.samples import make_request, rescaled, spec_with
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.rights import Life, own_id
from tests.cluster.shipped import Right, rights_in

KSERVE = rights_in("kserve")
NEEDED = [right for right in KSERVE if "scale" not in str(right)]
RunWith = Callable[[Sequence[Right]], list[str]]


def request_in(target: ClusterTarget) -> DeployRequest:
    return make_request(
        provider,
        namespace=target.default_namespace,
        overrides={"min_replicas": 2},
        deployment_id=own_id(target),
    )


def changed_in(target: ClusterTarget) -> DeployRequest:
    return rescaled(request_in(target), min_replicas=3)


def check_a_runtime(target: ClusterTarget) -> list[str]:
    spec = spec_with(serving_runtime={"format": "vLLM", "name": "no-such-runtime"})
    request = make_request(provider, namespace=target.default_namespace, spec=spec)
    checks = check_runtime(request, target, deadline=deadline_in(60))
    return [check.message for check in checks if check.code == "RuntimeUnknown"]


LIFE = Life(provider=provider, request=request_in, changed=changed_in, before=(check_a_runtime,))


@pytest.fixture
def told_with(foreign_plane: ControlPlane, foreign_namespace: str) -> RunWith:
    return lambda rights: LIFE.told_with(rights, foreign_plane, foreign_namespace)


def test_with_the_shipped_rights_nothing_is_refused(told_with: RunWith) -> None:
    assert told_with(KSERVE) == []


@pytest.mark.parametrize("right", NEEDED, ids=str)
def test_a_right_that_is_missing_is_told(told_with: RunWith, right: Right) -> None:
    assert told_with([held for held in KSERVE if held != right]) != []


def test_without_the_right_to_scale_a_launch_is_no_failure(told_with: RunWith) -> None:
    assert told_with(NEEDED) == []

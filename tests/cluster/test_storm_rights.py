"""The rights of deploy/aibrix on a real control plane: enough, and none to spare."""

from collections.abc import Callable, Mapping, Sequence

import pytest

from providers.contract.request import DeployRequest
from providers.contract.target import ClusterTarget
from providers.stormservice.provider import provider
from providers.testing.samples import make_request, spec_with
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.rights import Life, own_id
from tests.cluster.shipped import Right, rights_in

AIBRIX = rights_in("aibrix")
SGLANG = {"type": "sglang", "version": "0.5.3", "image": "docker.io/lmsysorg/sglang:v0.5.3"}
SCALED = {"min_replicas": 1, "max_replicas": 2, "enable_auto_scaling": True}
RunWith = Callable[[Sequence[Right]], list[str]]


def asked(target: ClusterTarget, overrides: Mapping[str, object]) -> DeployRequest:
    """Return the one request of a namespace, with an autoscaler of AIBrix where it has a range."""
    roles = [{"name": name, "accelerator": {"type": "cpu"}} for name in ("prefill", "decode")]
    spec = spec_with(
        engine=SGLANG,
        topology={"kind": "disaggregated", "roles": roles},
        scaling_defaults={"metric": {"type": "pods", "name": "queue", "target": 5}},
    )
    return make_request(
        provider,
        namespace=target.default_namespace,
        spec=spec,
        overrides=overrides,
        deployment_id=own_id(target),
    )


LIFE = Life(
    provider=provider,
    request=lambda target: asked(target, SCALED),
    changed=lambda target: asked(target, {}),
)


@pytest.fixture
def told_with(foreign_plane: ControlPlane, foreign_namespace: str) -> RunWith:
    return lambda rights: LIFE.told_with(rights, foreign_plane, foreign_namespace)


def test_with_the_shipped_rights_nothing_is_refused(told_with: RunWith) -> None:
    assert told_with(AIBRIX) == []


@pytest.mark.parametrize("right", AIBRIX, ids=str)
def test_a_right_that_is_missing_is_told(told_with: RunWith, right: Right) -> None:
    assert told_with([held for held in AIBRIX if held != right]) != []

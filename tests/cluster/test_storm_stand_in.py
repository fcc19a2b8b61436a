"""The stand-in for AIBrix's controllers leaves what the real ones were recorded to leave."""

import pytest

from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.recorded import asked, collection, essence, recorded, seen
from tests.cluster.waiting import wait_until_equal

WAIT_SECONDS = 20.0
STORM = "orchestration.aibrix.ai/v1alpha1"
KINDS = (
    {"apiVersion": STORM, "kind": "StormService"},
    {"apiVersion": STORM, "kind": "RoleSet"},
    {"apiVersion": STORM, "kind": "PodSet"},
    {"apiVersion": "v1", "kind": "Pod"},
)
FIRST_STATES = (
    "standard-ready",
    "disaggregated-ready",
    "multi-node-ready",
    "image-not-found",
    "insufficient-accelerator",
    "crash-loop",
    "disaggregated-decode-out-of-memory",
    "quota-exceeded",
    "multi-node-quota-exceeded",
    "name-too-long",
    "replicas-absent",
    "service-name-taken",
)


@pytest.mark.parametrize("case", FIRST_STATES)
def test_it_leaves_what_was_recorded(
    foreign_plane: ControlPlane, foreign_namespace: str, case: str
) -> None:
    told = recorded("stormservice", case)
    kinds = {kind["kind"] for kind in KINDS}
    for body in asked(told, foreign_namespace):
        foreign_plane.api.create(collection(body), body)

    wait_until_equal(
        lambda: essence(seen(foreign_plane.api, foreign_namespace, KINDS)),
        essence([one for one in told if one["kind"] in kinds]),
        WAIT_SECONDS,
    )

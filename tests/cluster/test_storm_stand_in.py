"""The stand-in for AIBrix's controllers leaves what the real ones were recorded to leave."""

import pytest

from providers.contract.manifest import Manifest
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.recorded import accelerator_quota, asked, collection, essence, recorded, seen
from tests.cluster.waiting import read_until

WAIT_SECONDS = 20.0
STORM = "orchestration.aibrix.ai/v1alpha1"
KINDS: tuple[Manifest, ...] = (
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
    "name-too-long",
    "replicas-absent",
    "service-name-taken",
)


def launch(plane: ControlPlane, namespace: str, case: str) -> None:
    for body in asked(recorded("stormservice", case), namespace):
        plane.api.create(collection(body), body)


def wanted(case: str) -> list[str]:
    kinds = {kind["kind"] for kind in KINDS}
    return essence([one for one in recorded("stormservice", case) if one["kind"] in kinds])


def settled(plane: ControlPlane, namespace: str, case: str) -> list[str]:
    return read_until(
        lambda: essence(seen(plane.api, namespace, KINDS)), wanted(case), WAIT_SECONDS
    )


@pytest.mark.parametrize("case", FIRST_STATES)
def test_it_leaves_what_was_recorded(
    foreign_plane: ControlPlane, foreign_namespace: str, case: str
) -> None:
    launch(foreign_plane, foreign_namespace, case)
    assert settled(foreign_plane, foreign_namespace, case) == wanted(case)


def test_a_refused_pod_of_several_is_told_by_their_pod_set_alone(
    foreign_plane: ControlPlane, foreign_namespace: str
) -> None:
    case, quota = "multi-node-quota-exceeded", accelerator_quota(foreign_namespace)
    foreign_plane.api.create(collection(quota), quota)
    launch(foreign_plane, foreign_namespace, case)
    assert settled(foreign_plane, foreign_namespace, case) == wanted(case)

    told = essence(
        seen(foreign_plane.api, foreign_namespace, [{"apiVersion": "v1", "kind": "Event"}])
    )
    events = [one for one in recorded("stormservice", case) if one["kind"] == "Event"]
    assert set(essence(events)) <= set(told)

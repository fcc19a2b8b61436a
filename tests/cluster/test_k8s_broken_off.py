"""A change that is broken off after any of its writes is finished, or taken back, by the next call.

A door before the real API server loses the answer to one write and every word after it, as a
process that ends there would leave things.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from providers.contract.errors import Unavailable
from providers.contract.request import DeployRequest
from providers.contract.target import ClusterTarget, Connection
from providers.kube.clock import deadline_in
from providers.kubernetes.provider import provider
from providers.sandbox.faults import Fault
from providers.sandbox.kubeconfig import write_kubeconfig
from providers.sandbox.messages import Response, answer
from tests.cluster.census import Census, place_of
from tests.cluster.harness.api import Api
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.launching import SECONDS, Launch, eventually, launch_in
from tests.cluster.transitions import AUTOSCALED, FIXED, scale_outside
from tests.faults.door import Door, opened

pytestmark = pytest.mark.usefixtures("cluster_nodes")

WRITES = frozenset({"PATCH", "POST", "PUT", "DELETE"})
MOST_WRITES = 8
LEAST_BREAKS = 2


class CutDoor(Door):
    """Loses the answer to the write of that number, and all that comes after it."""

    def __init__(self, api: Api) -> None:
        super().__init__(api)
        self.left: int | None = None

    def handle(
        self, method: str, target: str, headers: Mapping[str, str], body: bytes = b""
    ) -> Response:
        if self.left == 0:
            return Fault(drop=True).befall(answer({}))
        response = super().handle(method, target, headers, body)
        if self.left is None or method not in WRITES or "dryRun" in target:
            return response
        self.left -= 1
        return Fault(drop=True).befall(response) if self.left == 0 else response


@dataclass(frozen=True, kw_only=True)
class Way:
    """A change that takes several writes; `scaled` is what an autoscaler has made of the start."""

    name: str
    start: Mapping[str, object]
    end: Mapping[str, object]
    scaled: int
    floor: int
    ends_at: int


WAYS = (
    Way(
        name="fixed to autoscaled",
        start={"min_replicas": 3},
        end=AUTOSCALED,
        scaled=3,
        floor=3,
        ends_at=3,
    ),
    Way(
        name="autoscaled to fixed",
        start=AUTOSCALED,
        end={**FIXED, "min_replicas": 3},
        scaled=4,
        floor=3,
        ends_at=3,
    ),
    Way(
        name="stop",
        start=AUTOSCALED,
        end={**FIXED, "min_replicas": 0},
        scaled=4,
        floor=0,
        ends_at=0,
    ),
    Way(
        name="start",
        start={"min_replicas": 0},
        end=AUTOSCALED,
        scaled=0,
        floor=0,
        ends_at=2,
    ),
)


@pytest.fixture
def door(control_plane: ControlPlane) -> CutDoor:
    return CutDoor(control_plane.api)


@pytest.fixture
def through_the_door(door: CutDoor, tmp_path: Path, namespace: str) -> Iterator[Connection]:
    with opened(door) as url:
        path = write_kubeconfig(tmp_path / "kubeconfig", url=url, namespace=namespace)
        yield Connection(kubeconfig=str(path))


def begun(plane: ControlPlane, namespace: str, way: Way) -> Launch:
    launch = launch_in(plane, namespace, overrides=way.start)
    launch.create()
    least = launch.request.scaling.min_replicas
    if least:
        launch.wait_until_ready(least)
    if way.scaled != least:
        scale_outside(place_of(launch), way.scaled)
        launch.wait_until_ready(way.scaled)
    return launch


def is_broken_off(launch: Launch, after: DeployRequest, target: ClusterTarget) -> bool:
    """Tell whether the change ended before its end."""
    try:
        provider.update(after, launch.ref, target, deadline=deadline_in(SECONDS))
    except Unavailable:
        return True
    return False


def settled(launch: Launch, replicas: int) -> dict[str, Any]:
    """Wait for the end, and return who holds what."""
    if replicas:
        launch.wait_until_ready(replicas)
    else:
        eventually("stopped", lambda: launch.get().status.reason == "ScaledToZero")
    deployment = launch.api.get(launch.deployment_path)
    holders = {
        entry["manager"]
        for entry in deployment["metadata"]["managedFields"]
        if "f:replicas" in entry.get("fieldsV1", {}).get("f:spec", {})
    }
    return {
        "replicas": deployment["spec"]["replicas"],
        "autoscaler": launch.api.find(launch.autoscaler_path) is not None,
        "held by slipway": "slipway" in holders,
    }


@dataclass(frozen=True, kw_only=True)
class Broken:
    """A change after so many of its writes; `launch` is still at what was there before."""

    launch: Launch
    after: DeployRequest
    writes: int


@dataclass(frozen=True, kw_only=True)
class Stage:
    """Where changes are broken off."""

    plane: ControlPlane
    namespace: str
    door: CutDoor
    connection: Connection

    def each_break(self, way: Way) -> Iterator[Broken]:
        """Break the change off after its first write, its second one and so on, each time anew.

        Counts until the caller goes on, and holds the numbers against the floor then.
        """
        for writes in range(1, MOST_WRITES):
            self.door.left = None
            launch = begun(self.plane, self.namespace, way)
            broken = Broken(launch=launch, after=launch.rescaled(**way.end), writes=writes)
            self.door.left = writes
            target = replace(launch.target, connection=self.connection)
            with Census(place=place_of(launch)) as census:
                is_whole = not is_broken_off(launch, broken.after, target)
                yield broken
                census.linger(5)
            assert census.fewest_wanted >= way.floor, f"after write {writes}"
            assert census.fewest_ready >= way.floor, f"after write {writes}"
            if is_whole:
                return
        pytest.fail(f"{way.name} is not done after {MOST_WRITES} writes")


@pytest.fixture
def stage(
    control_plane: ControlPlane, namespace: str, door: CutDoor, through_the_door: Connection
) -> Stage:
    return Stage(plane=control_plane, namespace=namespace, door=door, connection=through_the_door)


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.name)
def test_the_next_call_finishes_what_was_broken_off_after_any_write(stage: Stage, way: Way) -> None:
    autoscaled = bool(way.end.get("enable_auto_scaling"))
    tried = 0
    for broken in stage.each_break(way):
        broken.launch.update(broken.after)
        assert settled(broken.launch, way.ends_at) == {
            "replicas": way.ends_at,
            "autoscaler": autoscaled,
            "held by slipway": not autoscaled,
        }, f"after write {broken.writes}"
        tried = broken.writes
    assert tried > LEAST_BREAKS


@pytest.mark.parametrize("way", WAYS[:2], ids=lambda way: way.name)
def test_what_was_broken_off_is_taken_back_without_a_drop(stage: Stage, way: Way) -> None:
    autoscaled = bool(way.start.get("enable_auto_scaling"))
    tried = 0
    for broken in stage.each_break(way):
        broken.launch.update(broken.launch.request)
        now = broken.launch.api.get(broken.launch.deployment_path)["spec"]["replicas"]
        assert settled(broken.launch, now) == {
            "replicas": now,
            "autoscaler": autoscaled,
            "held by slipway": not autoscaled,
        }, f"after write {broken.writes}"
        tried = broken.writes
    assert tried > LEAST_BREAKS

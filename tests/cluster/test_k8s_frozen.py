"""An API server that is frozen, killed or restarted: bounded, told, and taken up again."""

import time
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
import urllib3

from providers.contract.errors import Unavailable
from providers.contract.target import ClusterTarget, Connection
from providers.kube.clock import deadline_in
from providers.kube.door import door
from providers.kubernetes.provider import provider
from tests.cluster.cast import engine, launch_pod, pod_spec
from tests.cluster.controlplane.build import Binaries
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.kubelet.nodes import NodeSpec
from tests.cluster.launching import SECONDS, Launch, eventually, launch_in
from tests.cluster.looks import condition_of, pod_of
from tests.cluster.namespaces import new_namespace

DEADLINE = 2.0


@pytest.fixture(scope="module")
def own_plane(binaries: Binaries) -> Iterator[ControlPlane]:
    """A control plane of one node that nobody else is using while its API server is frozen.

    Nor afterwards: of those who watch an API server that was away, each comes back in its time.
    """
    with ControlPlane(binaries) as plane:
        plane.kubelet.add_node(NodeSpec(name="cpu-1"))
        yield plane


def verbs(launch: Launch) -> dict[str, Callable[[float], object]]:
    target = launch.target
    return {
        "preflight": lambda seconds: provider.preflight(
            launch.request, target, capacity=None, deadline=deadline_in(seconds)
        ),
        "create": lambda seconds: provider.create(
            launch.request, target, deadline=deadline_in(seconds)
        ),
        "get": lambda seconds: provider.get(launch.ref, target, deadline=deadline_in(seconds)),
        "update": lambda seconds: provider.update(
            launch.request, launch.ref, target, deadline=deadline_in(seconds)
        ),
        "delete": lambda seconds: provider.delete(
            launch.ref, target, deadline=deadline_in(seconds)
        ),
        "probe": lambda seconds: door.probe(target, deadline=deadline_in(seconds)),
        "read_shared": lambda seconds: door.read_shared(
            target, with_events_of=("default",), deadline=deadline_in(seconds)
        ),
        "read_capacity": lambda seconds: door.read_capacity(target, deadline=deadline_in(seconds)),
    }


NAMES = (
    "preflight",
    "create",
    "get",
    "update",
    "delete",
    "probe",
    "read_shared",
    "read_capacity",
)


def fresh(launch: Launch, key: str) -> ClusterTarget:
    """Return a target whose client has no connection yet, so that the handshake hangs."""
    return replace(launch.target, key=key)


@pytest.mark.parametrize("verb", NAMES)
@pytest.mark.parametrize("connected", [True, False])
def test_a_frozen_api_server_costs_no_verb_more_than_its_deadline(
    own_plane: ControlPlane, verb: str, *, connected: bool
) -> None:
    launch = launch_in(own_plane, "default")
    launch.target = fresh(launch, f"frozen-{verb}-{connected}")
    if connected:
        provider.get(launch.ref, launch.target, deadline=deadline_in(SECONDS))
    own_plane.freeze_api_server()
    started = time.monotonic()
    try:
        with pytest.raises(Unavailable) as caught:
            verbs(launch)[verb](DEADLINE)
        took = time.monotonic() - started
    finally:
        own_plane.resume_api_server()

    assert took < 2 * DEADLINE  # as who waits for one call after another would not
    assert caught.value.code == "ClusterUnreachable"
    assert own_plane.url.removeprefix("https://") in caught.value.message


def test_what_was_frozen_half_way_is_finished_by_the_next_call(own_plane: ControlPlane) -> None:
    launch = launch_in(own_plane, "default")
    own_plane.freeze_api_server()
    try:
        with pytest.raises(Unavailable):
            verbs(launch)["create"](0.5)
    finally:
        own_plane.resume_api_server()

    launch.create()

    assert own_plane.api.find(launch.deployment_path)
    verbs(launch)["delete"](SECONDS)


def test_a_restarted_api_server_is_taken_up_again(own_plane: ControlPlane) -> None:
    launch = launch_in(own_plane, "default")
    launch.create()
    own_plane.kill_api_server()
    with pytest.raises(Unavailable, match="connection refused"):
        verbs(launch)["get"](SECONDS)

    own_plane.start_api_server()

    eventually("it answers again", lambda: answers(launch))
    verbs(launch)["delete"](SECONDS)


def answers(launch: Launch) -> bool:
    try:
        return bool(verbs(launch)["get"](SECONDS))
    except Unavailable:
        return False


def test_a_kubeconfig_that_is_written_anew_is_taken_up(own_plane: ControlPlane) -> None:
    path = own_plane.layout.folder / "kubeconfigs" / "rewritten.kubeconfig"
    path.write_text(own_plane.kubeconfig.read_text().replace(own_plane.url, "https://127.0.0.1:1"))
    launch = launch_in(own_plane, "default", connection=Connection(kubeconfig=str(path)))
    launch.target = fresh(launch, "rewritten")
    with pytest.raises(Unavailable):
        verbs(launch)["get"](SECONDS)

    path.write_text(own_plane.kubeconfig.read_text())

    assert verbs(launch)["get"](SECONDS)


def test_a_frozen_api_server_is_silent_until_it_is_resumed(own_plane: ControlPlane) -> None:
    own_plane.freeze_api_server()
    try:
        with pytest.raises(urllib3.exceptions.TimeoutError):
            version(own_plane, seconds=1)
    finally:
        own_plane.resume_api_server()

    assert version(own_plane, seconds=SECONDS) == 200


def test_a_killed_api_server_refuses_and_can_be_started_again(own_plane: ControlPlane) -> None:
    api, name = own_plane.api, new_namespace(own_plane.api, "killed")
    own_plane.kill_api_server()
    try:
        with pytest.raises(urllib3.exceptions.NewConnectionError):
            version(own_plane, seconds=SECONDS)
    finally:
        own_plane.start_api_server()

    launch_pod(api, name, pod_spec(engine()))
    eventually(
        "a pod is tended again",
        lambda: condition_of(pod_of(api, name), "Ready").get("status") == "True",
    )


def version(plane: ControlPlane, *, seconds: float) -> int:
    with urllib3.PoolManager(ca_certs=str(plane.ca), retries=False, timeout=seconds) as pool:
        return pool.request("GET", f"{plane.url}/version", headers=plane.api.headers).status

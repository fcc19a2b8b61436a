"""What an account must be allowed to be told of changes, and that it is told where it may look."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from providers.contract.errors import Rejected
from providers.contract.protocols import Observation
from providers.contract.status import Phase
from providers.contract.target import Connection
from providers.contract.watching import Watching
from providers.kube.clock import deadline_in
from providers.kubernetes.provider import provider
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.launching import SECONDS, Launch, launch_in
from tests.cluster.shipped import Right, account_with, remove_account, rights_in
from tests.cluster.waiting import wait_for

pytestmark = pytest.mark.usefixtures("cluster_nodes")

LISTS = rights_in("cluster-wide")
WATCHES = rights_in("watching")
WatchWith = Callable[..., Watching]


@pytest.fixture
def launch(control_plane: ControlPlane, namespace: str) -> Launch:
    return launch_in(control_plane, namespace)


@pytest.fixture
def watch_with(control_plane: ControlPlane, namespace: str, launch: Launch) -> Iterator[WatchWith]:
    """Return what begins to follow by an account with these rights alone."""
    begun: list[Watching] = []

    def begin(everywhere: Sequence[Right], *, inside: Sequence[Right] = ()) -> Watching:
        kubeconfig = account_with(control_plane, namespace, everywhere, inside=inside)
        target = replace(launch.target, key=str(kubeconfig), connection=_by(kubeconfig))
        begun.append(provider.watch(target, namespaces=(), deadline=deadline_in(SECONDS)))
        return begun[-1]

    yield begin
    for watching in begun:
        watching.close()
    remove_account(control_plane, namespace)


def _by(kubeconfig: Path) -> Connection:
    return Connection(kubeconfig=str(kubeconfig))


def seen_by(watching: Watching, launch: Launch) -> Observation:
    """Return how the deployment stands when it has become ready, as far as it was told of."""
    seen: list[Observation] = []

    def ready() -> bool:
        if launch.request.id in watching.changed(1.0):
            seen.append(
                watching.observe([launch.ref], deadline=deadline_in(SECONDS))[launch.request.id]
            )
        return bool(seen) and seen[-1].status.phase is Phase.READY

    wait_for(ready, 90.0, "told that it is ready")
    return seen[-1]


def test_with_the_shipped_rights_everything_is_told(watch_with: WatchWith, launch: Launch) -> None:
    watching = watch_with([*LISTS, *WATCHES])
    launch.create()

    seen = seen_by(watching, launch)

    assert seen.status.notes == ()
    assert seen.workload_uid == launch.ref.workload_uid


def test_in_one_namespace_what_is_there_is_told(watch_with: WatchWith, launch: Launch) -> None:
    inside = [right for right in WATCHES if right.resource not in {"nodes", "namespaces"}]
    watching = watch_with([], inside=[*rights_in("tenant"), *inside])
    launch.create()

    seen = seen_by(watching, launch)

    assert (seen.status.phase, seen.status.ready_replicas) == (Phase.READY, 1)
    elsewhere = replace(launch.ref, namespace="elsewhere")
    assert watching.observe([elsewhere], deadline=deadline_in(SECONDS)) == {}


@pytest.mark.parametrize("right", WATCHES, ids=lambda right: right.resource)
def test_a_watch_that_is_not_allowed_is_named(watch_with: WatchWith, right: Right) -> None:
    held = [other for other in WATCHES if other != right]
    with pytest.raises(Rejected, match=f'cannot watch resource "{right.resource}"'):
        _follow_for_long(watch_with([*LISTS, *held]))


def _follow_for_long(watching: Watching) -> None:
    wait_for(lambda: watching.changed(0.5) and None, 90.0, "told that it cannot go on")

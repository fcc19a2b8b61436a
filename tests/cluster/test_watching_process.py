"""The watcher as it is run: a process of its own, ended by signals and begun again."""

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

import pytest

from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.waiting import wait_for

pytestmark = pytest.mark.usefixtures("cluster_nodes")

ROOT = Path(__file__).parents[2]
START_SECONDS = 120.0
# What the command promises is two; a busy machine is given more.
STOP_SECONDS = 15.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Home:
    """A console's database and environment, of which only the watcher runs."""

    database: Path
    environment: Mapping[str, str]

    def manage(self, *arguments: str) -> "subprocess.Popen[bytes]":
        command = [sys.executable, "manage.py", *arguments]
        return subprocess.Popen(command, cwd=ROOT, env={**os.environ, **self.environment})

    def owner(self) -> str:
        """Return who holds the lease of the one watch, empty for nobody."""
        with closing(sqlite3.connect(self.database, timeout=20)) as connection:
            row = connection.execute("SELECT lease_owner FROM deployments_watch").fetchone()
        return row[0] if row else ""

    def beats(self) -> int:
        """Return how many parts of the background work are noted as acting."""
        with closing(sqlite3.connect(self.database, timeout=20)) as connection:
            [count] = connection.execute("SELECT count(*) FROM deployments_heartbeat").fetchone()
        return int(count)


Watcher = Callable[[], "subprocess.Popen[bytes]"]


@pytest.fixture(scope="module")
def home(control_plane: ControlPlane, tmp_path_factory: pytest.TempPathFactory) -> Home:
    folder = tmp_path_factory.mktemp("watcher")
    database = folder / "slipway.sqlite3"
    found = Home(
        database=database,
        environment={
            "DATABASE_URL": f"sqlite:///{database}",
            "SLIPWAY_VAR": str(folder / "var"),
            "K8S_KUBECONFIG": str(control_plane.kubeconfig),
            "K8S_NAMESPACE": "default",
            "SLIPWAY_PROVIDERS": "providers.kubernetes",
        },
    )
    assert found.manage("migrate", "--verbosity", "0").wait(timeout=300) == 0
    return found


@pytest.fixture
def watcher(home: Home) -> Iterator[Watcher]:
    begun: list[subprocess.Popen[bytes]] = []

    def begin() -> "subprocess.Popen[bytes]":
        begun.append(home.manage("watch_clusters"))
        return begun[-1]

    yield begin
    for process in begun:
        process.kill()
        process.wait()


def test_a_watcher_that_is_told_to_end_lets_go_of_its_lease_and_is_not_late_later(
    home: Home, watcher: Watcher
) -> None:
    process = watcher()
    wait_for(home.owner, START_SECONDS, "the cluster is followed")
    assert home.beats() == 1

    process.send_signal(signal.SIGTERM)
    began = monotonic()

    assert process.wait(timeout=60) == 0
    assert monotonic() - began < STOP_SECONDS
    assert (home.owner(), home.beats()) == ("", 0)


def test_after_a_watcher_was_killed_the_next_one_follows(home: Home, watcher: Watcher) -> None:
    process = watcher()
    dead = wait_for(home.owner, START_SECONDS, "the cluster is followed")
    process.kill()
    process.wait()
    assert home.owner() == dead

    watcher()

    wait_for(lambda: home.owner() not in {"", dead}, START_SECONDS, "followed by another one")


def test_of_two_watchers_one_waits_and_goes_on_when_the_first_one_ends(
    home: Home, watcher: Watcher
) -> None:
    first = watcher()
    held = wait_for(home.owner, START_SECONDS, "the cluster is followed")
    second = watcher()
    assert second.poll() is None

    first.terminate()
    first.wait(timeout=60)

    wait_for(lambda: home.owner() not in {"", held}, START_SECONDS, "the second one follows")
    assert second.poll() is None

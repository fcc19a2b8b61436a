"""The image as the Dockerfile builds it, run as compose file and manifests run it."""

import json
import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from tests.cluster.waiting import wait_for
from tests.shipping.containers import Podman

ASKING = """
import sys, urllib.request
with urllib.request.urlopen("http://127.0.0.1:8000" + sys.argv[1], timeout=60) as answer:
    print(answer.read().decode())
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class Console:
    """The names of its running containers, by role, and of the volume that they share."""

    podman: Podman
    names: Mapping[str, str]
    volume: str


@pytest.fixture(scope="module")
def console(podman: Podman) -> Console:
    volume = podman.volume()
    migrated = podman.run("migrate", volume=volume)
    assert migrated.returncode == 0, migrated.stderr
    roles = ("web", "worker", "beat")
    names = {role: podman.start(role, volume=volume) for role in roles}
    found = Console(podman=podman, names=names, volume=volume)
    for role, name in names.items():
        wait_for(lambda name=name: is_alive(podman, name), 120.0, f"{role} is alive")  # type: ignore[misc]
    return found


def is_alive(podman: Podman, name: str) -> bool:
    return podman.inside(name, "slipway", "alive").returncode == 0


def ask(console: Console, path: str) -> "subprocess.CompletedProcess[str]":
    return console.podman.inside(console.names["web"], "python", "-c", ASKING, path)


def get(console: Console, path: str) -> str:
    """Return what the console answers with 200."""
    asked = ask(console, path)
    assert asked.returncode == 0, asked.stderr
    return asked.stdout


def evaluated(podman: Podman, expression: str) -> str:
    """Return an expression's value in the image's Python, as JSON."""
    code = f"import json; print(json.dumps({expression}))"
    done = podman.run(
        "manage", "shell", "--no-imports", "--command", code, env={"SLIPWAY_SECRET_KEY": "k" * 50}
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()[-1]


def described(podman: Podman) -> dict[str, Any]:
    done = subprocess.run(
        ["podman", "image", "inspect", podman.image],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    found: dict[str, Any] = json.loads(done.stdout)[0]
    return found


def test_it_names_a_user_by_number_and_asks_after_its_health(podman: Podman) -> None:
    found = described(podman)
    assert found["Config"]["User"] == "10001:10001"
    assert found["Config"]["Entrypoint"] == ["slipway"]
    assert found["Healthcheck"]["Test"] == ["CMD", "slipway", "alive"]


def test_it_holds_what_runs_and_nothing_else(podman: Podman) -> None:
    found = set(json.loads(evaluated(podman, "sorted(__import__('os').listdir('/opt/slipway'))")))
    assert {"manage.py", "console", "providers", "templates_app", "static"} <= found
    assert not found & {"tests", "bench", "docs", ".git", ".venv", "var", "secrets", "deploy"}


@pytest.mark.parametrize("module", ["pip", "setuptools"])
def test_nothing_can_be_installed_into_it(podman: Podman, module: str) -> None:
    found = f"__import__('importlib.util').util.find_spec({module!r}) is not None"
    assert json.loads(evaluated(podman, found)) is False


def test_pages_answer_with_their_styles_and_every_part_is_well(console: Console) -> None:
    page = get(console, "/sign-in")
    (style, *_) = re.findall(r'href="(/static/[^"]+\.css)"', page)
    assert "{" in get(console, style)

    def all_well() -> bool:
        asked = ask(console, "/api/v1/health/ready")
        return asked.returncode == 0 and bool(json.loads(asked.stdout)["status"] == "ok")

    wait_for(all_well, 120.0, "every part is well")


def test_each_process_runs_without_root_and_without_capabilities(console: Console) -> None:
    for name in console.names.values():
        status = console.podman.inside(name, "cat", "/proc/1/status").stdout
        lines = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
        assert lines["Uid"].split() == ["10001"] * 4
        assert int(lines["CapEff"], 16) == int(lines["CapBnd"], 16) == 0
        assert lines["NoNewPrivs"] == "1"
        assert console.podman.inside(name, "touch", "/opt/slipway/x").returncode != 0


def test_the_first_administrator_is_told_a_password_once(console: Console) -> None:
    first = console.podman.run("manage", "ensure_admin", volume=console.volume)
    again = console.podman.run("manage", "ensure_admin", volume=console.volume)
    assert "Sign in as admin with the password" in first.stdout
    assert (again.returncode, again.stdout) == (0, "")


def test_waiting_ends_where_the_database_is_migrated(console: Console) -> None:
    assert console.podman.run("wait", volume=console.volume).returncode == 0


def test_waiting_for_a_database_that_nobody_migrates_ends_when_told_to(podman: Podman) -> None:
    name = podman.start("wait", volume=podman.volume())
    wait_for(lambda: "waiting until" in podman.words_of(name), 120.0, "it waits")
    assert podman.stop(name, seconds=120) == 143


@pytest.mark.parametrize("role", ["worker", "beat"])
def test_a_process_that_has_stopped_turning_is_not_alive(console: Console, role: str) -> None:
    name = console.names[role]
    past = f"touch -d '10 minutes ago' /var/lib/slipway/{role}.alive && slipway alive"
    with console.podman.frozen(name):
        assert console.podman.inside(name, "sh", "-c", past).returncode != 0


def test_a_wrong_start_is_told_in_one_sentence(podman: Podman) -> None:
    unknown = podman.run("serve")
    assert (unknown.returncode, unknown.stdout) == (2, "")
    assert "there is no 'serve'; use web, worker" in unknown.stderr
    without = podman.run("web")
    assert without.returncode != 0
    assert "set SLIPWAY_SECRET_KEY or SLIPWAY_SECRET_KEY_FILE" in without.stderr
    assert "Traceback" not in without.stderr


def test_told_to_stop_each_process_ends_by_itself(console: Console) -> None:
    codes = {role: console.podman.stop(name, seconds=120) for role, name in console.names.items()}
    assert codes == {"web": 0, "worker": 0, "beat": 0}
    assert "Traceback" not in console.podman.words_of(console.names["web"])

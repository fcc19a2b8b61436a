"""What shipping needs: the compose file as Docker Compose reads it, and an image really built."""

import json
import os
import subprocess
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NoReturn

import pytest

from tests.shipping.building import Cannot, build_image, find_tools
from tests.shipping.containers import Podman

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
ReadCompose = Callable[..., Mapping[str, Any]]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.shipping)


@pytest.fixture(scope="session")
def compose_reader(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the program that reads a compose file; it is built once."""
    program = tmp_path_factory.mktemp("compose") / "read"
    try:
        done = subprocess.run(
            ["go", "build", "-o", str(program), "."],
            cwd=HERE / "compose",
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )
    except FileNotFoundError:
        _do_without("reading the compose file needs Go 1.26")
    assert done.returncode == 0, done.stderr
    return program


@pytest.fixture(scope="session")
def read_compose(compose_reader: Path) -> ReadCompose:
    """Return a function that gives the resolved file, as it stands with these variables."""

    def read(**environment: str) -> Mapping[str, Any]:
        given = [f"{name}={value}" for name, value in environment.items()]
        done = subprocess.run(
            [str(compose_reader), str(ROOT / "docker-compose.yml"), *given],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, "")
        project: Mapping[str, Any] = json.loads(done.stdout)
        return project

    return read


@pytest.fixture(scope="session")
def podman() -> Iterator[Podman]:
    """Return a Podman with the image built by the Dockerfile; what it starts is removed."""
    try:
        find_tools()
    except Cannot as reason:
        _do_without(str(reason))
    with Podman(image=build_image(ROOT)) as running:
        yield running


def _do_without(reason: str) -> NoReturn:
    if os.environ.get("CI") == "true":
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)

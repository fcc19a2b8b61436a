"""What compose file and manifests set, the image understands: its own checks find no fault."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from providers.contract.yaml_text import load_all
from tests.shipping.conftest import ROOT, ReadCompose
from tests.shipping.containers import Podman

BASE = ROOT / "deploy" / "base"
KEY = "".join(chr(ord("!") + n) for n in range(64))
SECRETS = {
    "secret-key": KEY,
    "database-url": "postgres://slipway@db.example:5432/slipway",
    "redis-url": "redis://redis.example:6379/0",
    "secret_key": KEY,
    "metrics_token": "m" * 50,
    "postgres_password": "p" * 50,
    "redis_password": "r" * 50,
}
WELL = "System check identified no issues"


@pytest.fixture
def secrets(tmp_path: Path) -> Path:
    folder = tmp_path / "secrets"
    folder.mkdir(mode=0o755)
    for name, text in SECRETS.items():
        (folder / name).write_text(text)
    return folder


def checked(podman: Podman, environment: Mapping[str, str], mounts: Mapping[str, Path]) -> str:
    strict = ("manage", "check", "--deploy", "--fail-level", "WARNING")
    done = podman.run(*strict, volume=podman.volume(), env=environment, mounts=mounts)
    return done.stdout + done.stderr


@pytest.mark.parametrize("service", ["web", "worker", "beat", "migrate"])
def test_what_the_compose_file_sets_behind_a_proxy_is_without_fault(
    podman: Podman, read_compose: ReadCompose, secrets: Path, service: str
) -> None:
    project = read_compose(SLIPWAY_HTTPS="1", SLIPWAY_TRUST_PROXY="1", SLIPWAY_HOSTS="a.example")
    environment = project["services"][service]["environment"]
    assert WELL in checked(podman, environment, {"/run/secrets": secrets})


@pytest.mark.parametrize("component", ["web", "worker", "beat"])
def test_what_the_manifests_set_is_without_fault(
    podman: Podman, secrets: Path, component: str
) -> None:
    environment = environment_of(component)
    assert environment["DATABASE_URL_FILE"] == "/etc/slipway/secrets/database-url"
    assert WELL in checked(podman, environment, {"/etc/slipway/secrets": secrets})


def environment_of(component: str) -> dict[str, str]:
    """Return the variables of a container as a kubelet would give them."""
    lines = (BASE / "settings.env").read_text().splitlines()
    settings = dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))
    documents: tuple[Any, ...] = load_all((BASE / f"{component}.yaml").read_text())
    (container,) = documents[0]["spec"]["template"]["spec"]["containers"]
    given = {**settings, "POD_IP": "10.0.0.7"}
    for variable in container["env"]:
        if "value" in variable:
            given[variable["name"]] = re.sub(
                r"\$\((\w+)\)", lambda found: given[found[1]], variable["value"]
            )
    return given

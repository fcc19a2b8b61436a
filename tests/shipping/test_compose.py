"""The compose file as Docker Compose itself reads it: whole, locked down, and without a secret."""

import json
import os
import re
import stat
import subprocess
from pathlib import Path

import pytest

from tests.shipping.conftest import ROOT, ReadCompose

OURS = ("web", "worker", "beat", "watcher", "migrate", "manage")
FILE = ROOT / "docker-compose.yml"
EXAMPLE = ROOT / "docker" / "env.example"
MAKE_SECRETS = ROOT / "docker" / "make-secrets"


@pytest.mark.parametrize("service", [*OURS, "postgres", "redis"])
def test_no_process_has_more_than_it_needs(read_compose: ReadCompose, service: str) -> None:
    found = read_compose()["services"][service]
    assert found["read_only"] is True
    assert found["cap_drop"] == ["ALL"]
    assert found["security_opt"] == ["no-new-privileges:true"]
    assert not found.get("privileged")
    assert found["restart"] == ("no" if service in {"migrate", "manage"} else "unless-stopped")


@pytest.mark.parametrize("service", OURS)
def test_ours_run_as_the_images_user_and_write_to_memory_alone(
    read_compose: ReadCompose, service: str
) -> None:
    found = read_compose()["services"][service]
    assert found["user"] == "10001:10001"
    assert [volume["read_only"] for volume in found["volumes"]] == [True]
    assert [entry.split(":")[0] for entry in found["tmpfs"]] == ["/tmp", "/var/lib/slipway"]  # noqa: S108


def test_only_the_pages_are_reached_and_only_from_this_machine(read_compose: ReadCompose) -> None:
    services = read_compose(SLIPWAY_PORT="8123")["services"]
    reached = {name: service["ports"] for name, service in services.items() if service.get("ports")}
    ((port,),) = reached.values()
    assert list(reached) == ["web"]
    assert (port["host_ip"], port["published"], port["target"]) == ("127.0.0.1", "8123", 8000)
    assert read_compose()["networks"]["back"]["internal"] is True
    assert list(services["postgres"]["networks"]) == list(services["redis"]["networks"]) == ["back"]


@pytest.mark.parametrize("service", ["web", "worker", "beat", "watcher"])
def test_a_process_starts_when_the_database_is_migrated(
    read_compose: ReadCompose, service: str
) -> None:
    needed = read_compose()["services"][service]["depends_on"]
    assert {name: entry["condition"] for name, entry in needed.items()} == {
        "migrate": "service_completed_successfully",
        "postgres": "service_healthy",
        "redis": "service_healthy",
    }


def test_every_command_is_one_that_the_image_knows(read_compose: ReadCompose) -> None:
    known = set(re.findall(r"^  (\w+)\)$", (ROOT / "docker" / "slipway").read_text(), re.MULTILINE))
    services = read_compose()["services"]
    commands = [services[name]["command"][0] for name in OURS if name != "manage"]
    assert set(commands) == {"web", "worker", "beat", "watcher", "migrate"} <= known
    assert services["manage"]["entrypoint"] == ["slipway", "manage"]


def test_secrets_come_as_files_and_stand_in_no_environment(read_compose: ReadCompose) -> None:
    project = read_compose()
    for service in project["services"].values():
        for name, value in (service.get("environment") or {}).items():
            if re.search("PASSWORD|SECRET|TOKEN|KEY$|KEY_FILE", name):
                assert name.endswith("_FILE")
                assert value.removeprefix("/run/secrets/") in project["secrets"]
    urls = re.findall(r"\w+://\S+", FILE.read_text())
    assert urls
    assert [url for url in urls if re.search(r"://[^/@]*:[^/@]*@", url)] == []


def test_every_variable_of_the_example_is_one_that_the_file_reads(
    read_compose: ReadCompose,
) -> None:
    lines = EXAMPLE.read_text().splitlines()
    given = dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))
    assert set(given) <= set(re.findall(r"\$\{(\w+)", FILE.read_text()))
    environment = read_compose(**given)["services"]["web"]["environment"]
    assert environment["SLIPWAY_ALLOWED_HOSTS"] == "localhost,127.0.0.1,slipway.example"
    assert environment["K8S_KUBECONFIG"] == "/etc/slipway/kubeconfigs/default"


def test_secrets_are_made_once_and_for_nobody_elses_eyes(tmp_path: Path) -> None:
    folder = tmp_path / "secrets"
    environment = {
        **os.environ,
        "SLIPWAY_SECRETS": str(folder),
        "SLIPWAY_KUBECONFIGS": str(tmp_path / "kubeconfigs"),
    }

    def make() -> dict[str, str]:
        subprocess.run([str(MAKE_SECRETS)], env=environment, check=True, timeout=30)
        return {file.name: file.read_text() for file in folder.iterdir()}

    first, second = make(), make()

    assert first == second
    assert sorted(first) == ["metrics_token", "postgres_password", "redis_password", "secret_key"]
    assert len(set(first.values())) == 4
    assert all(re.fullmatch(r"[A-Za-z0-9]{64}", value) for value in first.values())
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_the_secrets_that_are_made_are_those_that_the_file_asks_for(
    read_compose: ReadCompose, tmp_path: Path
) -> None:
    made = re.search(r"^for name in (.+); do$", MAKE_SECRETS.read_text(), re.MULTILINE)
    assert made
    secrets = read_compose(SLIPWAY_SECRETS=str(tmp_path))["secrets"]
    assert json.dumps({name: entry["file"] for name, entry in secrets.items()}, sort_keys=True) == (
        json.dumps({name: str(tmp_path / name) for name in made[1].split()}, sort_keys=True)
    )

import os
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from console.environment import (
    KubernetesEnvironment,
    make_folder,
    read_kubernetes,
    read_log_level,
    read_or_make_secret,
    read_switch,
)


def read(**environ: str) -> KubernetesEnvironment:
    return read_kubernetes(environ, token=Path("/nowhere/token"))


def test_nothing_set_is_no_cluster_and_no_problem() -> None:
    found = read()
    assert not found.is_configured
    assert found.problems == ()
    assert (found.service_type, found.container_port) == ("ClusterIP", None)


def test_the_example_of_the_readme_is_read(tmp_path: Path) -> None:
    kubeconfig = tmp_path / "kubeconfig"
    kubeconfig.write_text("contexts: [{name: kind-slipway, context: {}}]")
    found = read(
        K8S_KUBECONFIG=str(kubeconfig),
        K8S_CONTEXT="kind-slipway",
        K8S_NAMESPACE=" models ",
        K8S_SERVICE_TYPE="nodeport",
        K8S_CONTAINER_PORT="8000",
        K8S_SERVICE_PORT="80",
        K8S_HPA_TARGET_CPU_UTILIZATION="80",
    )
    assert found == KubernetesEnvironment(
        kubeconfig=str(kubeconfig),
        context="kind-slipway",
        namespace="models",
        service_type="NodePort",
        container_port=8000,
        service_port=80,
        hpa_target_cpu_utilization=80,
    )
    assert found.is_configured


@pytest.mark.parametrize(
    ("name", "value", "check", "hint"),
    [
        ("K8S_KUBECONFIG", "/nowhere/kubeconfig", "console.E001", "there is none there"),
        ("K8S_KUBECONFIG", "/tmp", "console.E001", "there is none there"),  # noqa: S108 a folder
        ("K8S_SERVICE_TYPE", "Ingress", "console.E004", "ClusterIP, NodePort, LoadBalancer"),
        ("K8S_CONTAINER_PORT", "0", "console.E005", "1 to 65535"),
        ("K8S_CONTAINER_PORT", "-1", "console.E005", "1 to 65535"),
        ("K8S_CONTAINER_PORT", "8000.0", "console.E005", "1 to 65535"),
        ("K8S_CONTAINER_PORT", "８０００", "console.E005", "1 to 65535"),  # noqa: RUF001 wide digits
        ("K8S_SERVICE_PORT", "65536", "console.E006", "1 to 65535"),
        ("K8S_SERVICE_PORT", "http", "console.E006", "1 to 65535"),
        ("K8S_HPA_TARGET_CPU_UTILIZATION", "80%", "console.E007", "1 to 500"),
        ("K8S_HPA_TARGET_CPU_UTILIZATION", "501", "console.E007", "1 to 500"),
    ],
)
def test_a_wrong_value_is_a_problem_with_an_id_and_a_hint(
    name: str, value: str, check: str, hint: str
) -> None:
    (problem,) = read(**{name: value}).problems
    assert problem.id == check
    assert name in problem.message
    assert hint in problem.hint


@pytest.mark.parametrize(
    ("content", "hint"),
    [
        (b"", "has no contexts"),
        (b"[1, 2]", "has no contexts"),
        (b"contexts: none", "has no contexts"),
        (b"token: [hunter2", "is not YAML"),
        (b"\xff\xfe\x00", "is not YAML"),
    ],
)
def test_a_file_that_is_no_kubeconfig_is_told_without_quoting_it(
    tmp_path: Path, content: bytes, hint: str
) -> None:
    path = tmp_path / "kubeconfig"
    path.write_bytes(content)
    (problem,) = read(K8S_KUBECONFIG=str(path), K8S_CONTEXT="x").problems
    assert problem.id == "console.E001"
    assert hint in problem.hint
    assert "hunter2" not in problem.hint


def test_a_context_that_the_file_lacks_is_told_with_those_it_has(tmp_path: Path) -> None:
    path = tmp_path / "kubeconfig"
    path.write_text("contexts: [{name: one}, {name: two}, {}, 3]")
    (problem,) = read(K8S_KUBECONFIG=str(path), K8S_CONTEXT="three").problems
    assert problem.id == "console.E002"
    assert "one, two" in problem.hint


@pytest.mark.parametrize("name", ["Models", "a_b", "-a", "a-", "a.b", "x" * 64, "a b"])
def test_a_namespace_is_a_name_that_a_cluster_takes(name: str) -> None:
    (problem,) = read(K8S_NAMESPACE=name).problems
    assert problem.id == "console.E003"


def test_every_wrong_value_is_told_at_once() -> None:
    found = read(K8S_SERVICE_PORT="x", K8S_CONTAINER_PORT="y", K8S_SERVICE_TYPE="z")
    assert {problem.id for problem in found.problems} == {
        "console.E004",
        "console.E005",
        "console.E006",
    }


@pytest.mark.parametrize(
    ("environ", "has_token", "expected"),
    [
        ({"K8S_NAMESPACE": "models"}, True, True),
        ({"K8S_NAMESPACE": "models"}, False, False),
        ({}, True, False),
        ({"K8S_NAMESPACE": "models", "K8S_KUBECONFIG": "/nowhere"}, True, False),
    ],
)
def test_in_cluster_takes_a_namespace_and_a_mounted_account(
    tmp_path: Path, environ: dict[str, str], has_token: object, expected: object
) -> None:
    token = tmp_path / "token"
    if has_token:
        token.touch()
    assert read_kubernetes(environ, token=token).in_cluster is expected


@pytest.mark.parametrize(
    ("text", "expected"), [("1", True), ("on", True), ("Yes", True), ("0", False), ("", False)]
)
def test_a_switch_is_off_unless_set(text: str, expected: object) -> None:
    assert read_switch({"X": text}, "X") is expected


def test_a_switch_that_is_neither_on_nor_off_is_refused_by_name() -> None:
    with pytest.raises(ImproperlyConfigured, match="SLIPWAY_DEBUG is 'maybe'; use 1 or 0"):
        read_switch({"SLIPWAY_DEBUG": "maybe"}, "SLIPWAY_DEBUG")


def test_an_unknown_log_level_is_refused_by_name() -> None:
    assert read_log_level({}, "SLIPWAY_LOG_LEVEL") == "INFO"
    with pytest.raises(ImproperlyConfigured, match="SLIPWAY_LOG_LEVEL is 'LOUD'"):
        read_log_level({"SLIPWAY_LOG_LEVEL": "loud"}, "SLIPWAY_LOG_LEVEL")


def test_the_secret_is_made_once_and_only_its_owner_reads_it(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "secret_key"
    first = read_or_make_secret(path)
    assert len(first) >= 50
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert read_or_make_secret(path) == first
    assert os.listdir(path.parent) == ["secret_key"]  # noqa: PTH208 hidden ones too


def test_processes_that_start_together_agree_on_one_secret(tmp_path: Path) -> None:
    path = tmp_path / "secret_key"
    with ThreadPoolExecutor(8) as pool:
        found = set(pool.map(lambda _: read_or_make_secret(path), range(32)))
    assert len(found) == 1


def test_a_folder_that_cannot_be_made_is_named_with_its_variable(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    with pytest.raises(ImproperlyConfigured, match=r"SLIPWAY_VAR is .*Not a directory"):
        make_folder(file / "var", "SLIPWAY_VAR")


def test_a_key_that_cannot_be_kept_says_what_to_set_instead(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    with pytest.raises(ImproperlyConfigured, match=r"Not a directory; set SLIPWAY_SECRET_KEY or"):
        read_or_make_secret(file / "var" / "secret_key")

"""Where the control plane's programs come from, and what is said when they come from nowhere."""

from pathlib import Path

import pytest

from tests.cluster.controlplane import build
from tests.cluster.controlplane.build import PROGRAMS, Binaries, Missing, find_or_build


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache, no assets, and no Go."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("KUBEBUILDER_ASSETS", raising=False)
    return tmp_path / "cache"


def put_programs(folder: Path, *programs: str) -> Path:
    folder.mkdir(parents=True)
    for program in programs:
        (folder / program).touch(mode=0o755)
    return folder


def fake_go(folder: Path, script: str) -> None:
    go = folder / "go"
    go.write_text(f"#!/bin/sh\n{script}\n")
    go.chmod(0o755)


def test_complete_assets_are_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assets = put_programs(tmp_path / "assets", *PROGRAMS)
    monkeypatch.setenv("KUBEBUILDER_ASSETS", str(assets))

    assert find_or_build() == Binaries(folder=assets)


def test_assets_without_controllers_are_named_and_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assets = put_programs(tmp_path / "assets", "etcd", "kube-apiserver", "kubectl")
    monkeypatch.setenv("KUBEBUILDER_ASSETS", str(assets))

    assert isinstance(find_or_build(), Missing)
    assert "lacks kube-controller-manager, kube-scheduler; not used" in capsys.readouterr().err


def test_without_go_and_assets_it_is_said_how_to_get_them() -> None:
    found = find_or_build()

    assert isinstance(found, Missing)
    assert "install Go" in found.reason
    assert "KUBEBUILDER_ASSETS" in found.reason


def test_what_was_built_before_is_used_without_go(cache: Path) -> None:
    built = put_programs(cache / "slipway" / "controlplane" / build.fingerprint(), *PROGRAMS)

    assert find_or_build() == Binaries(folder=built)


def test_a_build_appears_whole_and_only_once(tmp_path: Path, cache: Path) -> None:
    # go build … -o FOLDER/ ./... : the stand-in writes every program, and counts its calls.
    writes = "".join(f'/bin/echo x > "$7{name}"; /bin/chmod +x "$7{name}"; ' for name in PROGRAMS)
    fake_go(tmp_path, f'echo call >> "{tmp_path}/calls"; {writes}')

    first, second = find_or_build(), find_or_build()

    assert first == second == Binaries(folder=cache / "slipway/controlplane" / build.fingerprint())
    assert (tmp_path / "calls").read_text().splitlines() == ["call"] * len(build.LINKER_FLAGS)


def test_a_build_that_fails_leaves_nothing_and_says_why(tmp_path: Path, cache: Path) -> None:
    fake_go(tmp_path, "echo 'go.mod requires go >= 1.26' >&2; exit 1")

    found = find_or_build()

    assert isinstance(found, Missing)
    assert "go.mod requires go >= 1.26" in found.reason
    left = [path.suffix for path in (cache / "slipway" / "controlplane").iterdir()]
    assert left == [".lock"]

"""Starts the console as a person would, with a setting that is wrong."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


def run(*command: str, **environ: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603 our own program
        [sys.executable, *command],
        cwd=ROOT,
        # Without providers the console starts sooner.
        env=os.environ | {"SLIPWAY_PROVIDERS": ""} | environ,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize(
    ("name", "value"),
    [("DATABASE_URL", "mysql://x/y"), ("K8S_SERVICE_PORT", "0")],
)
def test_a_wrong_setting_ends_a_command_with_a_sentence(name: str, value: str) -> None:
    done = run("manage.py", "check", **{name: value})
    assert done.returncode == 1
    assert name in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(("name", "value"), [("DATABASE_URL", "x://"), ("K8S_SERVICE_PORT", "0")])
def test_a_wrong_setting_ends_the_server_with_a_sentence(name: str, value: str) -> None:
    done = run("-c", "import console.wsgi", **{name: value})
    assert done.returncode == 4  # which gunicorn takes for final
    assert name in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("name", "value"),
    [("DATABASE_URL", "x://"), ("K8S_SERVICE_PORT", "0"), ("SLIPWAY_LOG_LEVEL", "loud")],
)
def test_gunicorn_refuses_a_wrong_setting_once_before_it_starts_workers(
    tmp_path: Path, name: str, value: str
) -> None:
    done = run("-m", "gunicorn", "console.wsgi", "--bind", f"unix:{tmp_path}/s", **{name: value})
    assert done.returncode == 1
    assert done.stderr.count(name) == 1
    assert "Booting worker" not in done.stderr
    assert "Traceback" not in done.stderr


def test_a_database_that_does_not_answer_ends_a_command_with_a_sentence() -> None:
    done = run("manage.py", "migrate", DATABASE_URL="postgres://a:secret@127.0.0.1:1/x")
    assert done.returncode == 1
    assert "DATABASE_URL" in done.stderr
    assert "Traceback" not in done.stderr
    assert "secret" not in done.stderr


def test_what_is_written_is_for_its_owner_only(tmp_path: Path) -> None:
    var = tmp_path / "var"
    assert run("manage.py", "check", SLIPWAY_VAR=str(var)).returncode == 0
    assert stat.S_IMODE(var.stat().st_mode) == 0o700


def test_a_broken_provider_does_not_keep_the_console_from_starting(tmp_path: Path) -> None:
    (tmp_path / "broken_provider").mkdir()
    (tmp_path / "broken_provider" / "__init__.py").write_text("raise RuntimeError('out of order')")
    done = run(
        "manage.py",
        "check",
        SLIPWAY_PROVIDERS="broken_provider",
        PYTHONPATH=str(tmp_path),
    )
    assert done.returncode == 0
    assert "providers.W001" in done.stderr
    assert "RuntimeError: out of order" in done.stderr

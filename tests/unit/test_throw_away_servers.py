"""The servers that tests are run on find a port, although another process takes the first one."""

import os
import shutil
import socket
import subprocess
from pathlib import Path

import pytest

from tests.ports import LOOPBACK

ROOT = Path(__file__).parents[2]
SECONDS = 90
# Names a port that is taken where one is asked for the first time.
PYTHON = """#!/bin/sh
case "$*" in
*getsockname*) [ -e "{told}" ] || {{ : > "{told}"; echo {taken}; exit; }} ;;
esac
exec {python} "$@"
"""


@pytest.mark.parametrize(
    ("script", "needs", "variable"),
    [("with-postgres", "initdb", "DATABASE_URL"), ("with-redis", "redis-server", "REDIS_URL")],
)
def test_a_server_whose_port_was_taken_meanwhile_tries_another(
    tmp_path: Path, script: str, needs: str, variable: str
) -> None:
    if not shutil.which(needs) and not list(Path("/usr/lib/postgresql").glob(f"*/bin/{needs}")):
        pytest.skip(f"needs {needs}")
    with socket.create_server((LOOPBACK, 0)) as other:
        taken, told, stub = other.getsockname()[1], tmp_path / "told", tmp_path / "python3"
        stub.write_text(PYTHON.format(told=told, taken=taken, python=shutil.which("python3")))
        stub.chmod(0o755)
        done = subprocess.run(  # noqa: S603 - our own script
            [ROOT / ".ci" / script, "sh", "-c", f"echo url=${variable}"],
            env={**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"},
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    assert told.exists()
    assert "url=" in done.stdout
    assert f":{taken}/" not in done.stdout

"""The programs of the control plane never outlive us, and say why when they do not start."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cluster.harness.processes import Process, StartFailed
from tests.cluster.waiting import wait_for

ROOT = Path(__file__).parents[2]
PARENT = """
import sys, time
from pathlib import Path
from tests.cluster.harness.processes import Process
child = Process("child", ["sleep", "60"], Path(sys.argv[1]))
child.start()
print(child._running.pid, flush=True)
time.sleep(60)
"""


def is_running(pid: int, program: str) -> bool:
    return Path(f"/proc/{pid}/comm").read_text().strip() == program


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_a_program_does_not_outlive_a_parent_that_is_killed(tmp_path: Path) -> None:
    command = [sys.executable, "-c", PARENT, str(tmp_path / "log")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        wait_for(lambda: is_running(child, "sleep"), 90, "the child runs")
        os.kill(parent.pid, signal.SIGKILL)

    wait_for(lambda: not is_alive(child), 90, "the child is gone")


def test_a_program_that_ends_at_once_shows_the_tail_of_its_log(tmp_path: Path) -> None:
    process = Process("oven", ["sh", "-c", "echo the gas is off; exit 3"], tmp_path / "log")
    process.start()

    with pytest.raises(StartFailed, match=r"(?s)oven ended; the end of .*the gas is off"):
        process.wait_until(lambda: False, seconds=60)


def test_a_program_that_is_never_healthy_is_given_up(tmp_path: Path) -> None:
    process = Process("sleeper", ["sleep", "60"], tmp_path / "log")
    process.start()
    try:
        with pytest.raises(StartFailed, match=r"sleeper is not healthy after 0\.2 s"):
            process.wait_until(lambda: False, seconds=0.2)
    finally:
        process.kill()


def test_a_program_hears_of_no_proxy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("https_proxy", "HTTP_PROXY", "NO_PROXY"):
        monkeypatch.setenv(name, "http://proxy.invalid:3128")
    log = tmp_path / "log"
    process = Process("env", ["sh", "-c", "env; echo done; sleep 60"], log)
    process.start()
    try:
        wait_for(lambda: "done" in log.read_text(), 90, "the environment was printed")
    finally:
        process.kill()

    assert "proxy.invalid" not in log.read_text()

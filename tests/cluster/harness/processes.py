"""Runs one program of the control plane and makes sure that it does not outlive us."""

import atexit
import os
import shutil
import signal
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from time import monotonic, sleep

STOP_SECONDS = 10
TAIL_LINES = 25
# An API server started under a proxy would send its calls to nodes and webhooks there.
PROXY_VARIABLES = {"http_proxy", "https_proxy", "all_proxy", "no_proxy"}


class StartFailed(RuntimeError):
    """A program ended or never became healthy; the message carries the tail of its log."""


class Process:
    """One program with its log file; it may be started again after it was stopped or killed."""

    def __init__(self, name: str, command: Sequence[str], log: Path) -> None:
        self.name = name
        self.command = _die_with_parent(command)
        self.log = log
        self._running: subprocess.Popen[bytes] | None = None
        atexit.register(self.kill)

    def start(self) -> None:
        """Start the program in a session of its own, so that Ctrl-C reaches us alone."""
        with self.log.open("ab") as log:
            self._running = subprocess.Popen(
                self.command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                env=_environment(),
            )

    def wait_until(self, is_healthy: Callable[[], bool], *, seconds: float) -> None:
        """Wait until it is healthy; raise StartFailed with the tail of its log otherwise."""
        deadline = monotonic() + seconds
        while not is_healthy():
            if self._running is None or self._running.poll() is not None:
                raise StartFailed(f"{self.name} ended; {self.tail()}")
            if monotonic() > deadline:
                raise StartFailed(f"{self.name} is not healthy after {seconds:g} s; {self.tail()}")
            sleep(0.05)

    def tail(self) -> str:
        """Return the last lines of the log, under its path."""
        lines = self.log.read_text(errors="replace").splitlines()[-TAIL_LINES:]
        return "\n".join([f"the end of {self.log}:", *lines])

    def freeze(self) -> None:
        """Stop the program where it stands: its connections stay open, and silent."""
        self._signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Let a frozen program go on."""
        self._signal(signal.SIGCONT)

    def stop(self) -> None:
        """End the program as an orderly shutdown would, by force after a while."""
        self.resume()
        self._signal(signal.SIGTERM)
        self._end(STOP_SECONDS)

    def kill(self) -> None:
        """End the program at once."""
        self._end(0)

    def _end(self, patience: float) -> None:
        if self._running is None:
            return
        try:
            self._running.wait(patience)
        except subprocess.TimeoutExpired:
            self._signal(signal.SIGKILL)
            self._running.wait(STOP_SECONDS)
        self._running = None

    def _signal(self, number: signal.Signals) -> None:
        if self._running is not None and self._running.poll() is None:
            os.killpg(self._running.pid, number)


def _die_with_parent(command: Sequence[str]) -> list[str]:
    """Return the command so that the kernel ends it when we are killed ourselves (Linux).

    To the kernel the parent is the thread that starts it: start programs from the main thread.
    """
    setpriv = shutil.which("setpriv")
    return [setpriv, "--pdeathsig", "KILL", "--", *command] if setpriv else [*command]


def _environment() -> dict[str, str]:
    return {
        name: value for name, value in os.environ.items() if name.lower() not in PROXY_VARIABLES
    }

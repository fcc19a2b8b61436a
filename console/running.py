"""Runs the console's processes together: one dies, it is started again; one signal ends all.

For a machine with nothing else on it. Where there is a supervisor already (containers, systemd),
it starts the same commands itself.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

# A process that ends sooner than this has failed at its start; so often, and all is ended.
HEALTHY_SECONDS = 10.0
PATIENCE = 3
STOP_SECONDS = 15.0
POLL_SECONDS = 0.2


@dataclass(frozen=True, kw_only=True, slots=True)
class Part:
    """One process: its command, and what it must have said or done before the next one starts."""

    name: str
    command: Sequence[str]
    is_up: Callable[[], bool] | None = None


class CannotStart(RuntimeError):
    """A part does not come up; the message names it."""


@dataclass(kw_only=True)
class Group:
    """The running parts, in the order of their start."""

    environment: Mapping[str, str]
    parts: list[Part] = field(default_factory=list)
    _running: dict[str, "subprocess.Popen[bytes]"] = field(default_factory=dict)
    _started: dict[str, float] = field(default_factory=dict)
    _failures: dict[str, int] = field(default_factory=dict)

    def start(self, part: Part, *, seconds: float = 30.0) -> None:
        """Start a part and wait until it is up; raises CannotStart."""
        self.parts.append(part)
        self._spawn(part)
        end = time.monotonic() + seconds
        while part.is_up is not None and not part.is_up():
            if self._running[part.name].poll() is not None or time.monotonic() > end:
                raise CannotStart(f"{part.name} does not start")
            time.sleep(POLL_SECONDS)

    def watch(self, is_stopping: Callable[[], bool]) -> None:
        """Start again what dies, until told to stop; raises CannotStart for what keeps dying."""
        while not is_stopping():
            for part in self.parts:
                if self._running[part.name].poll() is not None:
                    self._start_again(part)
            time.sleep(POLL_SECONDS)

    def stop(self) -> None:
        """End every part, the last one first, and wait for it; then insist."""
        for part in reversed(self.parts):
            _end(self._running[part.name], STOP_SECONDS)

    def _start_again(self, part: Part) -> None:
        lived = time.monotonic() - self._started[part.name]
        failures = self._failures.get(part.name, 0) + 1 if lived < HEALTHY_SECONDS else 1
        self._failures[part.name] = failures
        if failures > PATIENCE:
            raise CannotStart(f"{part.name} ends again and again")
        _end_rest(self._running[part.name])
        sys.stderr.write(f"{part.name} has ended and is started again\n")
        self._spawn(part)

    def _spawn(self, part: Part) -> None:
        self._started[part.name] = time.monotonic()
        # A group of its own: Ctrl-C reaches us alone, and we end the parts in order.
        self._running[part.name] = subprocess.Popen(  # noqa: S603 - our own commands
            part.command, env={**os.environ, **self.environment}, start_new_session=True
        )


def _end(process: "subprocess.Popen[bytes]", seconds: float) -> None:
    if process.poll() is None:
        process.terminate()
    with suppress(subprocess.TimeoutExpired):
        process.wait(timeout=seconds)
    _end_rest(process)
    process.wait()


def _end_rest(process: "subprocess.Popen[bytes]") -> None:
    """Kill what is left of a part's group: a worker that was killed leaves its clock behind."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)

"""The life of one container that really runs: started, probed, stopped, started again.

What happens is kept as moments, in the words of the simulated kubelet, so that one scribe writes
the status of either.
"""

import os
import signal
import subprocess
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from itertools import count
from threading import Event, Thread
from time import monotonic

from providers.simulation.pod_life.moments import Frame, Happening, Moment, State
from providers.simulation.pod_life.pace import back_off_seconds
from providers.simulation.pod_life.subject import Subject
from providers.simulation.pod_life.timeline import crash_back_off, present
from tests.cluster.kubelet.processes.health import Health
from tests.cluster.kubelet.processes.logbook import LogBook

LOOK_EVERY_SECONDS = 0.1
Process = subprocess.Popen[bytes]


class Life:
    """One container from its first start to its pod's end; `changed` is called at each moment."""

    def __init__(
        self, subject: Subject, spawn: Callable[[], Process], log: LogBook, *, grace: float
    ) -> None:
        self.subject = subject
        self.log = log
        self._spawn = spawn
        self._grace = grace
        self._moments: list[Moment] = []
        self._epoch = datetime.now(UTC)
        self._changed: Callable[[], None] = lambda: None
        self._process: Process | None = None
        self._stopping = Event()
        self._thread = Thread(target=self._live, daemon=True, name=f"life of {subject.pod_title}")

    def begin(self, *, epoch: datetime, changed: Callable[[], None]) -> None:
        """Start the container, in a thread; moments count from `epoch`."""
        self._epoch, self._changed = epoch, changed
        self._thread.start()

    @property
    def moments(self) -> tuple[Moment, ...]:
        """Return all that has happened, in its order."""
        return tuple(self._moments)

    @property
    def is_over(self) -> bool:
        """Tell whether nothing runs any more, nor will."""
        return not self._thread.is_alive()

    @property
    def process_id(self) -> int | None:
        """The number of the process that runs, None between two runs."""
        process = self._process
        return process.pid if process and process.returncode is None else None

    def stop(self, grace: float) -> None:
        """Ask for the end: the hook before it, SIGTERM, and SIGKILL when the grace is over."""
        self._grace = grace
        self._stopping.set()

    def end(self) -> None:
        """End it at once, and wait until it has ended."""
        self.stop(0.0)
        if self._thread.ident is not None:
            self._thread.join()

    def _live(self) -> None:
        last: Frame | None = None
        for restarts in count():
            last = self._run(restarts, last)
            is_last = self._stopping.is_set() or not self.subject.restarts_after(last.exit_code)
            if is_last or not self._waits_for_restart(last):
                return

    def _run(self, run: int, last: Frame | None) -> Frame:
        self._tell(present(self.subject, self._now()))
        began = self._now()
        self._process = process = self._spawn()
        assert process.stdout
        printed = self.log.keep(run, process.stdout)
        self._tell(self.subject.tell(began, "Created", "Container created"))
        self._tell(self.subject.tell(began, "Started", "Container started"))
        earlier = last and replace(last, last=None)
        self._watch(
            process,
            Frame(at=began, state=State.RUNNING, began=began, restarts=run, last=earlier),
        )
        code = process.wait()
        _end_rest(process)
        printed.join()
        ended = Frame(
            at=self._now(),
            state=State.TERMINATED,
            reason="Error" if code else "Completed",
            # A signal is told as shells tell it.
            exit_code=128 - code if code < 0 else code,
            began=began,
            restarts=run,
            last=earlier,
        )
        self._tell(ended)
        return ended

    def _watch(self, process: Process, begun: Frame) -> None:
        """Probe a run until it ends by itself, by a probe or with its pod."""
        health = Health(self.subject)
        shown = replace(begun, started=health.started, ready=health.ready)
        self._tell(shown)
        while not self._ends(process, health) and not self._stopping.is_set():
            for words in health.look():
                self._tell(self.subject.tell(self._now(), "Unhealthy", words, "Warning"))
            seen = replace(shown, started=health.started, ready=health.ready)
            if seen != shown:
                shown = replace(seen, at=self._now())
                self._tell(shown)
            if health.killer:
                kind = health.killer.kind.lower()
                words = f"Container {self.subject.name} failed {kind} probe, will be restarted"
                self._tell(self.subject.tell(self._now(), "Killing", words))
                break
        self._terminate(process)

    def _ends(self, process: Process, health: Health) -> bool:
        """Wait for the end of a run, no longer than until something is to be done."""
        due = health.seconds_until_due()
        return _has_ended(
            process, min(LOOK_EVERY_SECONDS, LOOK_EVERY_SECONDS if due is None else due)
        )

    def _terminate(self, process: Process) -> None:
        until = monotonic() + self._grace
        if _has_ended(process, min(self._hook_seconds, self._grace)):
            return
        process.send_signal(signal.SIGTERM)
        if not _has_ended(process, max(0.0, until - monotonic())):
            process.kill()

    @property
    def _hook_seconds(self) -> float:
        """How long the hook before the end sleeps; no other hook is known here."""
        hook = (self.subject.container.get("lifecycle") or {}).get("preStop") or {}
        return float((hook.get("sleep") or {}).get("seconds") or 0)

    def _waits_for_restart(self, last: Frame) -> bool:
        """Wait as long as a kubelet backs off; False when the pod ends meanwhile."""
        pace = self.subject.pace
        at = begin = last.at + pace.notice_seconds
        if last.restarts:
            at = max(begin, last.at + back_off_seconds(last.restarts) * pace.back_off_scale)
            for moment in crash_back_off(self.subject, last, begin=begin, end=at):
                self._tell(moment)
        return not self._stopping.wait(max(0.0, at - self._now()))

    def _tell(self, moment: Frame | Happening) -> None:
        self._moments.append(moment)
        self._changed()

    def _now(self) -> float:
        return (datetime.now(UTC) - self._epoch).total_seconds()


def _end_rest(process: Process) -> None:
    """End what a process has started: in a container nothing outlives the first one."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def _has_ended(process: Process, seconds: float) -> bool:
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        return False
    return True

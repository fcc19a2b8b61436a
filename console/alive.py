"""Lets a supervisor see that the background processes turn: each touches a file as it goes round.

A file and not a question over the queue, since a process is not ill because its queue is away.
"""

from datetime import timedelta
from pathlib import Path
from typing import Any

from celery import bootsteps
from celery.beat import PersistentScheduler
from celery.schedules import schedule as Interval  # noqa: N812 - which is what it is
from django.conf import settings

EVERY_SECONDS = 10.0
# Two readings of one clock may differ by less than that, as it is kept right in small steps.
SKEW = timedelta(seconds=1)


def tell_alive(name: str) -> None:
    """Touch the file of the process `name`, as in var/worker.alive."""
    Path(settings.VAR_DIR, f"{name}.alive").touch()


class TellsAlive(bootsteps.StartStopStep):  # type: ignore[misc]  # celery ships no types
    """A step of the worker: its own loop touches the file, so a loop that hangs does not."""

    requires = ("celery.worker.components:Timer",)

    def start(self, worker: Any) -> None:
        """Begin with the loop."""
        tell_alive("worker")
        worker.timer.call_repeatedly(EVERY_SECONDS, tell_alive, ("worker",))


class Scheduler(PersistentScheduler):  # type: ignore[misc]  # celery ships no types
    """The clock, which tells with every tick that it ticks."""

    def setup_schedule(self) -> None:
        """Let what never ran be due at once: nobody waits for a first turn after a first start."""
        super().setup_schedule()
        for entry in self.schedule.values():
            if isinstance(entry.schedule, Interval) and not entry.total_run_count:
                entry.last_run_at = self.app.now() - entry.schedule.run_every

    def tick(self, *args: Any, **options: Any) -> float:
        """Return the seconds until the next tick."""
        tell_alive("beat")
        self._forget_times_to_come()
        return float(super().tick(*args, **options))

    def _forget_times_to_come(self) -> None:
        """Let what ran later than now be due: the time of day was set back, and it waits for it."""
        now = self.app.now()
        ahead = [
            entry
            for entry in self.schedule.values()
            if isinstance(entry.schedule, Interval) and entry.last_run_at > now + SKEW
        ]
        for entry in ahead:
            entry.last_run_at = now - entry.schedule.run_every
        if ahead:
            self._heap = None  # it is in the order of the old times

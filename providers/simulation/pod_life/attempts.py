"""One run of a container, from its start to its end: when it answers, how its probes see it, what
it dies of.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import count

from providers.simulation.pod_life.moments import Frame, Happening, State, Timeline
from providers.simulation.pod_life.probes import Probe, probe_of
from providers.simulation.pod_life.subject import Subject
from providers.simulation.simulate import Simulation, Word

KILLED = 137


@dataclass(frozen=True, kw_only=True, slots=True)
class Exit:
    """How a run ends, seconds after its start; `killed_by` is the probe that lost patience."""

    after: float
    code: int
    reason: str
    killed_by: Probe | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Attempt:
    """Every run of a container goes the same way; `loads_after` is when it first answers."""

    subject: Subject
    loads_after: float
    turns_ready: bool
    exit: Exit | None
    startup: Probe | None
    readiness: Probe | None

    def moments(self, start: float, *, restarts: int, last: Frame | None) -> Timeline:
        """Return what is seen of a run that began at `start`, without its end."""
        gate = self.startup or self.readiness
        begun = Frame(
            at=start,
            state=State.RUNNING,
            began=start,
            restarts=restarts,
            last=last and replace(last, last=None),
            started=self.startup is None,
            ready=gate is None,
        )
        yield begun
        ends = self.exit.after if self.exit else float("inf")
        yield from self._refusals(gate, start, until=min(self.loads_after, ends))
        if self.loads_after < ends:
            yield from self._loaded(replace(begun, at=start + self.loads_after))
        if self.exit and self.exit.killed_by:
            yield self._killing(start + self.exit.after, self.exit.killed_by)

    def end_frame(self, start: float, *, restarts: int, last: Frame | None) -> Frame | None:
        """Return the terminated container, None where a run has no end of its own."""
        if self.exit is None:
            return None
        return Frame(
            at=start + self.exit.after,
            state=State.TERMINATED,
            reason=self.exit.reason,
            exit_code=self.exit.code,
            began=start,
            restarts=restarts,
            ready=self.subject.init and self.exit.code == 0,
            last=last and replace(last, last=None),
        )

    def _refusals(self, probe: Probe | None, start: float, *, until: float) -> Iterator[Happening]:
        for turn in count(1):
            after = probe.delay + turn * probe.period if probe else until + 1
            if probe is None or after > until:
                return
            yield self.subject.tell(start + after, "Unhealthy", probe.refused, "Warning")

    def _loaded(self, begun: Frame) -> Timeline:
        ready = self.turns_ready or self.readiness is None
        yield replace(begun, started=True, ready=ready)
        if self.readiness is None or ready:
            return
        for turn in count():
            at = begun.at + turn * self.readiness.period
            yield self.subject.tell(at, "Unhealthy", self.readiness.unhealthy, "Warning")

    def _killing(self, at: float, probe: Probe) -> Happening:
        message = (
            f"Container {self.subject.name} failed {probe.kind.lower()} probe, will be restarted"
        )
        return self.subject.tell(at, "Killing", message)


def attempt_of(subject: Subject, simulation: Simulation) -> Attempt:
    """Return how each run of a container goes under its simulation."""
    startup, liveness, readiness = (
        probe_of(subject.container, kind, pod_ip=subject.pod_ip)
        for kind in ("Startup", "Liveness", "Readiness")
    )
    loads_after = subject.pace.load_seconds
    if simulation.word is Word.SLOW_LOAD:
        loads_after = simulation.seconds
    if simulation.word in {Word.CRASH, Word.OOM}:
        loads_after = math.inf  # it ends while it loads, and so no probe ever finds it ready
    return Attempt(
        subject=subject,
        loads_after=loads_after,
        turns_ready=simulation.word is not Word.NEVER_READY,
        exit=_exit_of(subject, simulation, loads_after, startup or liveness),
        startup=None if subject.init else startup,
        readiness=None if subject.init else readiness,
    )


def _exit_of(
    subject: Subject, simulation: Simulation, loads_after: float, patience: Probe | None
) -> Exit | None:
    if simulation.word is Word.CRASH:
        return Exit(after=subject.pace.crash_seconds, code=1, reason="Error")
    if simulation.word is Word.OOM:
        return Exit(after=subject.pace.crash_seconds, code=KILLED, reason="OOMKilled")
    if subject.init:
        return Exit(after=loads_after, code=0, reason="Completed")
    if patience and loads_after > patience.budget:
        return Exit(after=patience.budget, code=KILLED, reason="Error", killed_by=patience)
    return None

"""The probes of one run, asked over HTTP when they are due, as kubelet 1.36 does
(pkg/kubelet/prober).

The startup probe comes first; until it has succeeded the others are not asked.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from http import HTTPStatus
from time import monotonic

import urllib3

from providers.simulation.pod_life.probes import Probe, probe_of
from providers.simulation.pod_life.subject import Subject

DEFAULT_TIMEOUT_SECONDS = 1.0


@dataclass(kw_only=True, slots=True)
class Asked:
    """A probe, when it is due next (monotonic), and how often it failed in a row."""

    probe: Probe
    timeout: float
    due: float
    failures: int = 0

    @property
    def has_lost_patience(self) -> bool:
        """Tell whether it failed as often as it may."""
        return self.failures >= self.probe.failures

    def ask(self) -> str:
        """Ask now; return the kubelet's words about a failure, empty for success."""
        words = _fault(self.probe, self.timeout)
        self.failures = self.failures + 1 if words else 0
        self.due = monotonic() + self.probe.period
        return words


class Health:
    """What the probes of a run have found; `killer` is the one that lost patience."""

    def __init__(self, subject: Subject) -> None:
        self._startup, self._readiness, self._liveness = (
            _asked(subject, kind) for kind in ("Startup", "Readiness", "Liveness")
        )
        self.started = self._startup is None
        self.ready = self.started and self._readiness is None
        self.killer: Probe | None = None

    def seconds_until_due(self) -> float | None:
        """Return when to look again, None where nothing is ever asked."""
        dues = [each.due for each in self._to_ask()]
        return max(0.0, min(dues) - monotonic()) if dues else None

    def look(self) -> Iterator[str]:
        """Ask what is due; yield the words about each failure."""
        for each in list(self._to_ask()):
            if each.due > monotonic():
                continue
            words = each.ask()
            self._note(each)
            if words:
                yield words

    def _to_ask(self) -> Iterator[Asked]:
        if not self.started and self._startup:
            yield self._startup
            return
        yield from (each for each in (self._readiness, self._liveness) if each)

    def _note(self, each: Asked) -> None:
        if each is self._readiness:
            self.ready = not each.failures or (self.ready and not each.has_lost_patience)
        elif each.has_lost_patience:
            self.killer = each.probe
        elif each is self._startup and not each.failures:
            self._start()

    def _start(self) -> None:
        self.started = True
        if self._readiness:
            self._readiness.due = monotonic()
        else:
            self.ready = True


def _asked(subject: Subject, kind: str) -> Asked | None:
    probe = probe_of(subject.container, kind, pod_ip=subject.pod_ip)
    if probe is None:
        return None
    spec = subject.container[f"{kind.lower()}Probe"]
    timeout = float(spec.get("timeoutSeconds") or DEFAULT_TIMEOUT_SECONDS)
    return Asked(probe=probe, timeout=timeout, due=monotonic() + probe.delay)


def _fault(probe: Probe, timeout: float) -> str:
    try:
        answer = urllib3.request("GET", probe.url, timeout=timeout, retries=False, redirect=False)
    except urllib3.exceptions.NewConnectionError:
        # Also a TimeoutError, by its class.
        return probe.refused
    except urllib3.exceptions.TimeoutError:
        late = "context deadline exceeded (Client.Timeout exceeded while awaiting headers)"
        return f'{probe.kind} probe failed: Get "{probe.url}": {late}'
    except urllib3.exceptions.HTTPError:
        return probe.refused
    if HTTPStatus.OK <= answer.status < HTTPStatus.BAD_REQUEST:
        return ""
    return f"{probe.kind} probe failed: HTTP probe failed with statuscode: {answer.status}"

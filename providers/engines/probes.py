"""How long an engine may take to answer: probes on its health endpoint, and its time to drain.

Times are in seconds. Two numbers are the engines' own: SGLang's health check pushes a token through
the scheduler, takes at least 1 s and up to 20 s, and its watchdog acts after 300 s.
"""

from dataclasses import dataclass, replace

from providers.engines.launch import Probe
from providers.engines.wishes import Wishes

_GRACE_ABOVE_DRAIN = 30
_LONG_BUDGET = 60
_SHORT_BUDGET = 30


@dataclass(frozen=True, kw_only=True, slots=True)
class Patience:
    """How long one answer may take, how long answers may fail, how long the end may take."""

    answer: int = 5
    period: int = 10
    unready_after: int = 3
    dead_after: int = 6
    grace: int = 45


PLAIN = Patience()
SGLANG = Patience(answer=25, period=30, unready_after=2, dead_after=10, grace=330)
# A cut stream still holds llama.cpp for 30.1 s: until its next ping.
LLAMACPP = Patience(grace=45)


def startup_probe(wishes: Wishes, patience: Patience) -> Probe:
    """Return a probe that gives up when the budget of the template is used up."""
    budget = wishes.engine.ready_timeout_seconds
    period = 10 if budget >= _LONG_BUDGET else 5 if budget >= _SHORT_BUDGET else 2
    return Probe(
        path=wishes.engine.health_endpoint,
        period_seconds=period,
        timeout_seconds=patience.answer,
        failure_threshold=-(-budget // period),
    )


def readiness_probe(wishes: Wishes, patience: Patience) -> Probe:
    """Return a probe that takes a pod out of the Service after some failures in a row."""
    return _steady(wishes, patience, patience.unready_after)


def liveness_probe(wishes: Wishes, patience: Patience) -> Probe:
    """Return a probe that restarts a container only when it has been silent for long."""
    return _steady(wishes, patience, patience.dead_after)


def vllm_patience(wishes: Wishes) -> Patience:
    """Return vLLM's needs: it drains only as long as its own `--shutdown-timeout` says."""
    drains = wishes.args.get("shutdown_timeout", "0")
    seconds = int(drains) if drains.isdecimal() else 0
    return replace(PLAIN, grace=max(PLAIN.grace, seconds + _GRACE_ABOVE_DRAIN))


def _steady(wishes: Wishes, patience: Patience, threshold: int) -> Probe:
    return Probe(
        path=wishes.engine.health_endpoint,
        period_seconds=patience.period,
        timeout_seconds=patience.answer,
        failure_threshold=threshold,
    )

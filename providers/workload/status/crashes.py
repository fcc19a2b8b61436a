"""Rows 14 and 15: containers that ran out of memory or keep ending, and how long that matters.

A fault counts while its container is not well or ended less than ten minutes ago; one that has
healed is a note.
"""

import re
from collections.abc import Iterator

from providers.contract.status import Evidence
from providers.workload.objects import Terminated, moment
from providers.workload.status.facts import HEALED_AFTER_SECONDS, Facts, Seat
from providers.workload.status.hits import Hit
from providers.workload.status.wording import LOG_SAYS_WHY, count_of, duration, exit_code

CRASHES_AT_LEAST = 2
# How a process ends that a kubelet kills: by SIGKILL, or by SIGTERM and its own will.
_KILLED_CODES = frozenset({137, 143})

_OUT_OF_MEMORY = "OOMKilled"
_PROBE_KILL = re.compile(r"failed (?P<probe>startup|liveness) probe")
_PROBE_FAILED = re.compile(r"^(?P<probe>Startup|Liveness) probe failed")


def find_out_of_memory(seen: Facts) -> Iterator[Hit]:
    """Row 14: killed for its memory, now or the last time; the exit code may even be 0."""
    for seat in seen.seats:
        ended = _killed_for_memory(seat)
        if ended is not None and _counts(seen, seat, ended):
            message = f"{seat.title} ran out of memory ({_restarts(seat)}); raise resources.memory"
            yield seen.fault(14, "OutOfMemory", message, seat.where)


def find_crashes(seen: Facts) -> Iterator[Hit]:
    """Row 15: a container that ends again and again, or that a probe kills before it is up."""
    for seat in seen.seats:
        ended = _last_end(seat)
        if not _is_crashing(seat, ended):
            continue
        if ended is not None and not _counts(seen, seat, ended):
            continue
        probe = _killing_probe(seen, seat, ended)
        if probe:
            message = (
                f"{seat.title} was killed by its {probe} probe ({_restarts(seat)}); "
                "raise engine.ready_timeout_seconds if it was still loading"
            )
            yield seen.fault(15, "KilledWhileLoading", message, seat.where)
        else:
            yield seen.fault(15, "CrashLoop", _crash_sentence(seat, ended), seat.where)


def note_healed(seen: Facts) -> Iterator[Evidence]:
    """Tell of faults that are over: they explain restarts that somebody may wonder about."""
    for seat in seen.seats:
        memory, ended = _killed_for_memory(seat), _last_end(seat)
        if memory is not None and not _counts(seen, seat, memory):
            yield _note(14, "OutOfMemory", f"{seat.title} once ran out of memory", seat)
        elif _is_crashing(seat, ended) and ended and not _counts(seen, seat, ended):
            age = duration(seen.age(moment(ended.finished_at)))
            message = f"{seat.title} restarted {_times(seat)}, last {age} ago"
            yield _note(15, "CrashLoop", message, seat)


def _note(row: int, reason: str, message: str, seat: Seat) -> Evidence:
    return Evidence(reason=reason, message=message, object=seat.where, row=row)


def _last_end(seat: Seat) -> Terminated | None:
    return seat.status.now.terminated or seat.status.before.terminated


def _killed_for_memory(seat: Seat) -> Terminated | None:
    ends = (seat.status.now.terminated, seat.status.before.terminated)
    return next((end for end in ends if end and end.reason == _OUT_OF_MEMORY), None)


def _counts(seen: Facts, seat: Seat, ended: Terminated) -> bool:
    """Tell whether a fault still matters."""
    if not seat.is_well:
        return True
    at = moment(ended.finished_at)
    return at is not None and not seen.is_older(at, HEALED_AFTER_SECONDS)


def _is_crashing(seat: Seat, ended: Terminated | None) -> bool:
    if seat.waits_for == "CrashLoopBackOff":
        return True
    restarts = seat.status.restart_count or 0
    failed = ended is not None and bool(ended.exit_code or ended.signal)
    return restarts >= CRASHES_AT_LEAST and failed


def _killing_probe(seen: Facts, seat: Seat, ended: Terminated | None) -> str:
    """Return which probe killed a container.

    The kubelet says so in a normal event, which a pass over a whole cluster does not read; then the
    last verdict tells, or a failing probe with the exit code of a kill.
    """
    failing = ""
    for event in seen.events_of(seat.pod):
        path = event.about.field_path or ""
        if path and f"{{{seat.name}}}" not in path:
            continue
        found = _PROBE_KILL.search(event.message or "")
        if event.reason == "Killing" and found is not None:
            return found["probe"]
        found = _PROBE_FAILED.search(event.message or "")
        if event.reason == "Unhealthy" and found is not None:
            failing = found["probe"].lower()
    if not seen.hears_all_of(seat.pod) and seen.remembers("KilledWhileLoading", seat.where):
        return failing or "startup"
    killed = ended is not None and ended.exit_code in _KILLED_CODES
    return failing if killed else ""


def _crash_sentence(seat: Seat, ended: Terminated | None) -> str:
    code = f" with {exit_code(ended.exit_code, ended.signal)}" if ended else ""
    return f"{seat.title} keeps ending{code} ({_restarts(seat)}){LOG_SAYS_WHY}"


def _restarts(seat: Seat) -> str:
    return count_of(seat.status.restart_count or 0, "restart")


def _times(seat: Seat) -> str:
    return count_of(seat.status.restart_count or 0, "time")

"""The parts of the console, each with its state and one sentence.

Only the database is needed to answer a page: without queue, cache or background work lists grow
old and say so, but a console that works is not to be taken out of service for that.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from django.conf import settings
from django.core.cache import cache
from django.db import DatabaseError, connection
from redis import RedisError

from console.health.asking import Asker
from console.health.queue_depth import QueueSilent, queue_depth
from deployments.services.heartbeat import WATCHING, BeatStatus, beat_status

# Seconds that all questions together may take; a probe gives up soon after.
SECONDS = 2.0

DATABASE, QUEUE, CACHE, RECONCILER = "database", "queue", "cache", "reconciler"
# Optional: a part only where one is wanted or was ever seen to act.
WATCHER = "watcher"
# Without these no page can be answered.
NEEDED = (DATABASE,)


class State(StrEnum):
    """Well, at work but behind, or without an answer."""

    OK = "ok"
    LATE = "late"
    DOWN = "down"


@dataclass(frozen=True, kw_only=True, slots=True)
class Part:
    """One part: what is up with it, in a sentence that names no host and no secret."""

    name: str
    state: State
    sentence: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Health:
    """All parts as just asked."""

    parts: tuple[Part, ...]

    @property
    def is_serving(self) -> bool:
        """Tell whether pages can be answered."""
        return all(part.state is State.OK for part in self.parts if part.name in NEEDED)

    @property
    def is_well(self) -> bool:
        """Tell whether nothing is wrong at all."""
        return all(part.state is State.OK for part in self.parts)


def ask_health() -> Health:
    """Ask every part at once; returns within `SECONDS` whatever happens to them."""
    answers = _asker.ask(_QUESTIONS, seconds=SECONDS)
    told = (answers[name] if name in answers else _unanswered(name) for name in _QUESTIONS)
    return Health(parts=tuple(part for part in told if part is not None))


def ask_database() -> Part:
    """Tell whether the database answers."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return _down(DATABASE)
    finally:
        connection.close()  # that of this thread, which is nobody's request
    return _ok(DATABASE, "The database answers.")


def ask_queue() -> Part:
    """Tell whether the queue answers, and how many messages wait in it."""
    try:
        depth = queue_depth()
    except QueueSilent:
        return _down(QUEUE)
    waiting = "1 message waits" if depth == 1 else f"{depth} messages wait"
    return _ok(QUEUE, f"The queue answers; {waiting} in it.")


def ask_cache() -> Part:
    """Tell whether the cache keeps what it is told."""
    try:
        cache.set("health", State.OK.value, timeout=10)
        kept = cache.get("health")
    except (OSError, ValueError, RedisError):
        return _down(CACHE)
    return _ok(CACHE, "The cache answers.") if kept == State.OK.value else _down(CACHE)


def ask_reconciler() -> Part:
    """Tell when the background work acted last."""
    try:
        status = beat_status()
    except DatabaseError:
        return _down(RECONCILER)
    finally:
        connection.close()
    return _acting(RECONCILER, status)


def ask_watcher() -> Part | None:
    """Tell when the watcher acted last; None where there is none and none is wanted."""
    try:
        status = beat_status(WATCHING)
    except DatabaseError:
        return _unanswered(WATCHER)
    finally:
        connection.close()
    return _acting(WATCHER, status) if status.at or _wants_watcher() else None


def _wants_watcher() -> bool:
    return bool(settings.WATCH and settings.K8S.is_configured)


def _acting(name: str, status: BeatStatus) -> Part:
    """Tell of a part that proves by its beat that it acts."""
    who, question = _WHO[name]
    if status.age_seconds is None:
        return Part(name=name, state=State.LATE, sentence=f"{who} has never acted: {question}")
    if status.is_ahead:
        return Part(name=name, state=State.LATE, sentence=f"{who} {_AHEAD}")
    acted = f"{who} acted {status.age_seconds:.0f} s ago"
    if status.is_late:
        return Part(name=name, state=State.LATE, sentence=f"{acted}, which is late: {question}")
    return _ok(name, f"{acted}.")


def _ok(name: str, sentence: str) -> Part:
    return Part(name=name, state=State.OK, sentence=sentence)


def _unanswered(name: str) -> Part | None:
    return None if name == WATCHER and not _wants_watcher() else _down(name)


def _down(name: str) -> Part:
    return Part(name=name, state=State.DOWN, sentence=_SILENT[name])


_AHEAD = (
    "says that it acted later than now: was a clock set back, or do those of two machines differ?"
)
_WHO: Mapping[str, tuple[str, str]] = {
    RECONCILER: ("The background work", "are worker and clock running?"),
    WATCHER: ("The watcher", "is it running? Until then changes are known with the next pass."),
}
_SILENT: Mapping[str, str] = {
    DATABASE: "The database does not answer; no page can be shown.",
    QUEUE: "The queue does not answer; pages work, lists are not refreshed.",
    CACHE: "The cache does not keep what it is told; attempts to sign in cannot be counted.",
    RECONCILER: "Nobody knows when the background work acted last.",
    WATCHER: "Nobody knows when the watcher acted last.",
}
_QUESTIONS: Mapping[str, Callable[[], Part | None]] = {
    DATABASE: ask_database,
    QUEUE: ask_queue,
    CACHE: ask_cache,
    RECONCILER: ask_reconciler,
    WATCHER: ask_watcher,
}
_asker: Asker[Part | None] = Asker(threads=len(_QUESTIONS))

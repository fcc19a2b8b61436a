"""Keeps what one pass has seen, many rows at a time: a big cluster may change all at once.

The same rule as for a single read: nothing newer is replaced, and nothing whose intent or revision
was changed meanwhile.
"""

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass

from django.db import DatabaseError
from django.utils import timezone

from deployments.models import Deployment
from deployments.services.load_times import keep_load_times
from deployments.services.observing import Kept, keep_observation
from deployments.services.reports import Tally
from deployments.services.snapshots import (
    change_of,
    is_end,
    is_news,
    is_turn,
    news_of,
    rows_as_read,
    set_columns,
    tell_changes,
)
from providers.contract.protocols import Observation

CHUNK = 200

Fence = Callable[[], AbstractContextManager[None]]
"""Makes the transaction that a pass writes in, as long as it may."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Seen:
    """One deployment as it was read from the database, and then from the cluster."""

    deployment: Deployment
    observation: Observation


def keep_observations(seen: Sequence[Seen], tally: Tally, *, fence: Fence) -> None:
    """Store what is news of what a pass has seen, as `keep_news`."""
    keep_news([one for one in seen if is_news(one.deployment, one.observation)], tally, fence=fence)


def keep_news(news: Iterable[Seen], tally: Tally, *, fence: Fence) -> None:
    """Store these and close what is removed; what cannot be stored is a problem."""
    plain: list[Seen] = []
    ending: list[Seen] = []
    for one in news:
        (ending if is_end(one.deployment, one.observation) else plain).append(one)
    for start in range(0, len(plain), CHUNK):
        _keep_chunk(plain[start : start + CHUNK], tally, fence)
    for one in ending:
        _keep_one(one, tally, fence)


def _keep_chunk(chunk: Sequence[Seen], tally: Tally, fence: Fence) -> None:
    try:
        tally.counts["changed"] += _store(chunk, fence)
    except (DatabaseError, ValueError):
        # One of them cannot be stored; the others can.
        for one in chunk:
            _keep_one(one, tally, fence)


def _keep_one(one: Seen, tally: Tally, fence: Fence) -> None:
    try:
        with fence():
            kept = keep_observation(one.deployment, one.observation)
    except (DatabaseError, ValueError) as error:
        tally.problems.append(f"{one.deployment.name}: {error}")
    else:
        if kept is not Kept.SAME:
            tally.add(kept.value)


def _store(chunk: Sequence[Seen], fence: Fence) -> int:
    """Write a chunk in one transaction: a row each, and one line of history for every verdict."""
    now = timezone.now()
    written: list[tuple[Seen, dict[str, object]]] = []
    with fence():
        for one in chunk:
            columns = news_of(one.deployment, one.observation)
            rows = rows_as_read(one.deployment, one.observation)
            if rows.update(**columns, updated_at=now):
                written.append((one, columns))
        turns = [(one.deployment, columns) for one, columns in written]
        tell_changes([change_of(*turn, now) for turn in turns if is_turn(*turn)])
        keep_load_times((one.deployment, one.observation) for one, _ in written)
    for one, columns in written:
        set_columns(one.deployment, {**columns, "updated_at": now})
    return len(written)

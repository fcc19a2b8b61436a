"""When a cluster that fails is asked again: later each time, until anything of it answers.

Only the background work waits. A person's request always asks, and its answer ends the waiting.
"""

import random
from collections.abc import Mapping
from datetime import datetime, timedelta

from django.utils import timezone

from deployments.models import Cluster
from providers.contract.errors import ProviderError, Unavailable

FIRST_SECONDS, MOST_SECONDS = 10.0, 300.0
# Clusters that went silent together are not asked again together. Never longer than was said.
LEAST_SHARE = 0.8

Unread = Mapping[str, Mapping[str, str]]
"""Kinds that could not be read, as the column `unread_kinds` has them."""


def answered_columns(unread: Unread) -> dict[str, object]:
    """Return the columns of a cluster that answers, be it not for every kind."""
    told = [f"{kind} could not be read: {missed['why']}" for kind, missed in unread.items()]
    return {
        "reachable": True,
        "last_error": "; ".join(told),
        "last_error_code": "KindUnread" if told else "",
        "failed_passes": 0,
        "next_try_at": None,
    }


def failure_columns(cluster: Cluster, error: ProviderError, *, now: datetime) -> dict[str, object]:
    """Return the columns of a cluster whose pass failed once more."""
    failures = cluster.failed_passes + 1
    asked = error.retry_after if isinstance(error, Unavailable) else 0.0
    wait = max(wait_seconds(failures), min(asked, MOST_SECONDS))
    return {
        "reachable": False,
        "last_error": error.message,
        "last_error_code": error.code,
        "failed_passes": failures,
        "next_try_at": now + timedelta(seconds=wait),
    }


def wait_seconds(failures: int) -> float:
    """Return how long to wait after so many failures in a row: 10 s, 20, 40, at most 5 minutes."""
    doublings = min(max(failures - 1, 0), 10)
    longest = min(MOST_SECONDS, FIRST_SECONDS * (1 << doublings))
    return longest * random.uniform(LEAST_SHARE, 1)  # noqa: S311 - spreads load, guards nothing


def is_waiting(cluster: Cluster, *, now: datetime) -> bool:
    """Tell whether the background work leaves a cluster alone for now.

    Nobody is ever told to wait longer than the longest time: that was a clock set back since.
    """
    until = cluster.next_try_at
    return until is not None and now < until <= now + timedelta(seconds=MOST_SECONDS)


def note_answer(cluster: Cluster) -> None:
    """End the waiting of a cluster that has just answered somebody; costs nothing for a well one.

    What its deployments are like is known only from the next pass, which then comes at once.
    """
    if cluster.reachable is not False:
        return
    columns = {**answered_columns(cluster.unread_kinds), "last_seen_at": timezone.now()}
    Cluster.objects.filter(pk=cluster.pk, reachable=False).update(**columns)
    for name, value in columns.items():
        setattr(cluster, name, value)

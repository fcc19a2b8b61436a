"""Sweeps what has had its time: old verdicts, and load times that newer ones have replaced.

In small transactions, so that nobody waits for it, and only so many of them in one turn. The
verdict that a record has now and the first it ever had stay, as do revisions and the audit trail.
"""

from collections.abc import Iterator
from datetime import timedelta
from itertools import islice

from django.db.models import Count
from django.utils import timezone

from deployments.models import LoadTime, StatusChange
from deployments.models.history import StatusChangeQuerySet

# Rows of one transaction, and transactions of one turn.
BATCH, BATCHES = 500, 40


def sweep_history(*, days: int, failure_days: int, lines: int) -> int:
    """Remove verdicts that ended so many days ago, and of each deployment all but so many lines.

    Failed and Degraded have `failure_days` and lines of their own. Returns how many went; what one
    turn leaves, the next one takes.
    """
    batches = _batches(days=days, failure_days=failure_days, lines=lines)
    return sum(StatusChange.objects.sweep(keys) for keys in islice(batches, BATCHES))


def sweep_load_times() -> int:
    """Remove the load times that no estimate looks at any more; return how many."""
    keys = LoadTime.objects.beyond().order_by().values_list("pk", flat=True)
    return LoadTime.objects.sweep(list(keys[:BATCH]))


def _batches(*, days: int, failure_days: int, lines: int) -> Iterator[list[int]]:
    """Yield keys to remove; whoever takes a batch removes it before the next."""
    every = StatusChange.objects.may_go()
    for rows, age in ((every.others(), days), (every.faults(), failure_days)):
        yield from _of_age(rows, age)
        yield from _beyond(rows, lines)


def _of_age(rows: StatusChangeQuerySet, days: int) -> Iterator[list[int]]:
    old = rows.filter(until__lt=timezone.now() - timedelta(days=days)).order_by("until")
    while keys := list(old.values_list("pk", flat=True)[:BATCH]):
        yield keys


def _beyond(rows: StatusChangeQuerySet, lines: int) -> Iterator[list[int]]:
    counted = rows.order_by().values("deployment").annotate(count=Count("pk"))
    long = counted.filter(count__gt=lines).values_list("deployment", flat=True)
    for deployment in list(long[:BATCHES]):
        own = rows.filter(deployment=deployment).order_by("-at", "-pk")
        while keys := list(own.values_list("pk", flat=True)[lines : lines + BATCH]):
            yield keys

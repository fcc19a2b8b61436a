"""Who may act now: a lease on a row, taken by one conditional UPDATE on any database."""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, TypeVar

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

# No lease is taken for so long: one that ends later was taken before the clock was set back.
LONGEST = timedelta(minutes=10)

_Rows = TypeVar("_Rows", bound=QuerySet[Any])


class LeaseLost(Exception):
    """Somebody else has the lease by now: whoever had it before writes nothing more."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Lease:
    """The right to act on a row; `owner` is unique to this taking, so that a late write misses."""

    pk: object
    owner: str


def new_owner() -> str:
    """Return the name of one taking."""
    return str(uuid.uuid4())


def take_lease(rows: _Rows, pk: object, *, seconds: float) -> Lease | None:
    """Take the lease of a row for so long, or return None when someone else holds it."""
    now, owner = timezone.now(), new_owner()
    taken = (
        unleased(rows)
        .filter(pk=pk)
        .update(
            lease_owner=owner,
            lease_until=now + timedelta(seconds=seconds),
            lease_fence=F("lease_fence") + 1,
        )
    )
    return Lease(pk=pk, owner=owner) if taken else None


@contextmanager
def fenced(rows: QuerySet[Any], lease: Lease, *, seconds: float) -> Iterator[None]:
    """Make a transaction that nobody can take the lease in, and renew it for so long.

    Its first write is that of the leased row, so that any database holds others off until it ends.
    Raises LeaseLost when somebody has taken the lease before.
    """
    with transaction.atomic():
        if not held(rows, lease).update(lease_until=timezone.now() + timedelta(seconds=seconds)):
            raise LeaseLost
        yield


def release_lease(rows: _Rows, lease: Lease) -> bool:
    """Give a lease back; False when it had been lost meanwhile."""
    return bool(held(rows, lease).update(lease_owner="", lease_until=None))


def held(rows: _Rows, lease: Lease) -> _Rows:
    """Return the row as long as the lease on it stands."""
    return rows.filter(pk=lease.pk, lease_owner=lease.owner)


def unleased(rows: _Rows) -> _Rows:
    """Return the rows that nobody acts on now."""
    now = timezone.now()
    is_over = Q(lease_until__lt=now) | Q(lease_until__gt=now + LONGEST)
    return rows.filter(Q(lease_until=None) | is_over)

"""Who may act now: a lease on a row, taken by one conditional UPDATE on any database."""

import uuid
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, TypeVar

from django.db.models import F, Q, QuerySet
from django.utils import timezone

_Rows = TypeVar("_Rows", bound=QuerySet[Any])


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


def release_lease(rows: _Rows, lease: Lease) -> bool:
    """Give a lease back; False when it had been lost meanwhile."""
    return bool(held(rows, lease).update(lease_owner="", lease_until=None))


def held(rows: _Rows, lease: Lease) -> _Rows:
    """Return the row as long as the lease on it stands."""
    return rows.filter(pk=lease.pk, lease_owner=lease.owner)


def unleased(rows: _Rows) -> _Rows:
    """Return the rows that nobody acts on now."""
    return rows.filter(Q(lease_until=None) | Q(lease_until__lt=timezone.now()))

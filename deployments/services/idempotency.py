"""Requests that may be sent twice: one key, and the second is answered as the first was.

The row is written before anything is asked of a cluster. It carries the id of the deployment to be
made, so that even a request whose first run died half-way makes one deployment, not two.
"""

import uuid
from dataclasses import dataclass
from datetime import timedelta

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from deployments.exceptions import InvalidOrder, KeyInProgress, KeyReused
from deployments.models import IdempotencyKey
from providers.contract.manifest import digest_of

FIELD = "Idempotency-Key"
KEPT_FOR = timedelta(hours=24)
# Longer than any request lives; a key still running after that belongs to a process that died.
RUNS_AT_MOST = timedelta(seconds=60)
MAX_LENGTH = 200


@dataclass(frozen=True, kw_only=True, slots=True)
class Begun:
    """The first request with a key; hand `deployment_id` to the launch."""

    row_id: int
    taken_by: uuid.UUID
    deployment_id: uuid.UUID


@dataclass(frozen=True, kw_only=True, slots=True)
class Replay:
    """A request that was answered before, with that answer."""

    status: int
    body: object


def begin_request(user: User, *, key: str, body: object) -> Begun | Replay:
    """Take a key, or return what it was answered with.

    Raises KeyInProgress, KeyReused for another body, InvalidOrder for a key that cannot be one.
    """
    _check(key)
    now, digest = timezone.now(), digest_of(body)
    IdempotencyKey.objects.filter(user=user, key=key, expires_at__lte=now).delete()
    try:
        with transaction.atomic():
            row = IdempotencyKey.objects.create(
                user=user,
                key=key,
                body_digest=digest,
                taken_until=now + RUNS_AT_MOST,
                expires_at=now + KEPT_FOR,
            )
    except IntegrityError:
        return _begin_again(user, key, digest)
    return Begun(row_id=row.pk, taken_by=row.taken_by, deployment_id=row.deployment_id)


def finish_request(begun: Begun, *, status: int, body: object) -> None:
    """Keep the answer for replays."""
    _held(begun).update(status=status, body=body)


def free_request(begun: Begun) -> None:
    """Forget the key: what was refused may be sent again."""
    _held(begun).delete()


def forget_expired_keys() -> int:
    """Remove the keys whose day is over; return how many."""
    return IdempotencyKey.objects.filter(expires_at__lte=timezone.now()).delete()[0]


def _begin_again(user: User, key: str, digest: str) -> Begun | Replay:
    row = IdempotencyKey.objects.filter(user=user, key=key).first()
    if row is None:
        raise KeyInProgress(FIELD, "the first request was refused just now; send it again")
    if row.body_digest != digest:
        raise KeyReused(FIELD, "was sent before with another body; use a new key")
    if row.status is not None:
        return Replay(status=row.status, body=row.body)
    taken_by = uuid.uuid4()
    abandoned = IdempotencyKey.objects.filter(
        pk=row.pk, status=None, taken_by=row.taken_by, taken_until__lt=timezone.now()
    )
    if not abandoned.update(taken_by=taken_by, taken_until=timezone.now() + RUNS_AT_MOST):
        raise KeyInProgress(FIELD, "the first request with this key is still running")
    return Begun(row_id=row.pk, taken_by=taken_by, deployment_id=row.deployment_id)


def _held(begun: Begun) -> QuerySet[IdempotencyKey]:
    return IdempotencyKey.objects.filter(pk=begun.row_id, taken_by=begun.taken_by)


def _check(key: str) -> None:
    if not key.strip() or len(key) > MAX_LENGTH or not key.isprintable():
        raise InvalidOrder.of(FIELD, f"must be printable text of at most {MAX_LENGTH} characters")

"""API tokens of a person: made, listed, revoked. Only a token's hash is kept, so that nobody, the
console included, can tell it a second time.
"""

from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from knox.models import AuthToken
from knox.settings import knox_settings

from deployments.exceptions import TokenMissing, TooManyTokens
from deployments.services.auditing import Act, Origin, Outcome, record_audit


def tokens_of(user: User) -> QuerySet[AuthToken]:
    """Return the tokens of a person that still work, newest first."""
    works = Q(expiry=None) | Q(expiry__gt=timezone.now())
    rows: QuerySet[AuthToken] = AuthToken.objects.filter(works, user=user).order_by("-created")
    return rows


def next_expiry(now: datetime) -> datetime:
    """Return until when a token works that is made now."""
    life: timedelta = knox_settings.TOKEN_TTL
    return now + life


def issue_token(user: User, *, by: User | None, origin: Origin) -> str:
    """Make a token and return it, this once only; raises TooManyTokens."""
    with transaction.atomic():
        # Two at once would both count the same.
        User.objects.select_for_update().get(pk=user.pk)
        most: int = knox_settings.TOKEN_LIMIT_PER_USER
        if tokens_of(user).count() >= most:
            raise TooManyTokens(most)
        row, token = AuthToken.objects.create(user=user)
        _record("token.issue", user, by=by, key=row.token_key, origin=origin)
    return str(token)


def find_token(user: User, key: str) -> AuthToken:
    """Return a person's own token by how it begins; raises TokenMissing."""
    found = tokens_of(user).filter(token_key=key).first()
    if found is None:
        raise TokenMissing
    return found


def revoke_token(user: User, *, key: str, origin: Origin) -> None:
    """End a person's own token at once; raises TokenMissing."""
    with transaction.atomic():
        find_token(user, key).delete()
        _record("token.revoke", user, by=user, key=key, origin=origin)


def forget_expired_tokens() -> int:
    """Remove the tokens that work no more; return how many."""
    count, _ = AuthToken.objects.filter(expiry__lt=timezone.now()).delete()
    return int(count)


def _record(action: str, user: User, *, by: User | None, key: str, origin: Origin) -> None:
    act = Act(
        action=action,
        object_type="user",
        object_id=str(user.pk),
        object_name=user.username,
        outcome=Outcome.SUCCEEDED,
        message=f"begins with {key}",
        origin=origin,
    )
    record_audit(act, actor=by)

"""Slows down guessing of passwords: counts attempts per name and address, and per address.

Counters live in the cache, so they forget by themselves. They know no user, whether there is one
or not, so that a pause tells nobody which names exist; a name alone is never paused, so that
nobody can lock out another. While the shared cache is silent each process counts for itself:
people still come in, and guessing stays slow.
"""

import hashlib
from contextlib import suppress

from django.conf import settings
from django.core.cache import cache
from django.core.cache.backends.base import BaseCache
from django.core.cache.backends.locmem import LocMemCache
from django.http import HttpRequest
from redis import RedisError

# One address may be the way out of a whole office.
PER_ADDRESS = 10
SILENT = (OSError, RedisError)
_own = LocMemCache("sign-in", {})


def may_try(request: HttpRequest, username: str) -> bool:
    """Count this attempt and tell whether it may go on.

    It is counted before the password is looked at: many at once are not more than one by one.
    """
    address = _address(request)
    keys = (_key(address, username), _key(address))
    try:
        pair, alone = (_count(cache, key) for key in keys)
    except SILENT:
        pair, alone = (_count(_own, key) for key in keys)
    return pair <= settings.SIGN_IN_FAILURES and alone <= settings.SIGN_IN_FAILURES * PER_ADDRESS


def forget_attempts(request: HttpRequest, username: str) -> None:
    """Begin anew for a name that has just signed in from here."""
    key = _key(_address(request), username)
    _own.delete(key)
    with suppress(*SILENT):
        cache.delete(key)


def _count(store: BaseCache, key: str) -> int:
    store.add(key, 0, timeout=settings.SIGN_IN_PAUSE)
    try:
        return store.incr(key)
    except ValueError:  # it expired between the two lines
        return 1


def _key(*parts: str) -> str:
    # Names may hold anything, keys may not; and a cache is no place for people's names.
    digest = hashlib.sha256("\0".join(part.casefold() for part in parts).encode()).hexdigest()
    return f"sign-in:{digest}"


def _address(request: HttpRequest) -> str:
    forwarded = request.headers.get("X-Forwarded-For", "")
    if settings.TRUST_PROXY and forwarded:
        # The last entry is what our own proxy saw; the ones before it anyone can write.
        return forwarded.rsplit(",", 1)[-1].strip()
    return str(request.META.get("REMOTE_ADDR", ""))

"""System checks of a console that others reach: wrong names, a weak key, redirects without end.

Each message names the variable and says what to do. What cannot work is an error and stops the
start; what may be meant is a warning.
"""

import re
from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning, register  # noqa: A004 Django's name

from console.checks import TAG

KEY_LENGTH = 32
# A host name, with a leading dot for all below it; an address; * for any.
_HOST = re.compile(r"\.?[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?|\[[0-9a-f:.]+\]|\*", re.IGNORECASE)


@register(TAG)
def check_hosts(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """Report names that no request can ever bear."""
    del app_configs, kwargs
    return [
        Error(
            f"SLIPWAY_ALLOWED_HOSTS has {host!r}, which is no host name.",
            hint="Give names only, without https://, port or path, as in slipway.example.",
            id="console.E020",
        )
        for host in settings.ALLOWED_HOSTS
        if not _HOST.fullmatch(host)
    ]


@register(TAG)
def check_secret_key(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """Report a key that can be guessed, and one that other machines do not share."""
    del app_configs, kwargs
    return [*_short_key(), *_private_key()]


@register(TAG)
def check_proxy(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """Report HTTPS that nobody tells us of: every page would redirect to itself."""
    del app_configs, kwargs
    if not settings.HTTPS or settings.TRUST_PROXY:
        return []
    return [
        Warning(
            "SLIPWAY_HTTPS is on, and SLIPWAY_TRUST_PROXY is off.",
            hint="The console speaks plain HTTP behind a proxy that ends TLS; unless that proxy's "
            "X-Forwarded-Proto is trusted, every page redirects to itself. "
            "Set SLIPWAY_TRUST_PROXY=1 if the proxy sets that header itself.",
            id="console.W023",
        )
    ]


def _short_key() -> Iterator[CheckMessage]:
    if len(settings.SECRET_KEY) < KEY_LENGTH:
        yield Error(
            f"SLIPWAY_SECRET_KEY has {len(settings.SECRET_KEY)} characters.",
            hint=f"Use at least {KEY_LENGTH} random ones, as `openssl rand -base64 48` makes them.",
            id="console.E021",
        )


def _private_key() -> Iterator[CheckMessage]:
    if settings.REDIS_URL and not settings.HAS_SHARED_SECRET_KEY:
        yield Warning(
            "SLIPWAY_SECRET_KEY is not set, and REDIS_URL says that there are several machines.",
            hint="Each would sign with a key of its own, and people would be signed out at every "
            "other request; set SLIPWAY_SECRET_KEY or SLIPWAY_SECRET_KEY_FILE to the same on all.",
            id="console.W022",
        )

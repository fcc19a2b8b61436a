"""System checks of the settings: every wrong value has an id, a sentence and a hint.

Errors stop the start. A provider that does not import is a warning: the console runs without it.
"""

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning, register, run_checks  # noqa: A004 Django's name
from django.core.exceptions import ImproperlyConfigured

from providers import registry

TAG = "slipway"


@register(TAG)
def check_environment(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """Report every value of the environment that cannot be used."""
    del app_configs, kwargs
    read = (settings.K8S, settings.REFRESH, settings.RETENTION, settings.PROMETHEUS)
    return [
        Error(problem.message, hint=problem.hint, id=problem.id)
        for values in read
        for problem in values.problems
    ]


@register(TAG)
def check_providers(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """Report the providers that are named in the setting and cannot be used."""
    del app_configs, kwargs
    return [
        Warning(
            f"The provider {app!r} is not available: {cause}.",
            hint="Correct SLIPWAY_PROVIDERS or the provider; until then its kind is not offered.",
            id="providers.W001",
        )
        for app, cause in registry.broken().items()
    ]


@register(TAG)
def check_queue(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """Report a queue address that no transport of ours understands."""
    del app_configs, kwargs
    if not settings.REDIS_URL or _is_redis(settings.REDIS_URL):
        return []
    return [
        Error(
            "REDIS_URL is not the address of a Redis.",
            hint="Use redis://HOST:6379/0, rediss:// for TLS, or leave it unset.",
            id="console.E008",
        )
    ]


def _is_redis(url: str) -> bool:
    """Tell whether both the cache and the queue understand an address: no socket, one number."""
    try:
        parts = urlsplit(url)
        number = parts.path.strip("/") or "0"
        known = parts.scheme in {"redis", "rediss"} and number.isdecimal()
        return known and bool(parts.hostname) and parts.port != 0
    except ValueError:  # a port or an address that is none
        return False


def refuse_wrong_settings() -> None:
    """Raise ImproperlyConfigured with one line per wrong setting, for starts without a command."""
    errors = [found for found in _run() if found.is_serious()]
    if errors:
        raise ImproperlyConfigured(
            "\n".join(f"{error.id}: {error.msg} {error.hint}" for error in errors)
        )


def _run() -> Sequence[CheckMessage]:
    return run_checks(tags=[TAG])

"""Which providers there are: the one place of `providers` that reads Django's settings.

The core asks here by kind and never imports a provider itself. A provider app has a module
`<app>.provider` with an object `provider`. What does not import is kept with its cause, so that
it can be reported and the rest goes on.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from importlib import import_module

from django.apps import AppConfig

from providers.contract.protocols import Provider
from providers.membership import misshape_of

DEFAULT_KIND = "k8s-deployment"


class UnknownKind(LookupError):
    """Nobody carries this kind; the message lists those that somebody does."""

    code = "unknown_implementation"

    def __init__(self, kind: str, known: Iterable[str]) -> None:
        """Keep the kind that was asked for and say which ones exist."""
        self.kind = kind
        self.message = (
            f"there is no implementation {kind!r}; use one of {', '.join(sorted(known)) or 'none'}"
        )
        super().__init__(self.message)


def importable(names: Iterable[str]) -> tuple[list[str], dict[str, str]]:
    """Return the apps among `names` whose package imports, and why each other one does not.

    Each once, and of two with the same last word the first: Django would not start over either.
    """
    apps: dict[str, str] = {}
    broken: dict[str, str] = {}
    for name in dict.fromkeys(names):
        cause = _import_failure(name)
        label = "" if cause else AppConfig.create(name).label
        if cause or label in apps:
            broken[name] = cause or f"{apps[label]} has the app label {label!r} already"
        else:
            apps[label] = name
    return list(apps.values()), broken


def providers() -> Mapping[str, Provider]:
    """Return every provider that can be used, by kind, in the order of the setting."""
    return _loaded()[0]


def broken() -> Mapping[str, str]:
    """Return the provider apps that cannot be used, each with the cause."""
    return _loaded()[1]


def get(kind: str) -> Provider:
    """Return the provider of a kind or alias; raises UnknownKind."""
    for provider in providers().values():
        if kind == provider.kind or kind in provider.aliases:
            return provider
    raise UnknownKind(kind, providers())


def is_carried(kind: str) -> bool:
    """Tell whether there is a provider for a kind, as deployments name it."""
    return kind in providers()


def title_of(kind: str) -> str:
    """Return how people call a kind, which is the kind itself where nobody carries it."""
    provider = providers().get(kind)
    return provider.title if provider else kind


def forget() -> None:
    """Read the setting anew at the next question; for tests that change it."""
    _loaded.cache_clear()


@cache
def _loaded() -> tuple[Mapping[str, Provider], Mapping[str, str]]:
    from django.conf import settings  # the settings import this module

    apps, failed = importable(settings.SLIPWAY_PROVIDERS)
    found: dict[str, Provider] = {}
    for app in apps:
        provider: Provider = import_module(f"{app}.provider").provider
        taken = [kind for kind in (provider.kind, *provider.aliases) if _is_taken(kind, found)]
        if taken:
            failed[app] = f"another provider already carries {', '.join(taken)}"
        else:
            found[provider.kind] = provider
    return found, failed


def _is_taken(kind: str, found: Mapping[str, Provider]) -> bool:
    return any(kind == other.kind or kind in other.aliases for other in found.values())


def _import_failure(name: str) -> str:
    # Anything may go wrong in foreign code at import; whatever it is must not stop the console.
    try:
        provider = import_module(f"{name}.provider").provider
        AppConfig.create(name)  # Django will
        return misshape_of(provider)
    except (Exception, SystemExit) as error:  # noqa: BLE001
        return f"{type(error).__name__}: {error}"

"""The one way to call a provider: whatever goes wrong comes out as one of the contract's errors.

A provider is foreign code; a fault in one must spoil neither a page nor the pass over the others.
"""

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager

from deployments.services.answers import WrongAnswer
from deployments.signals import ClusterCall, cluster_called
from providers import registry
from providers.contract.errors import (
    InvalidRequest,
    NotInstalled,
    ProviderError,
    Rejected,
    Unavailable,
)
from providers.contract.protocols import Provider

logger = logging.getLogger(__name__)


class ProviderFailed(ProviderError):
    """The provider itself is at fault: it is missing, or it raised what the contract has not."""

    code = "ProviderFailed"


class ProviderMissing(ProviderFailed):
    """No provider that can be used here carries the kind."""

    code = "ProviderMissing"

    def __init__(self, kind: str) -> None:
        """Say what that means, and what to do about it."""
        unusable = ", ".join(registry.broken())
        super().__init__(
            f"the implementation {kind} is not installed in this console, which can neither read "
            "nor change what runs by it; that goes on as it is. An admin can name its app in "
            "SLIPWAY_PROVIDERS"
            + (f"; of those that are named there, {unusable} cannot be used" if unusable else "")
        )


@contextmanager
def calling(kind: str, verb: str) -> Iterator[None]:
    """Turn what the contract does not know into ProviderFailed, with a log line that has it all."""
    try:
        yield
    except ProviderError:
        raise
    except (Exception, SystemExit) as error:
        logger.exception("a provider failed", extra={"kind": kind, "verb": verb})
        raise ProviderFailed(
            f"the implementation {kind} failed at {verb} ({_told(error)}); "
            "the console's log has the details"
        ) from error


def _told(error: BaseException) -> str:
    """Return what may be said to anybody: our own words, of foreign ones only the type."""
    return str(error) if isinstance(error, WrongAnswer) else type(error).__name__


@contextmanager
def calling_cluster(cluster: str, kind: str, verb: str) -> Iterator[None]:
    """Call a verb that asks a cluster, which it names, and tell how long it took and how it went.

    The one place where calls are measured: every verb passes here, whichever provider answers.
    """
    began, failure = time.monotonic(), ""
    try:
        with calling(kind, verb):
            yield
    except ProviderError as error:
        failure = _family_of(error)
        raise
    finally:
        seconds = time.monotonic() - began
        call = ClusterCall(cluster=cluster, verb=verb, seconds=seconds, error=failure)
        cluster_called.send(sender=ClusterCall, call=call)


def _family_of(error: ProviderError) -> str:
    """Return one word of a few, where codes are many."""
    return next((word for family, word in _FAMILIES if isinstance(error, family)), "other")


_FAMILIES: tuple[tuple[type[ProviderError], str], ...] = (
    (InvalidRequest, "invalid"),
    (Rejected, "rejected"),
    (Unavailable, "unavailable"),
    (NotInstalled, "not_installed"),
    (ProviderFailed, "provider_failed"),
)


def provider_of(kind: str) -> Provider:
    """Return the provider of a stored kind; raises ProviderMissing when there is none."""
    try:
        return registry.get(kind)
    except registry.UnknownKind as error:
        raise ProviderMissing(kind) from error

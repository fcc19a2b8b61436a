"""The one way to call a provider: whatever goes wrong comes out as one of the contract's errors.

A provider is foreign code; a fault in one must spoil neither a page nor the pass over the others.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from providers import registry
from providers.contract.errors import ProviderError
from providers.contract.protocols import Provider

logger = logging.getLogger(__name__)


class ProviderFailed(ProviderError):
    """The provider itself is at fault: it is missing, or it raised what the contract has not."""

    code = "ProviderFailed"


@contextmanager
def calling(kind: str, verb: str) -> Iterator[None]:
    """Turn what the contract does not know into ProviderFailed, with a log line that has it all."""
    try:
        yield
    except ProviderError:
        raise
    except Exception as error:
        logger.exception("a provider failed", extra={"kind": kind, "verb": verb})
        raise ProviderFailed(
            f"the implementation {kind} failed at {verb} ({type(error).__name__}); "
            "the console's log has the details"
        ) from error


def provider_of(kind: str) -> Provider:
    """Return the provider of a stored kind; raises ProviderFailed when it is not available."""
    try:
        return registry.get(kind)
    except registry.UnknownKind as error:
        raise ProviderFailed(f"the implementation {kind} is not available here") from error

"""Turns the contract's errors into this room's own, with paths as the caller wrote them."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from deployments.exceptions import ClusterRefused, ClusterUnavailable, InvalidOrder
from deployments.services.calling import ProviderFailed
from providers.contract.errors import (
    InvalidRequest,
    NotInstalled,
    ProviderError,
    Rejected,
    Unavailable,
)

Paths = Callable[[str], str]


@contextmanager
def translating(path_of: Paths = str) -> Iterator[None]:
    """Raise InvalidOrder, ClusterRefused or ClusterUnavailable for what a provider raised."""
    try:
        yield
    except InvalidRequest as error:
        raise invalid(error, path_of) from error
    except Rejected as error:
        raise refused(error) from error
    except NotInstalled as error:
        raise ClusterRefused(
            f"implementation.kind: {error.message}",
            code=error.code,
            fields={"implementation.kind": (error.message,)},
        ) from error
    except Unavailable as error:
        raise ClusterUnavailable(
            error.message, code=error.code, retry_after=error.retry_after
        ) from error
    except ProviderFailed as error:
        raise ClusterUnavailable(error.message, code=error.code) from error


def invalid(error: InvalidRequest, path_of: Paths = str) -> InvalidOrder:
    """Return the error about the caller's fields."""
    return InvalidOrder.about({path_of(path): texts for path, texts in error.fields.items()})


def refused(error: ProviderError, *, deployment_id: str = "") -> ClusterRefused:
    """Return a refusal in the cluster's own words."""
    fields: dict[str, tuple[str, ...]] = {}
    if isinstance(error, InvalidRequest):
        fields = {path: texts for path, texts in error.fields.items() if path}
    elif isinstance(error, Rejected) and error.field:
        fields = {error.field: (error.message,)}
    named = next(iter(fields), "")
    is_named = not named or error.message.startswith(named)
    return ClusterRefused(
        error.message if is_named else f"{named}: {error.message}",
        code=error.code,
        fields=fields,
        deployment_id=deployment_id,
    )

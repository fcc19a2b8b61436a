"""Which request is worked on here, through which face: for the audit trail and the log."""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum

from structlog.contextvars import bound_contextvars, get_contextvars


class Source(StrEnum):
    """Through which face an act came; what the console does by itself is the reconciler's."""

    PAGE = "page"
    API = "api"
    ADMIN = "admin"
    COMMAND = "command"
    RECONCILER = "reconciler"


def current_request_id() -> str:
    """Return the id of the request, or of the turn of the clock; empty outside of both."""
    return str(get_contextvars().get("request_id", ""))


def current_source() -> Source:
    """Return the face that is at work here; outside of them all somebody runs a command."""
    return Source(get_contextvars().get("source", Source.COMMAND))


@contextmanager
def traced() -> Iterator[None]:
    """Give an id of its own to what nobody's request asked for."""
    with bound_contextvars(request_id=secrets.token_hex(8), source=Source.RECONCILER.value):
        yield

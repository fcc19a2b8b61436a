"""Which request is being worked on here, so that the audit trail and the log can be joined."""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager

from structlog.contextvars import bound_contextvars, get_contextvars


def current_request_id() -> str:
    """Return the id of the request, or of the turn of the clock; empty outside of both."""
    return str(get_contextvars().get("request_id", ""))


@contextmanager
def traced() -> Iterator[None]:
    """Give an id of its own to what nobody's request asked for."""
    with bound_contextvars(request_id=secrets.token_hex(8)):
        yield

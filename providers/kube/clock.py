"""Time that a verb has left, and the API server's own clock.

A deadline is a moment on the monotonic clock; nothing here waits.
"""

import time
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from providers.contract.errors import Unavailable
from providers.contract.protocols import Deadline


def deadline_in(seconds: float) -> Deadline:
    """Return the deadline that many seconds from now."""
    return Deadline(at=time.monotonic() + seconds)


def seconds_left(deadline: Deadline) -> float:
    """Return what is left, never below zero."""
    return max(0.0, deadline.at - time.monotonic())


def require_time(deadline: Deadline, host: str) -> float:
    """Return the seconds left; raises Unavailable when there are none."""
    left = seconds_left(deadline)
    if left <= 0:
        raise Unavailable(f"the API server {host} did not answer in the time that was left")
    return left


def server_time(headers: Mapping[str, str]) -> datetime:
    """Return the API server's clock from its Date header, ours where it sends none."""
    try:
        return parsedate_to_datetime(headers.get("Date") or "").astimezone(UTC)
    except ValueError:
        return datetime.now(UTC)

"""Time for the simulated cluster: the wall's in the demo, one that is moved by hand in tests."""

from datetime import UTC, datetime, timedelta
from typing import Protocol


class Clock(Protocol):
    """Tells the time, always with a zone."""

    def now(self) -> datetime:
        """Return the time."""


class WallClock:
    """The machine's clock."""

    def now(self) -> datetime:
        return datetime.now(UTC)


class VirtualClock:
    """Stands still until somebody moves it."""

    def __init__(self, at: datetime = datetime(2026, 1, 1, tzinfo=UTC)) -> None:
        self._at = at

    def now(self) -> datetime:
        return self._at

    def advance_to(self, at: datetime) -> None:
        """Move on; never back."""
        self._at = max(self._at, at)


def seconds(amount: float) -> timedelta:
    return timedelta(seconds=amount)


def micro_time(at: datetime) -> str:
    """Return a time as Kubernetes writes it with microseconds."""
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def read_time(text: str) -> datetime:
    return datetime.fromisoformat(text)

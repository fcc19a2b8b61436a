"""The simulated cluster's clock: the wall's, until a test holds it."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime


class Clock:
    """Tells the time when it is called; while it is held, what takes its time does not go on."""

    def __init__(self) -> None:
        self._held_at: datetime | None = None

    def __call__(self) -> datetime:
        """Return the time."""
        return self._held_at or datetime.now(UTC)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Hold it until left; then all that was due meanwhile comes at once."""
        self._held_at = datetime.now(UTC)
        yield
        self._held_at = None

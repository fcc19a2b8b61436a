"""Remembers for a moment that a server did not answer, so that the next callers need not wait too.

Without it every read of a silent cluster holds its thread for the whole time-out, and those who
read other things queue behind. After the moment the next call tries again.
"""

import time

from providers.contract.errors import Unavailable

# What took longer than this was silence, and no refusal or mishap of one connection.
SILENT_SECONDS = 1.5
REMEMBERED_SECONDS = 3.0


class Silence:
    """What one server did last; threads may share it, a lost update costs one more time-out."""

    def __init__(self) -> None:
        self._until = 0.0
        self._said = ""

    def require_broken(self) -> None:
        """Raise Unavailable while the server counts as silent."""
        left = self._until - time.monotonic()
        if left > 0:
            raise Unavailable(f"{self._said}; asked again in {max(1, round(left))} s")

    def note(self, error: Unavailable, *, waited: float) -> Unavailable:
        """Remember an error that took so many seconds to come, if that was silence; return it."""
        if waited >= SILENT_SECONDS:
            self._said = error.message
            self._until = time.monotonic() + REMEMBERED_SECONDS
        return error

    def forget(self) -> None:
        """The server has answered."""
        self._until = 0.0

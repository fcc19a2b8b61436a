"""Remembers for a moment that a server did not answer, so that the next callers need not wait too.

Without it every read of a silent cluster holds its thread for the whole time-out, and those who
read other things queue behind. After the moment the next call tries again. A server that asked to
be left alone for longer than its caller could wait is left alone by everybody.
"""

import time

from providers.contract.errors import Unavailable

# What took longer than this was silence, and no refusal or mishap of one connection.
SILENT_SECONDS = 1.5
REMEMBERED_SECONDS = 3.0
# What a server may ask for; a proxy in front of it may ask for a day.
HEEDED_SECONDS = 60.0


class Silence:
    """What one server did last; threads may share it, a lost update costs one more time-out."""

    def __init__(self) -> None:
        self._until = self._answered_at = self._asked_until = 0.0
        self._said = self._asked = ""

    def require_broken(self) -> None:
        """Raise Unavailable while the server counts as silent, or has asked to be left alone."""
        now = time.monotonic()
        left, asked = self._until - now, self._asked_until - now
        if left > 0:
            raise Unavailable(f"{self._said}; asked again in {max(1, round(left))} s")
        if asked > 0:
            raise Unavailable(
                f"{self._asked}; {max(1, round(asked))} s are left", retry_after=asked
            )

    def note(self, error: Unavailable, *, started: float) -> Unavailable:
        """Remember the error of a call begun at `started`, if that was silence; return it.

        A server that has answered anybody since then is slow, not silent.
        """
        now = time.monotonic()
        if now - started >= SILENT_SECONDS and self._answered_at < started:
            self._said = error.message
            self._until = now + REMEMBERED_SECONDS
        return error

    def heed(self, error: Unavailable) -> Unavailable:
        """Remember for how long the server asks to be left alone; return the error."""
        self._asked = error.message
        self._asked_until = time.monotonic() + min(error.retry_after, HEEDED_SECONDS)
        return error

    def break_off(self) -> None:
        """Note that the server has answered somebody."""
        self._until, self._answered_at = 0.0, time.monotonic()

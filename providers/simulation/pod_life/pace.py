"""How fast a simulated kubelet goes about its work; back-offs can be shortened without changing
their words.
"""

from dataclasses import dataclass

FIRST_BACK_OFF_SECONDS = 10
LONGEST_BACK_OFF_SECONDS = 300


@dataclass(frozen=True, kw_only=True, slots=True)
class Pace:
    """Seconds of each step; `back_off_scale` is how long one second of a back-off really takes."""

    pull_seconds: float = 0.05
    load_seconds: float = 0.1
    crash_seconds: float = 0.3
    notice_seconds: float = 0.3
    sync_seconds: float = 12.0
    back_off_scale: float = 1.0

    @property
    def back_off_event_seconds(self) -> float:
        """How often a kubelet repeats that it still waits."""
        return self.sync_seconds * self.back_off_scale


def back_off_seconds(failures: int) -> int:
    """Return the back-off after so many failures (1, 2, …): 10 s, doubled, at most 300 s."""
    seconds = FIRST_BACK_OFF_SECONDS << min(failures - 1, 10)
    return min(seconds, LONGEST_BACK_OFF_SECONDS)


def go_duration(seconds: int) -> str:
    """Return whole seconds as Go prints them: 10s, 1m20s, 5m0s."""
    minutes, rest = divmod(seconds, 60)
    return f"{minutes}m{rest}s" if minutes else f"{rest}s"

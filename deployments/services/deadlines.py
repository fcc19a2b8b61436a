"""How long a verb may take, in seconds: one deadline, of which every call gets what is left."""

import time

from providers.contract.protocols import Deadline

CREATE_SECONDS = 4.5
READ_SECONDS = 3.0
PASS_SECONDS = 30.0
# A watcher reads everything once, and nobody waits for it.
WATCH_SECONDS = 120.0
# What is on its way is little, and asked for again soon.
MOVING_SECONDS = 10.0
# Every full pass asks first who is there: a silent cluster holds a worker for this long, no longer.
PROBE_SECONDS = 5.0
# A big cluster takes long to count, and a launch must not wait for it: it goes on with the old one.
COUNT_SECONDS = 1.5
# What each kind of a pass leaves for the next one, and the last for what was promised.
LEFT_SECONDS = 3.0


def deadline_in(seconds: float) -> Deadline:
    """Return the moment so many seconds from now."""
    return Deadline(at=time.monotonic() + seconds)


def sooner(deadline: Deadline, seconds: float) -> Deadline:
    """Return the earlier of a deadline and so many seconds from now."""
    return Deadline(at=min(deadline.at, time.monotonic() + seconds))


def earlier(deadline: Deadline, seconds: float) -> Deadline:
    """Return the moment so many seconds before a deadline."""
    return Deadline(at=deadline.at - seconds)


def seconds_left(deadline: Deadline) -> float:
    """Return what is left, below zero when it has passed."""
    return deadline.at - time.monotonic()

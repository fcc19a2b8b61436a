"""Whether the background work acts at all: a dead worker or clock is seen by everybody, soon.

Every turn of the clock that a worker carries out is one beat, so that one beat proves both.
"""

from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.utils import timezone

from deployments.models import Heartbeat

REFRESHING = "refreshing"
WATCHING = "watching"
# A turn may be late when workers are busy; so many that did not come are no accident.
MISSED = 3


@dataclass(frozen=True, kw_only=True, slots=True)
class BeatStatus:
    """When snapshots were last cared for; `at` and `age_seconds` are None when they never were.

    `is_ahead`: the moment is yet to come, since a clock was set back or two machines differ; it
    proves nothing then, and is late.
    """

    at: datetime | None
    age_seconds: float | None
    is_late: bool
    is_ahead: bool = False


def beat(name: str = REFRESHING) -> None:
    """Note that the background work acts now, or another part of it by its name."""
    Heartbeat.objects.update_or_create(name=name, defaults={"at": timezone.now()})


def end_beat(name: str) -> None:
    """Note that a part ended as it was told to: it is not late from now on, but away."""
    Heartbeat.objects.filter(name=name).delete()


def beat_status(name: str = REFRESHING) -> BeatStatus:
    """Return when a part acted last; late after three turns of the clock, or never."""
    at = Heartbeat.objects.filter(name=name).values_list("at", flat=True).first()
    if at is None:
        return BeatStatus(at=None, age_seconds=None, is_late=True)
    age, allowed = (timezone.now() - at).total_seconds(), late_after_seconds()
    return BeatStatus(
        at=at, age_seconds=max(0.0, age), is_late=abs(age) > allowed, is_ahead=age < -allowed
    )


def late_after_seconds() -> float:
    """Return the age of a beat from which on something is wrong."""
    seconds: int = settings.REFRESH.moving_seconds
    return float(MISSED * seconds)

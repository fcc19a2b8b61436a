"""The background work is seen to act, and seen when it does not."""

from datetime import timedelta

import pytest
from django.conf import LazySettings
from django.utils import timezone

from console.intervals import Intervals
from deployments.models import Heartbeat
from deployments.services.heartbeat import WATCHING, beat, beat_status, end_beat

pytestmark = pytest.mark.django_db


def test_what_never_acted_is_late() -> None:
    status = beat_status()
    assert (status.at, status.age_seconds, status.is_late) == (None, None, True)


def test_a_beat_is_fresh_and_the_next_one_takes_its_row() -> None:
    beat()
    first = beat_status().at
    beat()
    status = beat_status()
    assert first is not None
    assert status.at is not None
    assert status.at > first
    assert not status.is_late
    assert Heartbeat.objects.count() == 1


@pytest.mark.parametrize(("seconds", "is_late"), [(1400, False), (1600, True)])
def test_it_is_late_after_three_intervals(
    settings: LazySettings, seconds: int, *, is_late: bool
) -> None:
    settings.REFRESH = Intervals(moving_seconds=500)
    beat()
    Heartbeat.objects.update(at=timezone.now() - timedelta(seconds=seconds))
    assert beat_status().is_late is is_late


@pytest.mark.parametrize(("seconds", "is_ahead"), [(1400, False), (1600, True)])
def test_a_clock_that_runs_ahead_gives_no_negative_age_and_far_ahead_proves_nothing(
    settings: LazySettings, seconds: int, *, is_ahead: bool
) -> None:
    settings.REFRESH = Intervals(moving_seconds=500)
    beat()
    Heartbeat.objects.update(at=timezone.now() + timedelta(seconds=seconds))
    status = beat_status()
    assert status.age_seconds == 0
    assert (status.is_ahead, status.is_late) == (is_ahead, is_ahead)


def test_each_part_has_a_beat_of_its_own_and_one_that_ended_in_order_has_none() -> None:
    beat(WATCHING)
    assert (beat_status().is_late, beat_status(WATCHING).is_late) == (True, False)
    beat()
    end_beat(WATCHING)
    assert (beat_status().is_late, beat_status(WATCHING).at) == (False, None)

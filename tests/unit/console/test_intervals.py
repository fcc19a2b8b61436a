"""How often clusters are read: what may be set, and what a wrong value is told."""

import pytest
from django.conf import LazySettings
from django.core.checks import run_checks

from console.checks import TAG
from console.intervals import Intervals, read_intervals


def test_ten_and_sixty_seconds_unless_set() -> None:
    assert read_intervals({}) == Intervals(moving_seconds=10, full_seconds=60)


def test_both_can_be_set() -> None:
    environ = {"SLIPWAY_MOVING_SECONDS": "5", "SLIPWAY_REFRESH_SECONDS": " 30 "}
    assert read_intervals(environ) == Intervals(moving_seconds=5, full_seconds=30)


@pytest.mark.parametrize("text", ["0", "1", "-5", "1.5", "soon", "3601", "²"])
def test_what_is_no_usable_number_of_seconds_is_named(text: str) -> None:
    found = read_intervals({"SLIPWAY_MOVING_SECONDS": text})
    assert found.moving_seconds == 10
    assert [problem.id for problem in found.problems] == ["console.E009"]
    assert text in found.problems[0].message


def test_a_full_pass_less_often_than_every_moving_one_is_asked_for() -> None:
    found = read_intervals({"SLIPWAY_MOVING_SECONDS": "30", "SLIPWAY_REFRESH_SECONDS": "20"})
    assert [problem.id for problem in found.problems] == ["console.E011"]


def test_the_system_check_tells_it_with_a_hint(settings: LazySettings) -> None:
    settings.REFRESH = read_intervals({"SLIPWAY_REFRESH_SECONDS": "often"})
    found = [message for message in run_checks(tags=[TAG]) if message.id == "console.E010"]
    assert len(found) == 1
    assert "whole seconds" in str(found[0].hint)

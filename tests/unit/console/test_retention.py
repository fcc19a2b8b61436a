"""How long history is kept: what may be set, and what a wrong value is told."""

import pytest
from django.conf import LazySettings
from django.core.checks import run_checks

from console.checks import TAG
from console.retention import Retention, read_retention


def test_a_quarter_of_a_year_and_failures_for_longer_than_a_year_unless_set() -> None:
    assert read_retention({}) == Retention(days=90, failure_days=400, lines=2000)


def test_all_of_it_can_be_set() -> None:
    environ = {
        "SLIPWAY_HISTORY_DAYS": "7",
        "SLIPWAY_FAILURE_HISTORY_DAYS": " 30 ",
        "SLIPWAY_HISTORY_LINES": "100",
    }
    assert read_retention(environ) == Retention(days=7, failure_days=30, lines=100)


@pytest.mark.parametrize(
    ("name", "text", "id_"),
    [
        ("SLIPWAY_HISTORY_DAYS", "0", "console.E012"),
        ("SLIPWAY_HISTORY_DAYS", "for ever", "console.E012"),
        ("SLIPWAY_HISTORY_DAYS", "-1", "console.E012"),
        ("SLIPWAY_FAILURE_HISTORY_DAYS", "36501", "console.E013"),
        ("SLIPWAY_FAILURE_HISTORY_DAYS", "1.5", "console.E013"),
        ("SLIPWAY_HISTORY_LINES", "9", "console.E014"),
        ("SLIPWAY_HISTORY_LINES", "²", "console.E014"),
    ],
)
def test_what_is_no_usable_number_is_named_and_its_default_stands(
    name: str, text: str, id_: str
) -> None:
    found = read_retention({name: text})
    assert (found.days, found.failure_days, found.lines) == (90, 400, 2000)
    assert [problem.id for problem in found.problems] == [id_]
    assert name in found.problems[0].message
    assert text in found.problems[0].message


def test_failures_are_not_forgotten_before_all_else() -> None:
    environ = {"SLIPWAY_HISTORY_DAYS": "30", "SLIPWAY_FAILURE_HISTORY_DAYS": "20"}
    assert [problem.id for problem in read_retention(environ).problems] == ["console.E015"]


def test_the_system_check_tells_it_with_a_hint(settings: LazySettings) -> None:
    settings.RETENTION = read_retention({"SLIPWAY_HISTORY_DAYS": "long"})
    found = [message for message in run_checks(tags=[TAG]) if message.id == "console.E012"]
    assert len(found) == 1
    assert "whole number from 1" in str(found[0].hint)

"""How long a load usually takes, as people say it; and when one takes longer than that."""

from datetime import UTC, datetime, timedelta

import pytest

from console.web.shown.load_times import loading_so_far, say_usual
from deployments.load_times import LoadTimes
from providers.contract.status import Phase, Status

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
USUAL = LoadTimes(starts=14, low=360, high=540)


def status(phase: Phase = Phase.DEPLOYING, *, once_full: bool = False) -> Status:
    return Status(
        phase=phase, reason="LoadingModel", message="", once_full=once_full, observed_at=NOW
    )


def said(spent: int, times: LoadTimes = USUAL) -> tuple[str, bool]:
    found = loading_so_far(status(), times, on_node_since=NOW - timedelta(seconds=spent))
    assert found
    return found.sentence, found.is_late


@pytest.mark.parametrize(
    ("starts", "low", "high", "words"),
    [
        (14, 360, 540, "usually 6 to 9 min, from 14 starts"),
        (3, 20, 45, "usually 20 to 45 s, from 3 starts"),
        (5, 40, 200, "usually 40 s to 3 min, from 5 starts"),
        (50, 420, 425, "usually 7 min, from 50 starts"),
        (1, 420, 420, "one start so far took 7 min"),
        (2, 300, 420, "two starts so far took 5 to 7 min"),
        (4, 0, 0, "usually 0 s, from 4 starts"),
        (4, 5400, 7200, "usually 90 to 120 min, from 4 starts"),
    ],
)
def test_it_is_said_in_minutes_once_seconds_do_not_matter(
    starts: int, low: int, high: int, words: str
) -> None:
    assert say_usual(LoadTimes(starts=starts, low=low, high=high)) == words


def test_where_none_came_up_nothing_is_said() -> None:
    assert say_usual(None) == ""


def test_one_on_its_way_is_held_against_what_is_usual() -> None:
    assert said(180) == (
        "On its node for 3 min; usually 6 to 9 min, from 14 starts.",
        False,
    )
    assert said(540)[1] is False
    assert said(720) == (
        "Longer than usual: on its node for 12 min; usually 6 to 9 min, from 14 starts.",
        True,
    )


def test_a_few_starts_call_nothing_late() -> None:
    few = LoadTimes(starts=2, low=300, high=420)
    assert said(3000, few) == (
        "On its node for 50 min; two starts so far took 5 to 7 min.",
        False,
    )


def test_a_clock_behind_the_clusters_makes_it_no_less_than_nothing() -> None:
    assert said(-30)[0].startswith("On its node for 0 s;")


@pytest.mark.parametrize(
    ("verdict", "times", "since"),
    [
        (status(), None, NOW),
        (status(), USUAL, None),
        (status(Phase.FAILED), USUAL, NOW),
        (status(Phase.READY), USUAL, NOW),
        (status(once_full=True), USUAL, NOW),
    ],
)
def test_what_does_not_come_up_or_cannot_be_known_says_nothing(
    verdict: Status, times: LoadTimes | None, since: datetime | None
) -> None:
    assert loading_so_far(verdict, times, on_node_since=since) is None

"""Lines as SVG paths, in words, as a table; values in the units that people read."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from console.web.shown.chart_table import rows_of
from console.web.shown.charts import HEIGHT, WIDTH, draw
from console.web.shown.scales import axis_top, in_digits, scale_of
from deployments.measuring.figures import FIGURES, Unit
from deployments.measuring.lines import Line

START = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
END = START + timedelta(minutes=15)
BY_NAME = {figure.name: figure for figure in FIGURES}


def line(name: str, *points: tuple[float, float], gap: float = 60) -> Line:
    """Make a line of points in minutes from the start."""
    placed = tuple((START + timedelta(minutes=at), value) for at, value in points)
    return Line(figure=BY_NAME[name], points=placed, gap_seconds=gap)


def test_a_line_runs_from_left_to_right_and_higher_is_up() -> None:
    chart = draw(line("running", (0, 0), (7.5, 4), (15, 2), gap=900), START, END)
    assert chart.path == f"M0 {HEIGHT}L300 24 {WIDTH} 72"
    assert (chart.top, chart.last, chart.scale.word) == ("5", "2", "requests")


def test_where_nothing_was_measured_the_line_breaks_and_a_point_alone_is_a_dot() -> None:
    chart = draw(line("running", (0, 1), (0.5, 1), (5, 1), (15, 1)), START, END)
    assert (chart.path, chart.dots) == ("M0 0L20 0", "M200 0h0M600 0h0")


def test_the_axis_of_a_tiny_load_ends_above_nothing() -> None:
    chart = draw(line("cpu_cores", (0, 0.0011), (1, 0.0019)), START, END)
    assert (chart.top, chart.last, chart.scale.word) == ("2", "1.9", "millicores")


def test_a_reading_that_is_the_only_one_is_told_with_its_time() -> None:
    chart = draw(line("cpu_cores", (5, 0.25)), START, END)
    assert (chart.lone_at, chart.last) == (START + timedelta(minutes=5), "0.25")
    assert draw(line("cpu_cores", (5, 0.25), (10, 0.25)), START, END).lone_at is None


def test_the_words_say_what_the_eye_would_see() -> None:
    chart = draw(line("time_to_first_token_seconds", (0, 0.25), (1, 0.75), (2, 0.5)), START, END)
    assert chart.told == ("Measured from 12:00 to 12:02 UTC: lowest 250, highest 750, last 500 ms.")


def test_a_share_has_all_of_it_above() -> None:
    chart = draw(line("cache_usage", (0, 0.25), (15, 0.25), gap=900), START, END)
    assert (chart.top, chart.last, chart.path) == ("100", "25", "M0 90L600 90")


@given(st.lists(st.floats(min_value=0, max_value=1e15), min_size=1, max_size=20))
def test_every_point_stays_within_the_drawing(values: Sequence[float]) -> None:
    points = [(number / 2, value) for number, value in enumerate(values)]
    chart = draw(line("memory_bytes", *points, gap=900), START, END)
    drawn = chart.path + chart.dots.replace("h0", "")
    numbers = [int(text) for text in drawn.translate({77: 32, 76: 32}).split()]
    pairs = list(zip(numbers[::2], numbers[1::2], strict=True))
    assert len(pairs) == len(values)
    assert all(0 <= x <= WIDTH and 0 <= y <= HEIGHT for x, y in pairs)


def test_a_table_has_means_newest_first_and_no_row_of_nothing() -> None:
    lines = [line("running", (0, 1), (0.5, 3), (14.5, 7)), line("cpu_cores", (0.2, 0.25))]
    charts = [draw(one, START, END) for one in lines]
    rows = rows_of(lines, charts, START, END)
    assert [(f"{row.at:%H:%M}", row.cells) for row in rows] == [
        ("12:14", ("7", "")),
        ("12:00", ("2", "0.25")),
    ]


@pytest.mark.parametrize(
    ("unit", "value", "said", "word"),
    [
        (Unit.REQUESTS, 12.0, "12", "requests"),
        (Unit.TOKENS_PER_SECOND, 1234.5, "1,234", "tokens/s"),
        (Unit.SECONDS, 0.25, "250", "ms"),
        (Unit.SECONDS, 12.34, "12.3", "s"),
        (Unit.SHARE, 0.256, "25.6", "%"),
        (Unit.CORES, 0.1, "0.1", "cores"),
        (Unit.CORES, 0.0042, "4.2", "millicores"),
        (Unit.CORES, 0, "0", "cores"),
        (Unit.BYTES, 3.5 * 1024**3, "3.5", "GiB"),
        (Unit.BYTES, 64 * 1024**2, "64", "MiB"),
        (Unit.BYTES, 0, "0", "MiB"),
    ],
)
def test_a_value_is_said_in_a_unit_that_people_read(
    unit: Unit, value: float, said: str, word: str
) -> None:
    scale = scale_of(unit, value)
    assert (scale.say(value), scale.word) == (said, word)


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (0, "0"),
        (0.004, "0.004"),
        (0.00123, "0.0012"),
        (1e-12, "0"),
        (1.005, "1"),
        (9.99, "9.99"),
        (10, "10"),
        (100, "100"),
    ],
)
def test_few_digits_are_enough(number: float, said: str) -> None:
    assert in_digits(number) == said


@pytest.mark.parametrize(
    ("highest", "top"),
    [(0, 1), (1, 1), (1.1, 2), (2.4, 2.5), (3, 5), (7, 10), (10, 10), (1200, 2000), (0.03, 0.05)],
)
def test_an_axis_ends_at_a_round_number(highest: float, top: float) -> None:
    assert axis_top(highest) == pytest.approx(top)


@given(st.floats(min_value=1e-9, max_value=1e15))
def test_an_axis_is_never_below_its_highest_value_nor_far_above(highest: float) -> None:
    top = axis_top(highest)
    assert highest <= top * (1 + 1e-9)
    assert top <= highest * 10


def test_every_figure_says_what_it_means_in_words_of_its_own() -> None:
    words = {figure.word for figure in FIGURES}
    meanings = {figure.meaning for figure in FIGURES}
    assert len(words) == len(meanings) == len(FIGURES)

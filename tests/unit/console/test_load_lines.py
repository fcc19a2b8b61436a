"""Lines of a deployment's load: its own minutes, or the hours that a Prometheus has."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from django.conf import LazySettings

from console.load_lines import SPANS, load_of, span_of
from console.prometheus.environment import PrometheusEnvironment
from deployments.exceptions import InvalidOrder
from deployments.measuring.figures import FIGURES
from deployments.measuring.lines import Line
from deployments.models import Deployment
from providers.contract.template import Engine
from tests.prometheus import Prometheus, standing_in

VLLM = Engine(type="vllm", version="0.11.0")
START = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
WHERE = Deployment(namespace="models", runtime_name="qwen-1a2b3c4d")


@pytest.fixture
def prometheus(settings: LazySettings) -> Iterator[Prometheus]:
    with standing_in() as known:
        settings.PROMETHEUS = PrometheusEnvironment(url=known.url)
        yield known


def test_hours_come_from_prometheus_as_a_line_for_each_figure(prometheus: Prometheus) -> None:
    at = START.timestamp()
    prometheus.has(({"figure": "running"}, [(at, "1"), (at + 180, "NaN"), (at + 360, "3")]))
    load = load_of(WHERE, VLLM, SPANS["6h"])
    assert load.trouble == ""
    running, waiting = load.lines[:2]
    assert [value for _, value in running.points] == [1.0, 3.0]
    assert [len(piece) for piece in running.pieces()] == [1, 1]
    assert waiting.points == ()
    [asked] = prometheus.asked
    assert (asked.form["step"], "[180s]" in asked.form["query"]) == ("180", True)
    assert int(asked.form["end"]) - int(asked.form["start"]) == 6 * 3600


@pytest.mark.parametrize("name", ["1h", "6h", "24h"])
def test_a_span_has_as_many_points_as_a_chart_can_show(name: str) -> None:
    assert SPANS[name].length.total_seconds() / SPANS[name].step == 120


def test_without_an_address_it_says_how_to_set_one(settings: LazySettings) -> None:
    settings.PROMETHEUS = PrometheusEnvironment()
    load = load_of(WHERE, VLLM, SPANS["1h"])
    assert load.lines == ()
    assert load.trouble == (
        "the console knows of no Prometheus; an administrator sets PROMETHEUS_URL"
    )


def test_what_goes_wrong_there_is_told_and_not_raised(prometheus: Prometheus) -> None:
    prometheus.refuses(400, "bad_data", "parse error")
    load = load_of(WHERE, VLLM, SPANS["1h"])
    assert (load.lines, load.trouble) == ((), "Prometheus refuses the query: parse error")


def test_a_span_that_there_is_not_is_refused_by_name() -> None:
    assert span_of({}).name == "15m"
    assert span_of({"span": "24h"}).name == "24h"
    with pytest.raises(InvalidOrder, match="span: must be one of 15m, 1h, 6h, 24h"):
        span_of({"span": "2w"})


def test_a_line_breaks_where_nothing_was_measured() -> None:
    points = tuple((START + timedelta(seconds=at), 1.0) for at in (0, 10, 20, 60, 70))
    line = Line(figure=FIGURES[0], points=points, gap_seconds=30)
    assert [len(piece) for piece in line.pieces()] == [3, 2]
    assert list(Line(figure=FIGURES[0], points=(), gap_seconds=30).pieces()) == []

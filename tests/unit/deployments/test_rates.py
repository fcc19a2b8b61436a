"""From two readings to figures, in the cases that a rate can get wrong."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

import pytest

from deployments.measuring.documents import document_of, metrics_from
from deployments.measuring.figures import figures_of
from deployments.measuring.rates import derive_figures
from providers.contract.observing import EngineReading, Metrics, PodUse
from providers.contract.template import Engine

START = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)

Told = Mapping[str, Mapping[str, float]]


def reading(seconds: float, told: Told) -> Metrics:
    engine = tuple(EngineReading(pod=pod, values=values) for pod, values in told.items())
    return Metrics(at=START + timedelta(seconds=seconds), engine=engine)


def tokens(**pods: float) -> Told:
    return {pod: {"generation_tokens": count} for pod, count in pods.items()}


def test_what_stands_now_adds_up_and_of_caches_the_fullest_counts() -> None:
    now = reading(
        0,
        {
            "a": {"running": 2, "waiting": 0, "cache_usage": 0.2},
            "b": {"running": 1, "cache_usage": 0.9},
            "c": {},
        },
    )
    assert derive_figures(now, None) == {"running": 3, "waiting": 0, "cache_usage": 0.9}


@pytest.mark.parametrize(
    ("before", "now", "rate"),
    [
        (tokens(a=100, b=50), tokens(a=200, b=100), 15.0),
        (tokens(a=100), tokens(a=100), 0.0),
        (tokens(a=1000), tokens(a=30), 3.0),
        (tokens(a=100), tokens(a=200, new=9000), 10.0),
        (tokens(a=100, gone=9000), tokens(a=200), 10.0),
    ],
    ids=["grown", "idle", "begun anew", "a pod came", "a pod went"],
)
def test_a_rate_is_what_was_counted_between(before: Told, now: Told, rate: float) -> None:
    figures = derive_figures(reading(10, now), reading(0, before))
    assert figures["generation_tokens_per_second"] == rate


@pytest.mark.parametrize("seconds", [-5.0, 0.0, 0.5, 600.0])
def test_readings_too_close_or_too_far_apart_give_no_rate(seconds: float) -> None:
    figures = derive_figures(reading(seconds, tokens(a=2)), reading(0, tokens(a=1)))
    assert figures == {}


def test_no_pod_that_told_both_times_gives_no_rate() -> None:
    assert derive_figures(reading(10, tokens(b=2)), reading(0, tokens(a=1))) == {}


def test_the_time_to_the_first_token_is_the_mean_of_those_that_came_between() -> None:
    before = reading(0, {"a": {"ttft_sum": 10, "ttft_count": 20}})
    now = reading(10, {"a": {"ttft_sum": 13, "ttft_count": 26}})
    assert derive_figures(now, before) == {"time_to_first_token_seconds": 0.5}
    assert derive_figures(reading(20, {"a": now.engine[0].values}), now) == {}


def test_what_pods_use_adds_up() -> None:
    use = tuple(PodUse(pod=pod, cpu_cores=0.25, memory_bytes=1024) for pod in "ab")
    assert derive_figures(Metrics(at=START, use=use), None) == {
        "cpu_cores": 0.5,
        "memory_bytes": 2048.0,
    }


def test_an_engine_has_only_the_figures_that_its_version_tells() -> None:
    names = [one.name for one in figures_of(Engine(type="llamacpp", version="b10434"))]
    assert "running" in names
    assert "cache_usage" not in names
    assert "time_to_first_token_seconds" not in names
    assert [one.name for one in figures_of(Engine(type="custom"))] == ["cpu_cores", "memory_bytes"]


def test_a_stored_reading_comes_back_as_it_was() -> None:
    metrics = Metrics(
        at=START,
        use=(PodUse(pod="a", cpu_cores=0.5, memory_bytes=7),),
        use_trouble="half of it",
        engine=(
            EngineReading(pod="a", values={"running": 1.0}),
            EngineReading(pod="b", trouble="x"),
        ),
        engine_trouble="y",
    )
    assert metrics_from(START, document_of(metrics)) == metrics

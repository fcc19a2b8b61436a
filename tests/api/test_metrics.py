"""The load of a deployment over the API: now, pod by pod, and over time."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone
from pytest_django import Settings

from console.prometheus.environment import PrometheusEnvironment
from deployments.models import Deployment, MetricSample
from providers.contract.observing import EngineReading, Metrics, PodUse
from providers.testing.memory.cluster import MemoryCluster
from tests.api.conftest import Person
from tests.measured import measured
from tests.prometheus import Prometheus, standing_in

START = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


@pytest.fixture
def made(owner: Person, order: dict[str, Any]) -> Deployment:
    status, answer = owner.post("deployments", order)
    assert status == 201
    return Deployment.objects.get(pk=answer["id"])


@pytest.fixture
def prometheus(settings: Settings) -> Iterator[Prometheus]:
    with standing_in() as known:
        settings.PROMETHEUS = PrometheusEnvironment(url=known.url)
        yield known


def test_it_has_figures_and_pods_now_and_a_series_for_every_figure(
    viewer: Person, made: Deployment
) -> None:
    status, answer = viewer.get(f"deployments/{made.pk}/metrics")
    assert status == 200
    current = answer["current"]
    assert current["figures"]["running"] == 2.0
    assert "generation_tokens_per_second" not in current["figures"]
    [pod] = current["pods"]
    assert (pod["cpu_cores"], pod["memory_bytes"], pod["trouble"]) == (0.5, 2 * 1024**3, "")
    assert pod["values"]["generation_tokens"] == 1000.0
    assert (current["use_trouble"], current["engine_trouble"]) == ("", "")
    assert (answer["span"], answer["series_trouble"]) == ("15m", "")
    series = {one["name"]: one for one in answer["series"]}
    assert len(series) == 8
    [point] = series["running"]["points"]
    assert (series["running"]["unit"], point["value"]) == ("requests", 2.0)
    assert series["generation_tokens_per_second"]["points"] == []


def test_rates_come_with_the_second_reading(
    viewer: Person, made: Deployment, runtime: MemoryCluster
) -> None:
    values = {"generation_tokens": 900.0, "ttft_sum": 4.0, "ttft_count": 8.0}
    told = EngineReading(pod=f"{made.runtime_name}-0", values=values)
    at = timezone.now() - timedelta(seconds=10)
    measured(made, Metrics(at=at, engine=(told,)))
    _, answer = viewer.get(f"deployments/{made.pk}/metrics")
    figures = answer["current"]["figures"]
    passed = MetricSample.objects.latest("at").at - at
    rate = pytest.approx(100 / passed.total_seconds())
    assert figures["generation_tokens_per_second"] == rate
    assert figures["time_to_first_token_seconds"] == 0.5


def test_what_could_not_be_read_is_told_beside_what_could(
    viewer: Person, made: Deployment, runtime: MemoryCluster
) -> None:
    runtime.measured[made.runtime_name] = Metrics(
        at=timezone.now(),
        use=(PodUse(pod="a", cpu_cores=0.1, memory_bytes=5),),
        use_trouble="",
        engine=(EngineReading(pod="b", trouble="it wants its API key"),),
        engine_trouble="only 1 of 2 pods were asked",
    )
    _, answer = viewer.get(f"deployments/{made.pk}/metrics")
    first, second = answer["current"]["pods"]
    assert (first["pod"], first["values"], first["trouble"]) == ("a", {}, "")
    assert (second["cpu_cores"], second["memory_bytes"]) == (None, None)
    assert second["trouble"] == "it wants its API key"
    assert answer["current"]["engine_trouble"] == "only 1 of 2 pods were asked"


def test_hours_come_from_prometheus(
    viewer: Person, made: Deployment, prometheus: Prometheus
) -> None:
    prometheus.has(({"figure": "waiting"}, [(START.timestamp(), "7")]))
    status, answer = viewer.get(f"deployments/{made.pk}/metrics", span="6h")
    assert (status, answer["span"]) == (200, "6h")
    series = {one["name"]: one["points"] for one in answer["series"]}
    assert series["waiting"] == [{"at": "2026-11-30T12:00:00Z", "value": 7.0}]
    assert f"{made.runtime_name}".replace("-", "\\\\-") in prometheus.asked[0].form["query"]


def test_without_prometheus_hours_have_a_reason_and_now_has_its_figures(
    viewer: Person, made: Deployment
) -> None:
    status, answer = viewer.get(f"deployments/{made.pk}/metrics", span="24h")
    assert (status, answer["series"]) == (200, [])
    assert "PROMETHEUS_URL" in answer["series_trouble"]
    assert answer["current"]["figures"]["running"] == 2.0


def test_a_span_that_there_is_not_is_a_bad_field_and_measures_nothing(
    viewer: Person, made: Deployment
) -> None:
    status, answer = viewer.get(f"deployments/{made.pk}/metrics", span="1y")
    assert (status, answer["fields"]) == (400, {"span": ["must be one of 15m, 1h, 6h, 24h"]})
    assert not MetricSample.objects.exists()

"""Samples of a watched deployment: taken seldom, kept for minutes, shared by all who watch."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from deployments.exceptions import ClusterUnavailable, RecordClosed
from deployments.models import Deployment, MetricSample
from deployments.services.measuring import (
    KEPT,
    forget_old_samples,
    measure,
    recent_figures,
    slot_of,
)
from providers import registry
from providers.contract.errors import Unavailable
from providers.contract.observing import EngineReading, Metrics
from providers.testing.memory.cluster import MemoryCluster
from tests.measured import measured

Launch = Callable[..., Deployment]
START = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


@pytest.fixture
def deployment(launch: Launch) -> Deployment:
    return launch()


def told(at: datetime, tokens: float) -> Metrics:
    values = {"generation_tokens": tokens}
    return Metrics(at=at, engine=(EngineReading(pod="demo-0", values=values),))


def let_age(seconds: float) -> None:
    """Move every sample into the past."""
    for sample in MetricSample.objects.order_by("slot"):
        at = sample.at - timedelta(seconds=seconds)
        MetricSample.objects.filter(pk=sample.pk).update(at=at, slot=int(at.timestamp()) // 5)


def test_a_sample_has_the_figures_and_every_pod(
    deployment: Deployment, memory: MemoryCluster
) -> None:
    sample = measure(deployment)
    assert sample.figures == {
        "running": 2.0,
        "waiting": 1.0,
        "cache_usage": 0.25,
        "cpu_cores": 0.5,
        "memory_bytes": 2.0 * 1024**3,
    }
    assert [one["pod"] for one in sample.reading["engine"]] == [f"{deployment.runtime_name}-0"]


def test_whoever_watches_at_the_same_time_is_given_the_same_sample(
    deployment: Deployment, memory: MemoryCluster
) -> None:
    first = measure(deployment)
    again = measure(deployment)
    assert memory.calls.count("metrics") == 1
    assert (again.at, again.figures) == (first.at, first.figures)
    let_age(6)
    assert measure(deployment).at > first.at
    assert memory.calls.count("metrics") == 2


def test_a_sample_of_a_time_to_come_serves_nobody_after_the_clock_was_set_back(
    deployment: Deployment, memory: MemoryCluster
) -> None:
    measure(deployment)
    let_age(-3600)
    assert measure(deployment).at <= timezone.now()
    assert memory.calls.count("metrics") == 2


def test_while_one_process_measures_another_takes_the_sample_before(
    deployment: Deployment, memory: MemoryCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = measured(deployment, told(timezone.now() - timedelta(seconds=8), 1))
    provider, meanwhile = registry.get("memory"), list[MetricSample]()
    ask = provider.metrics  # type: ignore[attr-defined]  # it observes

    def asked_by_one(*args: object, **kwargs: object) -> Metrics:
        meanwhile.append(measure(deployment))
        seen: Metrics = ask(*args, **kwargs)
        return seen

    monkeypatch.setattr(provider, "metrics", asked_by_one)
    sample = measure(deployment)
    assert memory.calls.count("metrics") == 1
    assert [one.at for one in meanwhile] == [before.at]
    assert measure(deployment).at == sample.at
    assert MetricSample.objects.count() == 2


def test_who_looks_first_while_another_measures_is_told_all_the_same(
    deployment: Deployment, memory: MemoryCluster
) -> None:
    now = timezone.now()
    for slot in (slot_of(now), slot_of(now) + 1):  # the next one, should it begin meanwhile
        MetricSample.objects.create(deployment=deployment, slot=slot, at=now)
    assert measure(deployment).figures["running"] == 2.0
    assert not MetricSample.objects.taken().exists()


def test_a_second_sample_has_the_rates_since_the_first(deployment: Deployment) -> None:
    first = measured(deployment, told(START, 100))
    second = measured(deployment, told(START + timedelta(seconds=10), 350), first)
    assert second.figures == {"generation_tokens_per_second": 25.0}


def test_the_last_minutes_are_kept_and_nothing_older(deployment: Deployment) -> None:
    now = timezone.now()
    for minutes in (20, 14, 1):
        measured(deployment, told(now - timedelta(minutes=minutes), 1))
    assert [now - at < KEPT for at, _ in recent_figures(deployment)] == [True, True]
    measured(deployment, told(now, 1))
    assert MetricSample.objects.count() == 3


def test_a_silent_cluster_leaves_the_samples_that_there_are(
    deployment: Deployment, memory: MemoryCluster
) -> None:
    measure(deployment)
    let_age(30)
    memory.faults["metrics"] = Unavailable("silence")
    with pytest.raises(ClusterUnavailable):
        measure(deployment)
    forget_old_samples()
    assert len(recent_figures(deployment)) == MetricSample.objects.count() == 1


def test_a_closed_record_is_not_measured(deployment: Deployment) -> None:
    measure(deployment)
    deployment.closed_at = timezone.now()
    with pytest.raises(RecordClosed):
        measure(deployment)

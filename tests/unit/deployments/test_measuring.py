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
    keep_sample,
    measure,
    recent_figures,
)
from providers.contract.errors import Unavailable
from providers.contract.observing import EngineReading, Metrics
from providers.testing.memory.cluster import MemoryCluster

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


def test_of_two_processes_that_measured_at_once_one_sample_is_kept(
    deployment: Deployment, memory: MemoryCluster
) -> None:
    keep_sample(deployment, told(START, 1), None)
    keep_sample(deployment, told(START + timedelta(seconds=1), 2), None)
    [kept] = MetricSample.objects.all()
    assert kept.at == START


def test_a_second_sample_has_the_rates_since_the_first(deployment: Deployment) -> None:
    first = keep_sample(deployment, told(START, 100), None)
    second = keep_sample(deployment, told(START + timedelta(seconds=10), 350), first)
    assert second.figures == {"generation_tokens_per_second": 25.0}


def test_the_last_minutes_are_kept_and_nothing_older(deployment: Deployment) -> None:
    now = timezone.now()
    for minutes in (20, 14, 1):
        keep_sample(deployment, told(now - timedelta(minutes=minutes), 1), None)
    assert [now - at < KEPT for at, _ in recent_figures(deployment)] == [True, True]
    keep_sample(deployment, told(now, 1), None)
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
    assert len(recent_figures(deployment)) == 1


def test_a_closed_record_is_not_measured(deployment: Deployment) -> None:
    measure(deployment)
    deployment.closed_at = timezone.now()
    with pytest.raises(RecordClosed):
        measure(deployment)

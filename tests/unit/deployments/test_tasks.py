"""The tasks are thin: who is refreshed, and that each is asked for on its own."""

import logging
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import cast

import pytest
from celery import current_app
from django.contrib.auth.models import User
from django.utils import timezone

from deployments.models import AuditEntry, Cluster, Deployment, MetricSample
from deployments.services.deleting import delete_deployment
from deployments.services.refreshing import refresh_cluster
from deployments.services.tracing import current_request_id, traced
from deployments.tasks import refresh_everything, refresh_one
from providers.contract.errors import Unavailable
from providers.testing.memory.cluster import cluster_of

Launch = Callable[..., Deployment]

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _at_once() -> Iterator[None]:
    current_app.conf.task_always_eager = True
    yield
    current_app.conf.task_always_eager = False


def test_every_enabled_cluster_is_refreshed_and_no_other(cluster: Cluster) -> None:
    off = Cluster.objects.create(name="off", enabled=False)
    refresh_everything()
    cluster.refresh_from_db()
    assert cluster.last_pass_at
    assert not cluster_of(str(off.pk)).calls


def test_samples_that_nobody_watches_any_more_are_forgotten(launch: Launch) -> None:
    deployment, now = launch(), timezone.now()
    for slot, minutes in enumerate((16, 1)):
        at = now - timedelta(minutes=minutes)
        MetricSample.objects.create(deployment=deployment, slot=slot, at=at)
    refresh_everything()
    assert [sample.slot for sample in MetricSample.objects.all()] == [1]


def test_a_cluster_that_is_gone_by_now_is_no_error() -> None:
    assert refresh_one(12345) is None


def said(caplog: pytest.LogCaptureFixture) -> list[tuple[str, str]]:
    """Return level and event of each line about a pass."""
    reports = [one for one in caplog.records if one.name == "deployments.services.reports"]
    return [(one.levelname, cast("dict[str, str]", one.msg)["event"]) for one in reports]


def test_a_pass_that_fails_is_a_warning_and_one_without_news_is_no_line(
    cluster: Cluster, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    refresh_one(cluster.pk)
    assert not said(caplog)
    cluster_of(str(cluster.pk)).faults["probe"] = Unavailable("silence")
    Cluster.objects.update(last_pass_at=None)
    refresh_one(cluster.pk)
    assert said(caplog) == [("WARNING", "pass_failed")]


def test_a_pass_with_news_is_a_line(
    launch: Launch, cluster: Cluster, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    deployment = launch()
    cluster_of(str(cluster.pk)).ready[deployment.runtime_name] = 1
    refresh_one(cluster.pk)
    assert said(caplog) == [("INFO", "pass_with_news")]


def test_what_a_pass_writes_into_the_trail_bears_the_id_of_its_lines(
    launch: Launch, owner: User, cluster: Cluster
) -> None:
    deployment = launch()
    runtime = cluster_of(str(cluster.pk))
    runtime.faults["delete"] = Unavailable("silence")
    delete_deployment(deployment, user=owner)
    runtime.faults.clear()
    with traced():
        request_id = current_request_id()
        refresh_cluster(cluster)
    last = AuditEntry.objects.latest("id")
    assert (last.outcome, last.request_id) == ("succeeded", request_id)
    assert request_id

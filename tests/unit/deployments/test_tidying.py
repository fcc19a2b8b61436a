"""What has had its time is swept, failures last; what a record rests on never is."""

from datetime import datetime, timedelta

import pytest
from django.conf import LazySettings
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from console.retention import Retention
from deployments.models import AuditEntry, Deployment, LoadTime, Revision, StatusChange
from deployments.models.load_time import KEPT
from deployments.services import tidying
from deployments.services.tidying import sweep_history, sweep_load_times
from deployments.tasks import tidy_up
from tests.unit.deployments.conftest import Launch

TERMS = {"days": 90, "failure_days": 400, "lines": 2000}


@pytest.fixture
def deployment(launch: Launch) -> Deployment:
    """A deployment whose whole history a test writes."""
    made = launch()
    StatusChange.objects.sweep(list(StatusChange.objects.values_list("pk", flat=True)))
    return made


def days_ago(days: float) -> datetime:
    return timezone.now() - timedelta(days=days)


def told(deployment: Deployment, phase: str, *, ended: float | None, lasted: float = 0.5) -> str:
    """Add a line that ended so many days ago, and return its reason, which no other line has."""
    reason = f"R{StatusChange.objects.count()}"
    StatusChange.objects.create(
        deployment=deployment,
        phase=phase,
        reason=reason,
        at=days_ago(lasted + (ended or 0)),
        until=None if ended is None else days_ago(ended),
    )
    return reason


def left(deployment: Deployment) -> list[str]:
    return [change.reason for change in deployment.status_changes.order_by("at")]


def test_failures_outlast_everything_else(deployment: Deployment) -> None:
    first = told(deployment, "Deploying", ended=900)
    told(deployment, "Failed", ended=401)
    old_fault = told(deployment, "Degraded", ended=399)
    told(deployment, "Ready", ended=91)
    young = told(deployment, "Ready", ended=89)
    now = told(deployment, "Ready", ended=None)
    assert sweep_history(**TERMS) == 2
    assert left(deployment) == [first, old_fault, young, now]


def test_what_ended_lately_stays_however_long_ago_it_began(deployment: Deployment) -> None:
    told(deployment, "Deploying", ended=900)
    long = told(deployment, "Ready", ended=1, lasted=500)
    told(deployment, "Ready", ended=None)
    sweep_history(**TERMS)
    assert long in left(deployment)


def test_the_first_line_and_the_verdict_of_now_are_never_swept(deployment: Deployment) -> None:
    first = told(deployment, "Deploying", ended=2000)
    now = told(deployment, "Failed", ended=None, lasted=1999)
    assert sweep_history(days=1, failure_days=1, lines=0) == 0
    assert left(deployment) == [first, now]


def test_one_that_never_comes_to_rest_keeps_its_newest_lines_of_each_sort(
    deployment: Deployment, launch: Launch
) -> None:
    other = launch(name="quiet")
    quiet = other.status_changes.count()
    lines = [
        told(deployment, "Failed" if number % 2 else "Ready", ended=50 - number)
        for number in range(20)
    ]
    now = told(deployment, "Ready", ended=None)
    sweep_history(days=90, failure_days=400, lines=4)
    assert left(deployment) == [lines[0], *lines[-8:], now]
    assert other.status_changes.count() == quiet


def test_one_turn_sweeps_only_so_much_and_the_next_goes_on(
    deployment: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tidying, "BATCH", 3)
    monkeypatch.setattr(tidying, "BATCHES", 2)
    told(deployment, "Deploying", ended=900)
    for number in range(10):
        told(deployment, "Ready", ended=800 - number)
    assert [sweep_history(**TERMS) for _ in range(3)] == [6, 4, 0]


def test_where_nothing_is_old_nothing_is_written(
    deployment: Deployment, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    told(deployment, "Ready", ended=3)
    told(deployment, "Ready", ended=None)
    with django_assert_num_queries(4) as asked:
        sweep_history(**TERMS)
    assert all(query["sql"].startswith("SELECT") for query in asked.captured_queries)


def test_the_task_takes_the_terms_that_are_set_and_leaves_revisions_and_audit(
    deployment: Deployment, settings: LazySettings
) -> None:
    settings.RETENTION = Retention(days=5, failure_days=10, lines=2000)
    first = told(deployment, "Deploying", ended=20)
    told(deployment, "Ready", ended=6)
    fault = told(deployment, "Failed", ended=7)
    tidy_up()
    assert left(deployment) == [first, fault]
    assert Revision.objects.count() == 1
    assert AuditEntry.objects.filter(object_id=str(deployment.pk)).exists()


def test_of_load_times_the_latest_of_each_template_stay(deployment: Deployment) -> None:
    for number in range(KEPT + 7):
        LoadTime.objects.create(
            template=deployment.template,
            deployment=deployment,
            pod_uid=f"pod-{number}",
            seconds=number,
            at=days_ago(100 - number),
        )
    assert sweep_load_times() == 7
    assert LoadTime.objects.order_by("at")[0].seconds == 7
    assert sweep_load_times() == 0

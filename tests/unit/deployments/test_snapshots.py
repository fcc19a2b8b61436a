"""What history keeps: another verdict, never the same one in newer words."""

from dataclasses import replace
from datetime import timedelta
from importlib import import_module

import pytest
from django.db import connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.models import QuerySet
from django.utils import timezone

from deployments.models import Deployment, StatusChange
from deployments.services.keeping import Seen, keep_observations
from deployments.services.reports import Tally
from deployments.services.snapshots import store_observation
from providers.contract.protocols import Observation
from providers.contract.status import Evidence, Phase, Status
from tests.unit.deployments.conftest import Launch

CRASHING = Status(phase=Phase.FAILED, reason="CrashLoop", message="1 restart", desired_replicas=2)


@pytest.fixture
def deployment(launch: Launch) -> Deployment:
    return launch()


def seen(deployment: Deployment, status: Status) -> list[str]:
    """Keep an observation of now; return what history tells, the newest first."""
    told = replace(status, observed_at=timezone.now())
    assert store_observation(deployment, Observation(status=told))
    return [change.message for change in deployment.status_changes.all()]


def test_a_verdict_of_a_time_to_come_holds_no_other_off_and_one_just_newer_does(
    deployment: Deployment,
) -> None:
    later = timezone.now() + timedelta(hours=3)
    Deployment.objects.update(observed_at=later)
    deployment.refresh_from_db()
    seen(deployment, CRASHING)
    Deployment.objects.update(observed_at=timezone.now() + timedelta(seconds=30))
    told = replace(CRASHING, message="2 restarts", observed_at=timezone.now())
    assert not store_observation(deployment, Observation(status=told))


def test_a_crash_loop_that_counts_on_is_one_line_of_history(deployment: Deployment) -> None:
    before = deployment.status_changes.count()
    seen(deployment, CRASHING)
    told = seen(deployment, replace(CRASHING, message="2 restarts"))
    assert len(told) == before + 1
    assert told[0] == "1 restart"
    deployment.refresh_from_db()
    assert deployment.message == "2 restarts"


CHANGED = Evidence(reason="ChangedOutside", message="spec.replicas was changed", object="Lab d")
HEALED = Evidence(reason="CrashLoop", message="restarted once, last 1 min ago", object="Pod a")
UNSEEN = Evidence(reason="Forbidden", message="quotas could not be read", object="ResourceQuota")


def test_a_note_that_comes_or_goes_is_kept_and_is_no_line_of_history(
    deployment: Deployment,
) -> None:
    before = seen(deployment, replace(CRASHING, notes=(HEALED,)))

    assert seen(deployment, replace(CRASHING, notes=(HEALED, CHANGED))) == before
    deployment.refresh_from_db()
    assert [note["reason"] for note in deployment.notes] == ["CrashLoop", "ChangedOutside"]
    assert seen(deployment, CRASHING) == before
    deployment.refresh_from_db()
    assert deployment.notes == []


def test_a_note_in_newer_words_or_on_the_look_itself_writes_nothing(
    deployment: Deployment,
) -> None:
    seen(deployment, replace(CRASHING, notes=(HEALED,)))
    older = replace(HEALED, message="restarted once, last 2 min ago")
    told = replace(CRASHING, notes=(UNSEEN, older), observed_at=timezone.now())

    assert not store_observation(deployment, Observation(status=told))


@pytest.mark.parametrize(
    "change",
    [{"reason": "OutOfMemory"}, {"phase": Phase.DEGRADED}, {"ready_replicas": 1}],
)
def test_another_verdict_is_another_line(deployment: Deployment, change: dict[str, object]) -> None:
    seen(deployment, CRASHING)
    told = seen(deployment, replace(CRASHING, message="news", **change))  # type: ignore[arg-type]
    assert told[0] == "news"


def test_a_cause_that_a_log_told_later_is_another_line_and_only_once(
    deployment: Deployment,
) -> None:
    seen(deployment, CRASHING)
    cause = Evidence(reason="KvCacheTooSmall", message="the log says: x", row=15)
    explained = replace(CRASHING, message="1 restart: the cache", evidence=(cause,))
    assert seen(deployment, explained)[0] == "1 restart: the cache"
    told = seen(deployment, replace(explained, message="2 restarts: the cache"))
    assert told[0] == "1 restart: the cache"
    assert seen(deployment, replace(CRASHING, message="3 restarts")) == told


def test_a_line_says_until_when_it_held_once_another_one_follows(deployment: Deployment) -> None:
    seen(deployment, CRASHING)
    seen(deployment, replace(CRASHING, message="2 restarts"))
    seen(deployment, replace(CRASHING, reason="OutOfMemory"))
    last, crashing, *_ = deployment.status_changes.all()
    assert (last.reason, last.until) == ("OutOfMemory", None)
    assert (crashing.reason, crashing.until) == ("CrashLoop", last.at)


def test_a_pass_ends_the_lines_of_those_that_changed_and_of_no_other(launch: Launch) -> None:
    changed, same = launch(name="changed"), launch(name="same")
    for one in (changed, same):
        seen(one, CRASHING)
    told = replace(CRASHING, reason="OutOfMemory", observed_at=timezone.now())
    sight = Seen(deployment=changed, observation=Observation(status=told))
    keep_observations([sight], Tally(), fence=transaction.atomic)
    assert changed.status_changes.filter(until=None).get().reason == "OutOfMemory"
    assert changed.status_changes.filter(reason="CrashLoop").get().until is not None
    assert same.status_changes.filter(until=None).get().reason == "CrashLoop"


def test_lines_from_before_get_their_ends_when_the_console_is_upgraded(
    deployment: Deployment,
) -> None:
    seen(deployment, CRASHING)
    seen(deployment, replace(CRASHING, reason="OutOfMemory"))
    ends = dict(StatusChange.objects.values_list("pk", "until"))
    QuerySet.update(StatusChange.objects.all(), until=None)
    migration = ("deployments", "0004_history")
    then = MigrationExecutor(connection).loader.project_state([migration]).apps
    import_module(".".join(("deployments.migrations", migration[1]))).tell_ends(then, None)
    assert dict(StatusChange.objects.values_list("pk", "until")) == ends

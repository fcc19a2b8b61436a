"""How long models take to load is learnt from those that came up, and from nothing else."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest
from django.db import transaction
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from deployments.load_times import LoadTimes, load_times_of, summed_up
from deployments.models import Deployment, LoadTime
from deployments.models.load_time import KEPT
from deployments.services.keeping import Seen, keep_observations
from deployments.services.reports import Tally
from deployments.services.snapshots import store_observation
from providers.contract.protocols import Observation
from providers.contract.starts import PodStart
from providers.contract.status import Phase, Status
from templates_app.models import ModelDeploymentTemplate
from tests.unit.deployments.conftest import Launch

READY = Status(phase=Phase.READY, reason="Available", message="ready", desired_replicas=2)


def started(uid: str, seconds: int | None) -> PodStart:
    now = timezone.now()
    if seconds is None:
        return PodStart(pod_uid=uid, scheduled_at=now)
    return PodStart(pod_uid=uid, scheduled_at=now - timedelta(seconds=seconds), ready_at=now)


def sight(*starts: PodStart, ready: int) -> Observation:
    status = replace(READY, ready_replicas=ready, observed_at=timezone.now())
    return Observation(status=status, starts=starts)


def in_a_pass(deployment: Deployment, observation: Observation) -> None:
    one = Seen(deployment=deployment, observation=observation)
    keep_observations([one], Tally(), fence=transaction.atomic)


Keep = Callable[[Deployment, Observation], object]
both_ways = pytest.mark.parametrize("keep", [store_observation, in_a_pass])


@both_ways
def test_who_comes_up_is_kept_once_and_who_is_on_the_way_is_not(launch: Launch, keep: Keep) -> None:
    deployment = launch()
    keep(deployment, sight(started("a", 400), started("b", None), ready=1))
    keep(deployment, sight(started("a", 999), started("b", 500), ready=2))
    kept = {load.pod_uid: load for load in LoadTime.objects.all()}
    assert {uid: load.seconds for uid, load in kept.items()} == {"a": 400, "b": 500}
    assert {load.template_id for load in kept.values()} == {deployment.template_id}
    assert {load.deployment_id for load in kept.values()} == {deployment.pk}


@both_ways
def test_nothing_is_learnt_while_another_revision_may_be_running(
    launch: Launch, keep: Keep
) -> None:
    deployment = launch()
    Deployment.objects.update(revision=2)
    deployment.refresh_from_db()
    keep(deployment, sight(started("a", 400), ready=1))
    assert not LoadTime.objects.exists()


@both_ways
def test_a_sight_that_comes_late_teaches_nothing(launch: Launch, keep: Keep) -> None:
    deployment = launch()
    late = sight(started("a", 400), ready=1)
    keep(deployment, sight(ready=2))
    keep(deployment, late)
    assert not LoadTime.objects.exists()


def test_what_is_no_news_asks_the_database_nothing(
    launch: Launch, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    deployment = launch()
    seen = sight(started("a", 400), ready=1)
    in_a_pass(deployment, seen)
    with django_assert_num_queries(0):
        in_a_pass(deployment, replace(seen, status=replace(seen.status, observed_at=None)))


@pytest.mark.parametrize(
    ("seconds", "low", "high"),
    [
        ([420], 420, 420),
        ([500, 300], 300, 500),
        ([60, 60, 60], 60, 60),
        ([100, 200, 300], 120, 280),
        ([*range(0, 1010, 10)], 100, 900),
        ([400] * 18 + [20, 3000], 400, 400),
    ],
)
def test_a_few_are_told_whole_of_many_the_middle_that_an_odd_one_does_not_move(
    seconds: list[int], low: int, high: int
) -> None:
    assert summed_up(seconds) == LoadTimes(starts=len(seconds), low=low, high=high)


def test_three_starts_make_a_custom() -> None:
    assert [summed_up([1] * count).is_usual for count in (1, 2, 3)] == [False, False, True]


def test_each_version_of_a_template_has_its_own_of_its_latest_starts_in_one_query(
    launch: Launch,
    make_template: Callable[..., ModelDeploymentTemplate],
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    deployment, other = launch(), make_template("other")
    now = timezone.now()
    for number in range(KEPT + 20):
        LoadTime.objects.create(
            template=deployment.template,
            deployment=deployment,
            pod_uid=f"pod-{number}",
            seconds=9000 if number < 20 else 400,
            at=now + timedelta(seconds=number),
        )
    LoadTime.objects.create(template=other, deployment=deployment, pod_uid="x", seconds=7, at=now)
    never = make_template("never")
    with django_assert_num_queries(1):
        found = load_times_of([deployment.template_id, other.pk, never.pk])
    assert found == {
        deployment.template_id: LoadTimes(starts=KEPT, low=400, high=400),
        other.pk: LoadTimes(starts=1, low=7, high=7),
    }

"""What a change does in whole pods, told of real renderings of a Deployment."""

from dataclasses import replace

import pytest

from providers.contract.changing import Effects, Running, Writes
from providers.contract.request import DeployRequest, Provenance, Rollout
from providers.kubernetes.provider import provider
from providers.testing.samples import make_request, make_target, rescaled, spec_with
from providers.workload.changing import replicas_from

TARGET = make_target()
WIDE = {"enable_auto_scaling": True, "min_replicas": 2, "max_replicas": 5}


def request(**overrides: object) -> DeployRequest:
    return make_request(provider, overrides=overrides)


def told(
    before: DeployRequest, after: DeployRequest, *, running: int, outdated: int = 0
) -> Effects:
    now = Running(replicas=running, outdated=outdated)
    return provider.effects(before, after, TARGET, capacity=None, running=now)


def kinds(effects: Effects) -> tuple[list[str], list[str]]:
    return [key.kind for key in effects.objects], [key.kind for key in effects.removed]


@pytest.mark.parametrize(
    ("rollout", "replicas", "surge", "unavailable", "fewest"),
    [
        (Rollout.SURGE, 1, 1, 0, 1),
        (Rollout.SURGE, 4, 1, 0, 4),
        (Rollout.REPLACE, 1, 0, 1, 0),
        (Rollout.REPLACE, 2, 0, 1, 1),
        (Rollout.REPLACE, 4, 0, 1, 3),
        (Rollout.RECREATE, 3, 0, 3, 0),
    ],
)
def test_new_pods_replace_all_by_the_strategy(
    rollout: Rollout, replicas: int, surge: int, unavailable: int, fewest: int
) -> None:
    before = request(min_replicas=replicas)
    effects = told(before, replace(before, restart="again", rollout=rollout), running=replicas)
    assert (effects.restarts, effects.rollout) == (replicas, rollout)
    assert (effects.surge, effects.unavailable, effects.fewest_ready) == (
        surge,
        unavailable,
        fewest,
    )
    assert effects.has_downtime is (fewest == 0)


@pytest.mark.parametrize(
    ("running", "after", "restarts", "fewest"), [(4, 2, 2, 1), (1, 3, 1, 1), (2, 3, 2, 2)]
)
def test_a_change_of_pods_and_number_at_once_keeps_what_both_ends_leave(
    running: int, after: int, restarts: int, fewest: int
) -> None:
    before = request(min_replicas=running)
    changed = replace(rescaled(before, min_replicas=after), restart="x", rollout=Rollout.REPLACE)
    effects = told(before, changed, running=running)
    assert (effects.restarts, effects.replicas_after) == (restarts, after)
    assert effects.fewest_ready == fewest


def test_a_number_alone_is_written_to_the_deployment_alone() -> None:
    before = request()
    effects = told(before, rescaled(before, min_replicas=2), running=1)
    assert effects.writes is Writes.SCALING
    assert kinds(effects) == (["Deployment"], [])


def test_bounds_of_an_autoscaler_are_written_to_it_alone_and_keep_what_runs() -> None:
    before = request(**WIDE)
    effects = told(before, rescaled(before, **{**WIDE, "max_replicas": 8}), running=4)
    assert effects.writes is Writes.SCALING
    assert kinds(effects) == (["HorizontalPodAutoscaler"], [])
    assert (effects.replicas_before, effects.replicas_after) == (4, 4)


def test_an_autoscaler_is_removed_by_a_stop_and_made_by_a_start() -> None:
    wide = request(**WIDE)
    stopped = rescaled(wide, min_replicas=0)
    assert kinds(told(wide, stopped, running=4)) == (["Deployment"], ["HorizontalPodAutoscaler"])
    started = told(stopped, replace(wide, resume_at=4), running=0)
    assert kinds(started) == (["Deployment", "HorizontalPodAutoscaler"], [])
    assert (started.writes, started.replicas_after) == (Writes.SCALING, 4)


def test_what_a_workload_only_says_of_itself_is_no_change_of_anything() -> None:
    told_by = Provenance(model="m", template="t", template_version="1", overrides={})
    before = replace(request(), provenance=told_by)
    again = replace(before, provenance=replace(told_by, overrides={"min_replicas": 1}), revision=2)
    effects = told(before, again, running=1)
    assert effects.writes is Writes.NOTHING
    assert kinds(effects) == (["Deployment"], [])


def test_another_strategy_restarts_nothing_of_what_is_fully_out() -> None:
    before = request()
    effects = told(before, replace(before, rollout=Rollout.REPLACE), running=1)
    assert (effects.writes, effects.restarts, effects.has_downtime) == (Writes.OBJECTS, 0, False)


def test_another_strategy_lets_a_rollout_that_waits_replace_what_is_left() -> None:
    before = request()
    effects = told(before, replace(before, rollout=Rollout.REPLACE), running=1, outdated=1)
    assert (effects.restarts, effects.fewest_ready, effects.has_downtime) == (1, 0, True)


def test_another_image_and_another_port_are_written_where_they_stand() -> None:
    before = request()
    other = make_request(provider, spec=spec_with(engine={"port": 9000}), deployment_id=before.id)
    assert kinds(told(before, other, running=1)) == (["Deployment", "Service"], [])


@pytest.mark.parametrize(
    ("running", "resume_at", "begins"),
    [(0, 0, 2), (0, 4, 4), (0, 9, 5), (1, 0, 2), (3, 0, 3), (3, 5, 3), (9, 0, 5)],
)
def test_an_autoscaled_change_begins_with_what_runs_within_its_range(
    running: int, resume_at: int, begins: int
) -> None:
    scaling = request(**WIDE).scaling
    assert replicas_from(running, scaling, resume_at=resume_at) == begins


def test_a_fixed_number_is_that_number_whatever_ran() -> None:
    assert replicas_from(4, request(min_replicas=2).scaling, resume_at=4) == 2

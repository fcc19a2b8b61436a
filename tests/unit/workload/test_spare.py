"""Accelerators that a change needs beside those in use, and whether they are to be had."""

from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal

import pytest

from providers.contract.capacity import AcceleratorCapacity, Capacity, NamespaceQuotas, Quota
from providers.contract.changing import Fit, Running, Spare
from providers.contract.request import DeployRequest, Rollout
from providers.kubernetes.provider import provider
from providers.testing.samples import NAMESPACE, make_request, make_target, rescaled, spec_with

NOW = datetime(2026, 1, 1, tzinfo=UTC)
TARGET = make_target()


def request(count: int = 2, *, type: str = "H100", replicas: int = 2) -> DeployRequest:  # noqa: A002 - the template's word
    return make_request(
        provider,
        spec=spec_with(accelerator={"type": type, "count": count}),
        overrides={"min_replicas": replicas},
        deployment_id="3f0c9f5e-0000-4000-8000-000000000001",
    )


def restarted(before: DeployRequest, rollout: Rollout = Rollout.SURGE) -> DeployRequest:
    return replace(before, restart="again", rollout=rollout)


def capacity(*, free: int, largest: int, quota_left: int | None = None, why: str = "") -> Capacity:
    h100 = AcceleratorCapacity(
        type="h100",
        resource="nvidia.com/gpu",
        total=64,
        free=free,
        largest_free_on_one_node=largest,
    )
    line = Quota(
        quota="team",
        resource="requests.nvidia.com/gpu",
        hard=Decimal(64),
        used=Decimal(64 - (quota_left or 0)),
    )
    spaces = () if quota_left is None else (NamespaceQuotas(name=NAMESPACE, quotas=(line,)),)
    return Capacity(observed_at=NOW, accelerators=(h100,), namespaces=spaces, unknown_because=why)


def spare(
    before: DeployRequest,
    after: DeployRequest,
    counted: Capacity | None = None,
    *,
    running: int | None = None,
) -> tuple[Spare, ...]:
    now = Running(replicas=before.scaling.min_replicas if running is None else running)
    return provider.effects(before, after, TARGET, capacity=counted, running=now).spare


def needed(found: tuple[Spare, ...]) -> list[tuple[int, int]]:
    return [(one.pods, one.accelerators) for one in found]


@pytest.mark.parametrize(
    ("rollout", "needs"),
    [(Rollout.SURGE, [(1, 2)]), (Rollout.REPLACE, []), (Rollout.RECREATE, [])],
)
def test_only_a_surge_needs_a_spare_set_for_one_pod(
    rollout: Rollout, needs: list[tuple[int, int]]
) -> None:
    before = request()
    assert needed(spare(before, restarted(before, rollout))) == needs


def test_scaling_up_needs_every_new_pod_and_scaling_down_none() -> None:
    before = request()
    assert needed(spare(before, rescaled(before, min_replicas=5))) == [(3, 6)]
    assert needed(spare(before, rescaled(before, min_replicas=1))) == []


def test_a_surge_that_scales_up_too_needs_both() -> None:
    before = request()
    assert needed(spare(before, restarted(rescaled(before, min_replicas=3)))) == [(2, 4)]


def test_a_start_needs_all_of_it() -> None:
    before = request()
    assert needed(spare(rescaled(before, min_replicas=0), before, running=0)) == [(2, 4)]


def test_a_start_with_smaller_pods_needs_only_those() -> None:
    stopped = rescaled(request(4), min_replicas=0)
    assert needed(spare(stopped, restarted(request(1)), running=0)) == [(2, 2)]


@pytest.mark.parametrize("rollout", [Rollout.REPLACE, Rollout.RECREATE])
def test_larger_pods_need_what_the_old_ones_do_not_leave(rollout: Rollout) -> None:
    assert needed(spare(request(2), restarted(request(4), rollout))) == [(0, 4)]


def test_larger_pods_by_surge_need_room_for_the_last_old_one_too() -> None:
    assert needed(spare(request(2), restarted(request(4)))) == [(1, 6)]


def test_smaller_pods_by_surge_need_room_for_the_first_new_one() -> None:
    assert needed(spare(request(4), restarted(request(1)))) == [(1, 1)]


@pytest.mark.parametrize("rollout", list(Rollout))
def test_another_type_gets_nothing_back_from_the_old_pods(rollout: Rollout) -> None:
    moved = restarted(request(2, type="A100"), rollout)
    assert needed(spare(request(2), moved)) == [(2, 4)]


def test_pods_without_accelerators_need_none() -> None:
    before = make_request(provider)
    assert spare(before, restarted(before)) == ()


@pytest.mark.parametrize(
    ("counted", "fit"),
    [
        (capacity(free=2, largest=2), Fit.FITS),
        (capacity(free=2, largest=1), Fit.SHORT),
        (capacity(free=1, largest=1), Fit.SHORT),
        (capacity(free=8, largest=8, quota_left=1), Fit.SHORT),
        (capacity(free=8, largest=8, quota_left=2), Fit.FITS),
        (capacity(free=0, largest=0, why="nodes may not be read"), Fit.UNKNOWN),
        (capacity(free=0, largest=0, why="nodes may not be read", quota_left=0), Fit.SHORT),
        (Capacity(observed_at=NOW), Fit.UNKNOWN),
        (None, Fit.UNKNOWN),
    ],
)
def test_a_surge_fits_where_one_node_and_every_quota_have_room_for_a_pod(
    counted: Capacity | None, fit: Fit
) -> None:
    before = request()
    assert [one.fit for one in spare(before, restarted(before), counted)] == [fit]


@pytest.mark.parametrize(
    ("counted", "fit"),
    [
        (capacity(free=8, largest=6), Fit.FITS),  # three pods of two find places on one node
        (capacity(free=8, largest=4), Fit.UNKNOWN),  # how the rest divides no sum tells
        (capacity(free=5, largest=4), Fit.SHORT),
        (capacity(free=9, largest=1), Fit.SHORT),
    ],
)
def test_several_pods_fit_for_certain_only_where_one_node_has_room_for_all(
    counted: Capacity, fit: Fit
) -> None:
    before = request()
    assert [one.fit for one in spare(before, rescaled(before, min_replicas=5), counted)] == [fit]


def test_pods_of_one_accelerator_fit_wherever_enough_are_free() -> None:
    before = request(1)
    after = rescaled(before, min_replicas=5)
    assert [one.fit for one in spare(before, after, capacity(free=3, largest=1))] == [Fit.FITS]


@pytest.mark.parametrize(
    ("counted", "fit"),
    [
        (capacity(free=4, largest=1), Fit.SHORT),  # a place that is left lacks two more
        (capacity(free=4, largest=2), Fit.UNKNOWN),  # only if they are free beside an old pod
    ],
)
def test_whether_larger_pods_fit_into_places_that_are_left_is_not_certain(
    counted: Capacity, fit: Fit
) -> None:
    larger = restarted(request(4), Rollout.REPLACE)
    assert [one.fit for one in spare(request(2), larger, counted)] == [fit]


def test_what_is_free_is_told_beside_what_is_needed() -> None:
    before = request()
    counted = capacity(free=3, largest=1, quota_left=9)
    assert spare(before, restarted(before), counted) == (
        Spare(
            type="H100",
            per_pod=2,
            pods=1,
            accelerators=2,
            free=3,
            largest_free_on_one_node=1,
            quota_left=9,
            fit=Fit.SHORT,
        ),
    )


@pytest.mark.parametrize(("left", "rollout"), [(2, Rollout.SURGE), (1, Rollout.REPLACE)])
def test_auto_asks_the_quota_of_its_own_namespace(left: int, rollout: Rollout) -> None:
    of_one = request()
    counted = capacity(free=8, largest=8, quota_left=left)
    resolved = {
        namespace: provider.resolve_rollout(
            "auto",
            of_one.spec,
            TARGET,
            namespace=namespace,
            scaling=of_one.scaling,
            capacity=counted,
        )
        for namespace in (NAMESPACE, "another")
    }
    assert resolved == {NAMESPACE: rollout, "another": Rollout.SURGE}

"""What `auto` means on a cluster with so much free."""

from datetime import UTC, datetime

import pytest

from providers.contract.capacity import AcceleratorCapacity, Capacity
from providers.contract.request import Rollout
from providers.contract.template import Accelerator
from providers.workload.rollout import resolve_rollout

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def counted(*, free: int, largest: int, unknown_because: str = "") -> Capacity:
    h100 = AcceleratorCapacity(
        type="H100",
        resource="nvidia.com/gpu",
        total=16,
        free=free,
        largest_free_on_one_node=largest,
    )
    return Capacity(observed_at=NOW, accelerators=(h100,), unknown_because=unknown_because)


@pytest.mark.parametrize(
    ("capacity", "expected"),
    [
        (counted(free=4, largest=2), Rollout.SURGE),
        (counted(free=4, largest=1), Rollout.REPLACE),
        (counted(free=0, largest=0), Rollout.REPLACE),
        (counted(free=0, largest=0, unknown_because="nodes may not be read"), Rollout.SURGE),
        (Capacity(observed_at=NOW), Rollout.SURGE),
        (None, Rollout.SURGE),
    ],
)
def test_auto_surges_where_a_spare_set_is_free_or_unknown(
    capacity: Capacity | None, expected: Rollout
) -> None:
    accelerator = Accelerator(type="h100", count=2)
    assert resolve_rollout("auto", accelerator=accelerator, capacity=capacity) is expected


@pytest.mark.parametrize(
    ("left", "expected"),
    [(None, Rollout.SURGE), (2, Rollout.SURGE), (1, Rollout.REPLACE), (0, Rollout.REPLACE)],
)
@pytest.mark.parametrize("capacity", [None, counted(free=4, largest=4)])
def test_auto_surges_only_where_every_quota_has_room_for_one_pod_more(
    capacity: Capacity | None, left: int | None, expected: Rollout
) -> None:
    accelerator = Accelerator(type="h100", count=2)
    resolved = resolve_rollout("auto", accelerator=accelerator, capacity=capacity, quota_left=left)
    assert resolved is expected


def test_a_pod_without_accelerators_always_surges() -> None:
    cpu = Accelerator(type="cpu")
    assert resolve_rollout("auto", accelerator=cpu, capacity=counted(free=0, largest=0)) == "surge"


@pytest.mark.parametrize("strategy", ["surge", "replace", "recreate"])
def test_a_strategy_that_is_named_is_kept_whatever_is_free(strategy: str) -> None:
    full = counted(free=0, largest=0)
    accelerator = Accelerator(type="H100")
    assert resolve_rollout(strategy, accelerator=accelerator, capacity=full) == strategy

"""Whole pods of a rolling update, held against what a controller was seen to do."""

import pytest

from providers.contract.request import Rollout
from providers.workload.rollout import deployment_strategy, replaced_pods, rolling_pods


@pytest.mark.parametrize(
    ("surge", "unavailable", "replicas", "fewest", "most"),
    [
        ("25%", "25%", 1, 1, 2),
        ("25%", "25%", 2, 2, 3),
        ("25%", "25%", 3, 3, 4),
        ("25%", "25%", 4, 3, 5),
        (0, 1, 1, 0, 1),
        (0, 1, 2, 1, 2),
        (0, 1, 3, 2, 3),
        (0, 1, 4, 3, 4),
        (0, "25%", 1, 0, 1),
        (0, "25%", 4, 3, 4),
        (1, 0, 2, 2, 3),
        ("100%", "0%", 3, 3, 6),
        ("29%", "0%", 100, 100, 129),
        ("0", "3", 2, 0, 2),
        (1, 0, 0, 0, 1),
    ],
)
def test_pods_are_counted_as_the_controller_counts_them(
    surge: int | str, unavailable: int | str, replicas: int, fewest: int, most: int
) -> None:
    pods = rolling_pods(replicas, max_surge=surge, max_unavailable=unavailable)
    assert (pods.fewest_ready, pods.most) == (fewest, most)


@pytest.mark.parametrize("rollout", [Rollout.SURGE, Rollout.REPLACE])
def test_a_rendered_strategy_always_moves_and_never_by_more_than_one(rollout: Rollout) -> None:
    rolling = deployment_strategy(rollout)["rollingUpdate"]
    assert rolling["maxSurge"] + rolling["maxUnavailable"] == 1


def test_surge_never_drops_a_pod_and_replace_never_adds_one() -> None:
    surge = deployment_strategy(Rollout.SURGE)["rollingUpdate"]
    replace = deployment_strategy(Rollout.REPLACE)["rollingUpdate"]
    assert rolling_pods(1, max_surge=surge["maxSurge"], max_unavailable=0).fewest_ready == 1
    assert replace == {"maxSurge": 0, "maxUnavailable": 1}


def test_recreate_has_no_rolling_part() -> None:
    assert deployment_strategy(Rollout.RECREATE) == {"type": "Recreate"}


@pytest.mark.parametrize(("surge", "unavailable"), [(0, 0), ("0%", 0), (0, "0%"), ("0", "0%")])
def test_both_at_zero_is_refused_as_the_api_server_refuses_it(
    surge: int | str, unavailable: int | str
) -> None:
    with pytest.raises(ValueError, match="must not both be 0"):
        rolling_pods(3, max_surge=surge, max_unavailable=unavailable)


@pytest.mark.parametrize("rollout", [Rollout.SURGE, Rollout.REPLACE])
def test_pods_are_replaced_as_the_rendered_strategy_says(rollout: Rollout) -> None:
    rolling = deployment_strategy(rollout)["rollingUpdate"]
    pods = replaced_pods(rollout, 3)
    assert (pods.surge, pods.unavailable) == (rolling["maxSurge"], rolling["maxUnavailable"])


def test_recreating_leaves_none_ready() -> None:
    assert replaced_pods(Rollout.RECREATE, 3).fewest_ready == 0

"""What a change does to what runs is said in whole pods, and never more than is known."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from console.web.change.effects import show_effects
from deployments.load_times import LoadTimes
from providers.contract.capacity import AcceleratorCapacity, Capacity
from providers.contract.changing import Effects, Fit, Spare, Writes
from providers.contract.manifest import ObjectKey
from providers.contract.request import Rollout
from providers.workload.drifting.telling import gone

COUNTED = Capacity(
    observed_at=datetime(2026, 11, 30, tzinfo=UTC),
    accelerators=(
        AcceleratorCapacity(
            type="H100", resource="nvidia.com/gpu", total=16, free=3, largest_free_on_one_node=2
        ),
    ),
)
WEB = ObjectKey(api_version="apps/v1", kind="Deployment", name="web")


def effects(before: int, after: int, **changes: object) -> Effects:
    values: dict[str, object] = {
        "writes": Writes.OBJECTS,
        "rollout": Rollout.SURGE,
        "replicas_before": before,
        "replicas_after": after,
        "fewest_ready": min(before, after),
        **changes,
    }
    return Effects(**values)  # type: ignore[arg-type]


def spare(**changes: object) -> Spare:
    values: dict[str, object] = {
        "type": "H100",
        "per_pod": 2,
        "pods": 1,
        "accelerators": 2,
        "free": 3,
        "largest_free_on_one_node": 2,
        "fit": Fit.FITS,
        **changes,
    }
    return Spare(**values)  # type: ignore[arg-type]


PODS = {
    "a stop": (effects(2, 0), "Both replicas end; nobody is answered until it is started again."),
    "a stop of many": (
        effects(9, 0),
        "All 9 replicas end; nobody is answered until it is started again.",
    ),
    "a stop of one": (
        effects(1, 0),
        "The one replica ends; nobody is answered until it is started again.",
    ),
    "a start": (effects(0, 2), "No pod restarts; 2 replicas start."),
    "more": (effects(1, 2, writes=Writes.SCALING), "No pod restarts; 1 more replica starts."),
    "fewer": (effects(4, 1, writes=Writes.SCALING), "No pod restarts; 3 replicas end."),
    "words only": (
        effects(2, 2, writes=Writes.NOTHING),
        "No pod restarts; nothing of it changes on the cluster.",
    ),
    "a start of what others stopped": (
        effects(0, 1, writes=Writes.NOTHING),
        "No pod restarts; 1 replica starts.",
    ),
    "another image": (effects(2, 2, restarts=2), "Both running replicas restart."),
    "another image of one": (effects(1, 1, restarts=1), "The one running replica restarts."),
    "another image and fewer": (
        effects(3, 2, restarts=2),
        "2 of 3 running replicas restart; 1 replica ends.",
    ),
}


@pytest.mark.parametrize("case", PODS)
def test_pods_are_counted_in_words(case: str) -> None:
    given, expected = PODS[case]

    assert show_effects(given, None, None).pods == expected


@pytest.mark.parametrize(
    ("given", "pods", "put_back"),
    [
        (
            effects(1, 2, writes=Writes.SCALING),
            "The change itself restarts no pod; 1 more replica starts.",
            "Pods are replaced by it.",
        ),
        (effects(3, 3, restarts=2), "2 of 3 running replicas restart.", "Pods are replaced by it."),
        (effects(2, 2, restarts=2), "Both running replicas restart.", ""),
        (effects(0, 1), "No pod restarts; 1 replica starts.", ""),
        (
            effects(1, 0),
            "The one replica ends; nobody is answered until it is started again.",
            "",
        ),
    ],
)
def test_pods_that_putting_back_replaces_are_told_where_any_would_run_on(
    given: Effects, pods: str, put_back: str
) -> None:
    shown = show_effects(given, None, None, [replace(gone(WEB), restarts=True)])

    assert (shown.pods, shown.put_back) == (pods, put_back)


def test_putting_back_what_is_of_no_pod_replaces_none() -> None:
    shown = show_effects(effects(2, 2), None, None, [gone(WEB)])

    assert (shown.pods, shown.put_back) == ("No pod restarts.", "")


ROLLOUTS = {
    "surge": (
        effects(2, 2, restarts=2, surge=1, fewest_ready=2),
        "A new pod becomes ready before an old one goes, one at a time; at least 2 stay ready.",
    ),
    "replace": (
        effects(8, 8, restarts=8, rollout=Rollout.REPLACE, unavailable=2, fewest_ready=6),
        "An old pod goes before the new one comes, 2 at a time; at least 6 stay ready.",
    ),
    "replace of one": (
        effects(1, 1, restarts=1, rollout=Rollout.REPLACE, unavailable=1, fewest_ready=0),
        "An old pod goes before the new one comes, one at a time; none stays ready.",
    ),
    "recreate": (
        effects(2, 2, restarts=2, rollout=Rollout.RECREATE, fewest_ready=0),
        "All old pods go before new ones come.",
    ),
    "no restart": (effects(2, 3, writes=Writes.SCALING), ""),
}


@pytest.mark.parametrize("case", ROLLOUTS)
def test_how_pods_are_replaced_is_said_where_any_is(case: str) -> None:
    given, expected = ROLLOUTS[case]

    assert show_effects(given, None, None).rollout == expected


def test_no_downtime_is_said_as_well() -> None:
    shown = show_effects(effects(2, 2, restarts=2, surge=1), None, None)

    assert shown.downtime == "Clients are answered throughout."


def test_downtime_is_as_long_as_loading_usually_takes() -> None:
    alone = effects(1, 1, restarts=1, rollout=Rollout.REPLACE, unavailable=1, fewest_ready=0)
    times = LoadTimes(starts=14, low=360, high=540)

    assert show_effects(alone, None, times).downtime == (
        "Nobody is answered until the first new replica has loaded: "
        "usually 6 to 9 min, from 14 starts."
    )
    assert show_effects(alone, None, None).downtime == (
        "Nobody is answered until the first new replica has loaded: "
        "how long that takes is not known yet."
    )


def test_a_change_of_scaling_says_nothing_of_downtime() -> None:
    assert show_effects(effects(2, 3, writes=Writes.SCALING), None, None).downtime == ""


SPARES = {
    "it fits": (spare(), "It needs 2 H100 beside those in use; 3 are free."),
    "too few": (
        spare(free=1, largest_free_on_one_node=1, fit=Fit.SHORT),
        (
            "It needs 2 H100 beside those in use, but 1 is free, "
            "at most 1 on one node, and a pod needs 2: new pods would wait."
        ),
    ),
    "a quota": (
        spare(quota_left=0, fit=Fit.SHORT),
        (
            "It needs 2 H100 beside those in use, but 3 are free, "
            "the namespace's quota leaves 0: new pods would wait."
        ),
    ),
    "not counted": (
        spare(free=None, largest_free_on_one_node=None, fit=Fit.UNKNOWN),
        "It needs 2 H100 beside those in use; how many are free was not counted.",
    ),
}


@pytest.mark.parametrize("case", SPARES)
def test_what_a_rollout_needs_is_held_against_what_is_free(case: str) -> None:
    given, expected = SPARES[case]

    shown = show_effects(effects(2, 2, restarts=2, surge=1, spare=(given,)), None, None)
    assert shown.accelerators == (expected,)
    assert shown.is_short is (given.fit is Fit.SHORT)


def test_a_rollout_that_needs_none_says_so() -> None:
    replaced = effects(1, 1, restarts=1, rollout=Rollout.REPLACE, unavailable=1, fewest_ready=0)

    assert show_effects(replaced, None, None).accelerators == (
        "It needs no accelerator beside those in use.",
    )
    assert show_effects(effects(2, 1), None, None).accelerators == ()


def test_accelerators_are_drawn_as_they_were_counted() -> None:
    given = effects(2, 2, restarts=2, surge=2, spare=(spare(accelerators=4, fit=Fit.SHORT),))

    (outlook,) = show_effects(given, COUNTED, None).outlooks
    assert {group.state: group.count for group in outlook.groups} == {
        "used": 13,
        "need": 3,
        "miss": 1,
    }


def test_nothing_is_drawn_where_nobody_counted() -> None:
    given = effects(2, 2, restarts=2, surge=1, spare=(spare(),))

    assert show_effects(given, None, None).outlooks == ()

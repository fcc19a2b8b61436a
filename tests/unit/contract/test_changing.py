"""What a change does, in the contract's words."""

import pytest

from providers.contract.changing import Effects, Fit, Running, Spare, Writes, running_as_seen
from providers.contract.request import Rollout
from providers.contract.status import Phase, Status


def effects(
    *, restarts: int = 1, after: int = 1, fewest: int = 0, fits: tuple[Fit, ...] = ()
) -> Effects:
    return Effects(
        writes=Writes.OBJECTS,
        rollout=Rollout.REPLACE,
        replicas_before=1,
        replicas_after=after,
        fewest_ready=fewest,
        restarts=restarts,
        spare=tuple(Spare(type="H100", per_pod=1, pods=1, accelerators=1, fit=fit) for fit in fits),
    )


@pytest.mark.parametrize(("restarts", "after", "fewest"), [(1, 1, 0), (2, 1, 0)])
def test_a_rollout_with_no_replica_ready_meanwhile_has_downtime(
    restarts: int, after: int, fewest: int
) -> None:
    assert effects(restarts=restarts, after=after, fewest=fewest).has_downtime


@pytest.mark.parametrize(
    ("restarts", "after", "fewest"), [(1, 1, 1), (0, 0, 0), (0, 2, 0), (2, 2, 1)]
)
def test_what_stays_ready_stops_or_restarts_nothing_has_no_downtime(
    restarts: int, after: int, fewest: int
) -> None:
    assert not effects(restarts=restarts, after=after, fewest=fewest).has_downtime


@pytest.mark.parametrize(
    ("fits", "worst"),
    [
        ((), Fit.FITS),
        ((Fit.FITS, Fit.FITS), Fit.FITS),
        ((Fit.FITS, Fit.UNKNOWN), Fit.UNKNOWN),
        ((Fit.UNKNOWN, Fit.SHORT, Fit.FITS), Fit.SHORT),
    ],
)
def test_the_worst_type_decides_whether_a_change_fits(fits: tuple[Fit, ...], worst: Fit) -> None:
    assert effects(fits=fits).fit is worst


def test_what_serves_of_an_earlier_revision_is_outdated() -> None:
    status = Status(
        phase=Phase.DEGRADED,
        reason="RolloutNeedsSpareAccelerator",
        message="",
        desired_replicas=3,
        ready_replicas=1,
        available_replicas=3,
    )
    assert running_as_seen(status) == Running(replicas=3, outdated=2)
    assert running_as_seen(None) == Running(replicas=0)


def test_the_api_is_told_everything_in_plain_values() -> None:
    told = effects(fits=(Fit.SHORT,)).as_dict()
    assert told["writes"] == "objects"
    assert (told["has_downtime"], told["fit"]) == (True, "short")
    assert told["spare"] == [
        {
            "type": "H100",
            "per_pod": 1,
            "pods": 1,
            "accelerators": 1,
            "free": None,
            "largest_free_on_one_node": None,
            "quota_left": None,
            "fit": "short",
        }
    ]

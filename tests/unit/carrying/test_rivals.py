"""What an autoscaler of somebody else means, by who would stand beside it."""

from collections.abc import Mapping
from typing import Any

import pytest

from providers.carrying.parts import Live, Parts
from providers.carrying.rivals import Rivals, check_rivals
from providers.contract.checks import Check, Result

SCALER: Mapping[str, Any] = {"kind": "HorizontalPodAutoscaler"}
FIXED, SCALED = Parts(workload={}), Parts(workload={}, autoscaler=dict(SCALER))
AUTOSCALING, NUMBER = "overrides.enable_auto_scaling", "overrides.min_replicas"
STRUGGLE = (
    "HorizontalPodAutoscaler nightly acts on Deployment web-predictor already, beside the "
    "autoscaler that its own controller keeps: each takes the number of replicas back into its own "
    "bounds, and within those of both neither acts; remove it"
)


def rivals(*names: str, beside: bool = False) -> Rivals:
    told = tuple(f"HorizontalPodAutoscaler {name}" for name in names)
    return Rivals(target="Deployment web-predictor", names=told, beside=beside)


def said(parts: Parts, found: Rivals | None, live: Mapping[str, Any] | None = None) -> Check:
    (check,) = check_rivals(parts, Live(autoscaler=dict(live) if live else None), found)
    return check


def test_where_there_is_none_nothing_is_said() -> None:
    assert list(check_rivals(SCALED, Live(), None)) == []


@pytest.mark.parametrize(
    ("parts", "live", "result", "field"),
    [
        (FIXED, None, Result.WARN, NUMBER),
        (SCALED, SCALER, Result.WARN, AUTOSCALING),
        (SCALED, None, Result.FAIL, AUTOSCALING),
    ],
)
def test_one_is_refused_only_where_ours_would_be_the_second(
    parts: Parts, live: Mapping[str, Any] | None, result: Result, field: str
) -> None:
    check = said(parts, rivals("nightly"), live)
    assert (check.result, check.field) == (result, field)


def test_beside_one_that_the_controller_keeps_it_is_told_what_both_do() -> None:
    check = said(FIXED, rivals("nightly", beside=True))
    assert (check.result, check.field, check.message) == (Result.WARN, AUTOSCALING, STRUGGLE)


def test_several_are_named_together() -> None:
    told = said(FIXED, rivals("nightly", "weekly", beside=True)).message
    assert " nightly, HorizontalPodAutoscaler weekly act on " in told
    assert told.endswith("remove them")

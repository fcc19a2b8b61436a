"""Whether KServe's controller is away, by what it has done with InferenceServices of others."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest

from providers.contract.checks import Check, Result
from providers.kserve.unheeded import Asked, judge

NOW = datetime(2026, 12, 1, 12, 0, tzinfo=UTC)
TAKEN_UP = {"finalizers": ["inferenceservice.finalizers"]}
ELSEWHERE = {"annotations": {"serving.kserve.io/deploymentMode": "ModelMesh"}}
OURS = {"labels": {"slipway.dev/id": "1"}}
GOING = {"deletionTimestamp": "2026-12-01T11:50:00Z"}
OLD, NEWER, JUST = "2026-12-01T11:30:00Z", "2026-12-01T11:45:00Z", "2026-12-01T11:59:30Z"


def asked(
    at: str, metadata: Mapping[str, Any] | None = None, *, status: Mapping[str, Any] | None = None
) -> Asked:
    told = {"name": f"of-{at[11:16]}", "creationTimestamp": at, **(metadata or {})}
    body = msgspec.json.encode({"metadata": told, "status": status})
    return msgspec.json.decode(body, type=Asked)


def said(*found: Asked) -> list[Check]:
    return list(judge(found, NOW))


@pytest.mark.parametrize("status", [None, {}])
def test_one_that_was_not_taken_up_for_long_is_a_warning_with_what_to_check(
    status: Mapping[str, Any] | None,
) -> None:
    (check,) = said(asked(NEWER, status=status))
    assert (check.code, check.result) == ("ControllerNotResponding", Result.WARN)
    assert check.message == (
        "the controller of KServe may be away: it has not taken up InferenceService of-11:45, made "
        "15 min ago; check that kserve-controller-manager runs"
    )


@pytest.mark.parametrize(
    "found",
    [
        asked(JUST),
        asked(OLD, TAKEN_UP),
        asked(OLD, status={"conditions": []}),
        asked(OLD, ELSEWHERE),
        asked(OLD, OURS),
        asked(OLD, GOING),
        asked("once"),
    ],
    ids=["new", "held", "told", "of another controller", "ours", "leaving", "of no time"],
)
def test_one_that_tells_nothing_of_it_is_no_warning(found: Asked) -> None:
    assert said(found) == []


def test_one_that_was_taken_up_later_shows_that_it_acts() -> None:
    assert said(asked(OLD), asked(NEWER, TAKEN_UP)) == []
    assert said(asked(OLD), asked(NEWER, {**OURS, **TAKEN_UP})) == []
    assert said(asked(OLD, TAKEN_UP), asked(NEWER)) != []
    assert said(asked(OLD), asked(NEWER, TAKEN_UP), asked("2026-12-01T11:50:00Z")) != []


def test_of_several_the_one_that_waits_longest_is_named() -> None:
    (check,) = said(asked(NEWER), asked(OLD))
    assert "of-11:30" in check.message


def test_nothing_is_said_where_there_is_none() -> None:
    assert said() == []

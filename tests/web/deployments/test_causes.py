"""A cause that a log told is the next step, with a way there for who may go it."""

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User

from console.web.shown.causes import cause_of, cause_step_of, ways_on
from deployments.models import Deployment
from deployments.selectors import current_revision
from providers.contract.status import Evidence, Phase, Status
from providers.engines.signatures import SIGNATURES

CRASH = Evidence(reason="CrashLoop", message="it keeps ending", object="Pod chat-0", row=15)
CAUSE = Evidence(reason="KvCacheTooSmall", message="the log says: x", object="Pod chat-0", row=15)


def _status(*evidence: Evidence) -> Status:
    return Status(phase=Phase.FAILED, reason="CrashLoop", message="x", evidence=evidence)


def test_the_advice_of_the_cause_is_the_next_step() -> None:
    assert cause_step_of(_status(CRASH, CAUSE)) == (
        "Lower engine_args.max_model_len, or raise engine_args.gpu_memory_utilization."
    )


@pytest.mark.parametrize(
    "evidence", [(), (CRASH,), (CAUSE,), (CRASH, Evidence(reason="X", message="y", row=15))]
)
def test_without_a_cause_there_is_no_such_step(evidence: tuple[Evidence, ...]) -> None:
    assert cause_of(_status(*evidence)) is None
    assert cause_step_of(_status(*evidence)) == ""


def test_a_cause_of_another_row_is_not_that_of_the_verdict() -> None:
    late = Evidence(reason="NoEgress", message="the log says: x", object="Pod b", row=19)
    assert cause_of(_status(CRASH, late)) is None


def test_every_advice_begins_as_a_sentence_may() -> None:
    assert all(one.advice[0].isalpha() and one.says[0].isalpha() for one in SIGNATURES)


@pytest.mark.parametrize(
    ("group", "labels"),
    [
        ("viewer", ["Read its log"]),
        ("deployer", ["Read its log", "Launch another with other max_model_len"]),
        (
            "curator",
            ["Read its log", "Launch another with other max_model_len", "Curate the template"],
        ),
    ],
)
def test_everybody_gets_the_ways_that_they_may_go(
    launch: Callable[..., Deployment],
    person: Callable[..., User],
    group: str,
    labels: list[str],
) -> None:
    made = launch()
    revision = current_revision(made)
    revision.spec = {**revision.spec, "overridable": {"engine_args.max_model_len": {"max": 9}}}
    ways = list(ways_on(_status(CRASH, CAUSE), made, revision, person("paula", group)))
    assert [way.label for way in ways] == labels
    assert ways[0].address.endswith("/logs?pod=chat-0")


def test_who_may_change_it_is_led_to_the_field(
    launch: Callable[..., Deployment],
) -> None:
    made = launch()
    revision = current_revision(made)
    revision.spec = {**revision.spec, "overridable": {"engine_args.max_model_len": {"max": 9}}}
    olga = User.objects.get(username="olga")
    _, way = ways_on(_status(CRASH, CAUSE), made, revision, olga)
    assert way.label == "Change max_model_len"
    assert way.address == f"/deployments/{made.pk}/change#field-arg-max_model_len"


SPARE = Status(phase=Phase.DEPLOYING, reason="RolloutNeedsSpareAccelerator", message="x")


def test_a_rollout_without_a_spare_accelerator_can_let_an_old_pod_go_first(
    launch: Callable[..., Deployment], person: Callable[..., User]
) -> None:
    made = launch()
    revision = current_revision(made)
    olga, paula = User.objects.get(username="olga"), person("paula", "deployer")
    [way] = ways_on(SPARE, made, revision, olga)
    assert way.address == f"/deployments/{made.pk}/change/review?base=1&rollout=replace"
    assert not list(ways_on(SPARE, made, revision, paula))


@pytest.mark.parametrize(
    ("rollout", "overridable"),
    [("replace", {}), ("surge", {"rollout": {"values": ["surge"]}})],
)
def test_where_it_is_so_already_or_not_allowed_nothing_is_offered(
    launch: Callable[..., Deployment], rollout: str, overridable: dict[str, object]
) -> None:
    made = launch()
    revision = current_revision(made)
    revision.rollout, revision.spec = rollout, {**revision.spec, "overridable": overridable}
    assert not list(ways_on(SPARE, made, revision, User.objects.get(username="olga")))


def test_what_may_not_be_overridden_is_for_curators_alone(
    launch: Callable[..., Deployment], person: Callable[..., User]
) -> None:
    made = launch()
    ways = ways_on(_status(CRASH, CAUSE), made, current_revision(made), person("kim", "deployer"))
    assert [way.label for way in ways] == ["Read its log"]


def test_a_verdict_that_no_log_explains_leads_to_none(
    launch: Callable[..., Deployment], person: Callable[..., User]
) -> None:
    made = launch()
    quota = Status(phase=Phase.FAILED, reason="QuotaExceeded", message="x")
    assert not list(ways_on(quota, made, current_revision(made), person("ada", "admin")))

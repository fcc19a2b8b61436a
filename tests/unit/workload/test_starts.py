"""What is learnt from a pod that comes up: its first start, once, and never a second one."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from providers.contract.starts import PodStart
from providers.contract.status import Phase, Status
from providers.workload.slimming import slim_pod
from providers.workload.status import derive_status, starts_of
from tests.unit.workload.cases import NAMES, Case, load_case

NODE_AT = datetime(2026, 11, 30, 11, 50, tzinfo=UTC)


def starts(case: Case, **known: Any) -> tuple[PodStart, ...]:
    """Return what is learnt where, unless said otherwise, nothing is known of a last look."""
    bundle, ref = case.bundle(), replace(case.known, **{"last_status": None, **known})
    return starts_of(bundle, ref, derive_status(bundle, ref, case.now))


def last(case: Case, *, ready: int) -> Status:
    return Status(
        phase=Phase.READY, reason="", message="", ready_replicas=ready, observed_at=case.now
    )


def changed(name: str, *, status: dict[str, Any] | None = None, **meta: Any) -> Case:
    """Return a case whose pods have other metadata and another status in parts."""
    case = load_case(name)
    manifests = tuple(
        {
            **one,
            "metadata": {**one["metadata"], **meta},
            "status": {**one["status"], **(status or {})},
        }
        if one["kind"] == "Pod"
        else one
        for one in case.manifests
    )
    return replace(case, manifests=manifests)


def containers(case: Case, **parts: Any) -> list[dict[str, Any]]:
    [pod] = [one for one in case.manifests if one["kind"] == "Pod"]
    return [{**one, **parts} for one in pod["status"]["containerStatuses"]]


def conditions(*, scheduled: datetime | None, ready: datetime) -> list[dict[str, str]]:
    told = [{"type": "Ready", "status": "True", "lastTransitionTime": ready.isoformat()}]
    if scheduled is not None:
        at = scheduled.isoformat()
        told.append({"type": "PodScheduled", "status": "True", "lastTransitionTime": at})
    return told


def test_a_pod_that_came_up_took_from_its_node_to_its_first_answer() -> None:
    ready_at = NODE_AT + timedelta(minutes=1)
    case = changed("26-ready", status={"conditions": conditions(scheduled=NODE_AT, ready=ready_at)})
    [pod] = case.bundle().pods
    [start] = starts(case)
    assert start == PodStart(pod_uid=pod.uid, scheduled_at=NODE_AT, ready_at=ready_at)
    assert start.seconds == 60


def test_one_on_its_way_is_told_without_an_end() -> None:
    [start] = starts(load_case("18-loading"))
    assert (start.ready_at, start.seconds) == (None, None)


def test_where_as_many_are_ready_as_at_the_last_look_nothing_is_told() -> None:
    case = load_case("26-ready")
    assert starts(case, last_status=last(case, ready=1)) == ()
    assert starts(case, last_status=last(case, ready=0))


def test_a_pod_that_restarted_teaches_nothing() -> None:
    case = load_case("26-ready")
    again = containers(case, restartCount=1)
    assert starts(changed("26-ready", status={"containerStatuses": again})) == ()
    assert starts(changed("26-ready", status={"initContainerStatuses": again})) == ()


def test_one_that_is_ready_again_after_days_teaches_nothing() -> None:
    budget = load_case("26-ready").known.startup_budget_seconds + 600
    for seconds, count in ((budget, 1), (budget + 1, 0)):
        ready = NODE_AT + timedelta(seconds=seconds)
        status = {"conditions": conditions(scheduled=NODE_AT, ready=ready)}
        assert len(starts(changed("26-ready", status=status))) == count


def test_clocks_that_differ_never_make_it_negative() -> None:
    status = {"conditions": conditions(scheduled=NODE_AT, ready=NODE_AT - timedelta(seconds=5))}
    [start] = starts(changed("26-ready", status=status))
    assert start.seconds == 0


@pytest.mark.parametrize(
    "case",
    [
        changed("26-ready", labels={"slipway.dev/id": load_case("26-ready").known.id}),
        changed("26-ready", deletionTimestamp="2026-11-30T11:59:00Z"),
        changed("26-ready", status={"phase": "Failed"}),
        changed("26-ready", status={"conditions": conditions(scheduled=None, ready=NODE_AT)}),
        changed("26-ready", status={"conditions": None}),
        changed("26-ready", uid=None),
    ],
    ids=["of another revision", "leaves", "is finished", "has no node", "says nothing", "no uid"],
)
def test_a_pod_that_is_not_one_of_ours_coming_up_teaches_nothing(case: Case) -> None:
    assert starts(case, last_status=last(case, ready=0)) == ()


@pytest.mark.parametrize("name", NAMES)
def test_no_case_breaks_it_and_a_slim_pod_tells_the_same(name: str) -> None:
    case = load_case(name)
    bundle = case.bundle()
    slimmed = replace(bundle, pods=tuple(slim_pod(pod) for pod in bundle.pods))
    status = derive_status(bundle, case.known, case.now)
    assert starts_of(slimmed, case.known, status) == starts_of(bundle, case.known, status)

"""What a log adds to a verdict, and whose logs are asked for."""

from dataclasses import replace

import pytest

from providers.contract.status import Status
from providers.engines.log_causes import LogCause, find_cause
from providers.workload.status import LogWish, derive_status, log_wishes
from providers.workload.status.wording import count_of
from tests.unit.workload.cases import NAMES, Case, load_case

CRASH = "15-crash-loop"
KV = find_cause(["ValueError: No available memory for the cache blocks."])
KILLED = find_cause(["KeyboardInterrupt: terminated"])


def _told(case: Case, cause: LogCause | None, *, last: Status | None = None) -> Status:
    bundle = replace(case.bundle(), log_causes={_pod_of(case): cause})
    return derive_status(bundle, replace(case.known, last_status=last), case.now)


def _pod_of(case: Case) -> str:
    [pod] = case.bundle().pods
    return pod.name


def _restarts_of(case: Case, container: str) -> int:
    statuses = [
        each
        for pod in case.bundle().pods
        for each in (
            *(pod.seen.init_container_statuses or ()),
            *(pod.seen.container_statuses or ()),
        )
        if each and each.name == container and (each.restart_count or not each.ready)
    ]
    return max(each.restart_count or 0 for each in statuses)


def test_a_crash_is_told_with_its_cause_and_with_what_to_do() -> None:
    case = load_case(CRASH)
    status = _told(case, KV)
    assert (status.phase.value, status.reason) == ("Failed", "CrashLoop")
    assert status.message == (
        "0 of 1 replicas ready; container engine keeps ending with code 1 "
        f"({count_of(_restarts_of(case, 'engine'), 'restart')}): "
        "the KV cache is too small for max_model_len (lower engine_args.max_model_len, or raise "
        "engine_args.gpu_memory_utilization)"
    )


def test_what_is_late_is_told_with_what_its_log_says_beside_its_probe() -> None:
    case = load_case("19-never-ready")
    bundle = replace(case.bundle(), log_causes={pod.name: KV for pod in case.bundle().pods})
    status = derive_status(bundle, case.known, case.now)
    plain = derive_status(case.bundle(), case.known, case.now)
    assert status.message.startswith(f"{plain.message}; its log says that the KV cache is too")


def test_the_line_that_tells_is_evidence_right_below_the_fault() -> None:
    case = load_case(CRASH)
    fault, cause = _told(case, KV).evidence[:2]
    assert (fault.reason, fault.row) == ("CrashLoop", 15)
    assert (cause.reason, cause.row, cause.object) == (
        "KvCacheTooSmall",
        15,
        f"Pod {_pod_of(case)}",
    )
    assert cause.message == "the log says: ValueError: No available memory for the cache blocks."


def test_a_log_that_tells_nothing_leaves_the_verdict_as_it_was() -> None:
    case = load_case(CRASH)
    known = replace(case.known, last_status=None)
    assert _told(case, None) == derive_status(case.bundle(), known, case.now)


def test_a_cause_outlives_a_log_that_cannot_be_read_any_more() -> None:
    case = load_case(CRASH)
    before = _told(case, KV)
    known = replace(case.known, last_status=before)
    assert derive_status(case.bundle(), known, case.now).says_the_same(before)


def test_a_log_that_was_read_anew_and_tells_nothing_ends_the_memory() -> None:
    case = load_case(CRASH)
    assert _told(case, None, last=_told(case, KV)).message.endswith("its log says why")


def test_a_cause_that_the_verdict_names_already_is_not_said_twice() -> None:
    case = load_case("15-killed-while-loading-by-event")
    pod = _pod_of(case)
    plain = derive_status(case.bundle(), case.known, case.now)
    told = replace(case.bundle(), log_causes={pod: KILLED})
    assert derive_status(told, case.known, case.now) == plain


def test_what_ran_out_of_memory_keeps_its_own_advice() -> None:
    case = load_case("14-out-of-memory-in-back-off")
    bundle = replace(case.bundle(), log_causes={pod.name: KV for pod in case.bundle().pods})
    status = derive_status(bundle, case.known, case.now)
    assert "KV cache" not in status.message
    assert "KvCacheTooSmall" in {item.reason for item in status.evidence}


@pytest.mark.parametrize("name", NAMES)
def test_no_log_changes_phase_or_reason(name: str) -> None:
    case = load_case(name)
    bundle = replace(case.bundle(), log_causes={pod.name: KV for pod in case.bundle().pods})
    told = derive_status(bundle, case.known, case.now)
    plain = derive_status(case.bundle(), case.known, case.now)
    assert (told.phase, told.reason) == (plain.phase, plain.reason)


@pytest.mark.parametrize(
    ("name", "container", "ended"),
    [
        (CRASH, "engine", True),
        ("15-killed-while-loading-by-event", "engine", True),
        ("19-never-ready", "engine", False),
        ("13-model-download-fails", "storage-initializer", True),
        ("14-ready-again-after-five-minutes", "engine", False),
    ],
)
def test_the_log_of_what_fails_is_asked_for(name: str, container: str, *, ended: bool) -> None:
    case = load_case(name)
    [wish] = _wishes(case)
    assert (wish.container, wish.ended) == (container, ended)
    assert wish.restarts == _restarts_of(case, container)
    assert wish.uid


@pytest.mark.parametrize(
    "name",
    [
        "26-ready",
        "18-loading",
        "12-image-not-found",
        "13-secret-missing",
        "10-no-cpu",
        "23-partly-ready",
    ],
)
def test_no_log_is_asked_for_where_none_could_tell_anything(name: str) -> None:
    assert _wishes(load_case(name)) == ()


def _wishes(case: Case) -> tuple[LogWish, ...]:
    return log_wishes(case.bundle(), derive_status(case.bundle(), case.known, case.now))

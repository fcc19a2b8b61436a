"""The status table: every case of tests/objects comes out as its file says."""

from collections import Counter

import pytest

from providers.contract.status import Status
from providers.workload.status import derive_status
from tests.unit.workload.cases import NAMES, Case, load_case


def _derived(case: Case) -> Status:
    return derive_status(case.bundle(), case.known, case.now)


@pytest.mark.parametrize("name", NAMES)
def test_a_case_comes_out_as_its_file_says(name: str) -> None:
    case = load_case(name)
    status = _derived(case)
    assert (status.phase.value, status.reason) == (case.expect["phase"], case.expect["reason"]), (
        status
    )
    assert case.expect.get("message", "") in status.message
    assert {item.reason for item in status.evidence} >= set(case.expect.get("evidence", ()))
    assert {note.reason for note in status.notes} == set(case.expect.get("notes", ()))


@pytest.mark.parametrize("name", NAMES)
def test_counts_and_flags_come_out_as_the_file_says(name: str) -> None:
    case = load_case(name)
    status = _derived(case)
    seen = {
        "desired": status.desired_replicas,
        "ready": status.ready_replicas,
        "available": status.available_replicas,
        "once_full": status.once_full,
        "closed": status.closed,
    }
    assert {key: seen[key] for key in seen if key in case.expect} == {
        key: value for key, value in case.expect.items() if key in seen
    }
    assert status.closed is (status.reason == "Removed")
    assert status.observed_at == case.now


def test_every_row_of_the_table_has_a_case() -> None:
    rows = Counter(int(name[:2]) for name in NAMES)
    assert {row for row in range(1, 29) if not rows[row]} == set()


def test_every_verdict_is_its_own_first_evidence() -> None:
    for name in NAMES:
        status = _derived(load_case(name))
        assert status.evidence[0].reason == status.reason, name

"""The recorded cases are a real API server's own words, and cover the table as far as it can go."""

import pytest

from providers.workload.status import derive_status
from tests.unit.workload.cases import NAMES, RECORDED, Case, load_case, load_document

RECORDINGS = sorted(path.stem for path in RECORDED.glob("*.yaml"))
# Rows of the table (28: broken objects) that a real control plane cannot be brought to show.
NEVER_HIT = {
    1: "nothing is read of a cluster that does not answer",
    28: "an API server writes no broken object",
}
# Where a case of another row is the one that this row just does not hold for.
NEAR_MISSES = {
    3: "05-being-removed-outside",
    4: "26-ready",
    6: "05-second-revision-pending",
    7: "22-scaling-down",
    8: "18-scaling-up-once-full",
    18: "19-never-ready",
    23: "18-scaling-up-once-full",
    26: "24-service-missing",
    27: "23-partly-ready",
}
MOST_BYTES = 2_621_440


def _row_of_verdict(case: Case) -> int:
    return derive_status(case.bundle(), case.known, case.now).evidence[0].row


def _rows(*, hit: bool) -> set[int]:
    """Return the rows of recorded cases whose verdict is of their row, or is not."""
    cases = [load_case(name) for name in RECORDINGS]
    return {case.row for case in cases if (_row_of_verdict(case) == case.row) is hit}


@pytest.mark.parametrize("name", RECORDINGS)
def test_every_recorded_object_bears_what_an_api_server_adds(name: str) -> None:
    case = load_case(name)
    assert case.is_recorded
    for item in case.manifests:
        metadata = item["metadata"]
        assert metadata["managedFields"], item["kind"]
        assert metadata["uid"]
        assert metadata["resourceVersion"]
        assert metadata["creationTimestamp"]


@pytest.mark.parametrize("name", RECORDINGS)
def test_no_object_that_a_case_has_from_another_is_missing(name: str) -> None:
    found = {item["metadata"]["uid"] for item in load_case(name).manifests}
    assert found >= set(load_document(name).get("same", ()))


def test_nothing_that_was_written_by_hand_calls_itself_recorded() -> None:
    assert [name for name in NAMES if load_case(name).is_recorded] == RECORDINGS


def test_every_row_is_recorded_where_it_holds() -> None:
    assert set(range(1, 29)) - _rows(hit=True) == set(NEVER_HIT)


def test_every_row_is_recorded_where_it_just_does_not_hold() -> None:
    missed = {row for row, name in NEAR_MISSES.items() if _row_of_verdict(load_case(name)) != row}
    assert missed == set(NEAR_MISSES)
    assert set(NEAR_MISSES.values()) <= set(RECORDINGS)
    assert set(range(1, 29)) - _rows(hit=False) - missed == set(NEVER_HIT)


def test_the_cases_stay_of_a_size_that_can_be_read() -> None:
    assert sum(path.stat().st_size for path in RECORDED.parent.rglob("*.yaml")) < MOST_BYTES

"""The status table: every case of tests/objects comes out as its file says."""

from collections import Counter
from collections.abc import Iterator

import pytest

from providers.contract.status import Status
from providers.workload.status import derive_status, needs_events
from providers.workload.status.facts import gather_facts
from providers.workload.status.verdict import OF_UNSETTLED
from tests.unit.workload.cases import NAMES, Case, Document, load_case


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
    rows = Counter(load_case(name).row for name in NAMES)
    assert {row for row in range(1, 29) if not rows[row]} == set()


def test_every_verdict_is_its_own_first_evidence() -> None:
    for name in NAMES:
        status = _derived(load_case(name))
        assert status.evidence[0].reason == status.reason, name


def test_where_no_events_are_needed_none_of_any_case_would_change_anything() -> None:
    calm = [case for case in map(load_case, NAMES) if not _needs_events(case)]
    assert calm
    for case in calm:
        silent = tuple(item for item in case.manifests if item["kind"] != "Event")
        told = [derive_status(case.bundle(), case.known, case.now)]
        for items in ((), tuple(_events_about_pods_of(case))):
            bundle = case.bundle((*silent, *items))
            told.append(derive_status(bundle, case.known, case.now))
        assert told[0] == told[1] == told[2], case.name


def test_whatever_lacks_a_replica_or_has_restarted_needs_events() -> None:
    for case in map(load_case, NAMES):
        status = _derived(case)
        if status.ready_replicas < status.desired_replicas or _has_restarted(case):
            assert _needs_events(case), case.name


def _needs_events(case: Case) -> bool:
    return needs_events(case.bundle(), case.known, case.now)


def _has_restarted(case: Case) -> bool:
    return any(
        status.restart_count
        for pod in case.bundle().pods
        for status in pod.seen.container_statuses or ()
        if status is not None
    )


def _events_about_pods_of(case: Case) -> Iterator[Document]:
    """Yield every event of any case as if it had been told of each pod of this one."""
    events = [item for name in NAMES for item in load_case(name).manifests if _is_event(item)]
    for pod in (item for item in case.manifests if item["kind"] == "Pod"):
        meta = pod["metadata"]
        about = {"kind": "Pod", **{key: meta.get(key) for key in ("name", "namespace", "uid")}}
        for event in events:
            yield {**event, "involvedObject": {**(event.get("involvedObject") or {}), **about}}


def _is_event(item: Document) -> bool:
    return bool(item["kind"] == "Event")


def test_where_all_is_settled_no_row_about_what_is_not_would_tell_anything() -> None:
    facts = [gather_facts(case.bundle(), case.known, case.now) for case in map(load_case, NAMES)]
    settled = [seen for seen in facts if seen.is_settled]
    assert settled
    assert [hit for seen in settled for rule in OF_UNSETTLED for hit in rule(seen)] == []

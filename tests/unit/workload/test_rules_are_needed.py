"""No rule of the status table is idle: without any single one of them some case comes out wrong."""

from types import FunctionType
from typing import Any

import pytest

from providers.contract.status import Status
from providers.workload.status import derive_status, verdict
from tests.unit.workload.cases import NAMES, Case, load_case

# Rules that are called by name where no other may speak.
SPEAK_ALONE = {"find_unreachable", "find_deletion"}


def _comes_out(case: Case) -> bool:
    """Tell whether a case comes out as its file says."""
    status = derive_status(case.bundle(), case.known, case.now)
    return _expected(case) == (status.phase.value, status.reason, _notes(status)) and (
        case.expect.get("message", "") in status.message
    )


def _expected(case: Case) -> tuple[str, str, set[str]]:
    return case.expect["phase"], case.expect["reason"], set(case.expect.get("notes", ()))


def _notes(status: Status) -> set[str]:
    return {note.reason for note in status.notes}


def _without(rules: tuple[Any, ...], rule: object) -> tuple[Any, ...]:
    return tuple(each for each in rules if each is not rule)


def test_with_all_rules_every_case_comes_out() -> None:
    assert [name for name in NAMES if not _comes_out(load_case(name))] == []


@pytest.mark.parametrize("rule", verdict.RULES, ids=lambda rule: rule.__name__)
def test_without_any_single_rule_some_case_comes_out_wrong(
    rule: FunctionType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verdict, "RULES", _without(verdict.RULES, rule))
    if rule.__name__ in SPEAK_ALONE:
        monkeypatch.setattr(verdict, rule.__name__, lambda _: ())
    assert any(not _comes_out(load_case(name)) for name in NAMES)


@pytest.mark.parametrize("rule", verdict.NOTES, ids=lambda rule: rule.__name__)
def test_without_any_single_note_some_case_comes_out_wrong(
    rule: FunctionType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verdict, "NOTES", _without(verdict.NOTES, rule))
    assert any(not _comes_out(load_case(name)) for name in NAMES)

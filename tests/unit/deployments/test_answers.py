"""What a provider answers is held against the contract before anybody relies on it."""

import pytest

from deployments.services.answers import (
    WrongAnswer,
    answer_of,
    checks_of,
    listing_of,
    manifests_of,
    observations_of,
)
from deployments.services.calling import ProviderFailed, calling
from providers.contract.checks import Check, Result
from providers.contract.protocols import Applied, Listing, Observation

POD = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "one"}}
CHECK = Check(code="Fine", result=Result.PASS, message="fine")


def test_what_the_contract_knows_comes_back_as_it_is() -> None:
    applied = Applied(workload_uid="1")
    assert answer_of(Applied, applied) is applied
    assert manifests_of((POD,)) == (POD,)
    assert checks_of((CHECK,)) == (CHECK,)
    assert listing_of(Listing(observations={})) == Listing(observations={})


@pytest.mark.parametrize("given", [None, [POD], (), ("Pod",), ({},), ({**POD, "metadata": 1},)])
def test_what_is_no_manifest_is_refused(given: object) -> None:
    with pytest.raises(WrongAnswer):
        manifests_of(given)


@pytest.mark.parametrize("given", [None, CHECK, [CHECK], (CHECK, "fine")])
def test_what_is_no_check_is_refused(given: object) -> None:
    with pytest.raises(WrongAnswer):
        checks_of(given)


@pytest.mark.parametrize(
    "given",
    [
        None,
        [],
        {"id": "Ready"},
        {"id": Observation(status="Ready")},  # type: ignore[arg-type]
    ],
)
def test_what_tells_no_status_is_refused(given: object) -> None:
    with pytest.raises(WrongAnswer):
        observations_of(given)


@pytest.mark.parametrize(
    "given",
    [
        {},
        Listing(observations=None),  # type: ignore[arg-type]
        Listing(observations={}, unmatched=("stray",)),  # type: ignore[arg-type]
    ],
)
def test_what_is_no_listing_is_refused(given: object) -> None:
    with pytest.raises(WrongAnswer):
        listing_of(given)


def test_a_wrong_answer_is_told_in_full_and_foreign_words_are_not() -> None:
    told = r"at list \(it answered int, not Listing\)"
    with pytest.raises(ProviderFailed, match=told), calling("their-kind", "list"):
        listing_of(7)
    told = r"at list \(ValueError\)"
    with pytest.raises(ProviderFailed, match=told), calling("their-kind", "list"):
        raise ValueError("a password, perhaps")

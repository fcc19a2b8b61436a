"""What a provider answers is held against the contract before anybody relies on it."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from deployments.services.answers import (
    WrongAnswer,
    answer_of,
    checks_of,
    counted_of,
    deletion_of,
    facts_of,
    going_of,
    ids_of,
    listing_of,
    manifests_of,
    observations_of,
    shared_of,
    watching_of,
)
from deployments.services.calling import ProviderFailed, calling
from providers.contract.capacity import Capacity
from providers.contract.checks import Check, Result
from providers.contract.manifest import key_of
from providers.contract.protocols import (
    Applied,
    ClusterFacts,
    Deletion,
    Listing,
    Observation,
    Remaining,
    SharedReads,
)
from providers.contract.removing import Going

POD = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "one"}}
CHECK = Check(code="Fine", result=Result.PASS, message="fine")
NOW = datetime(2026, 12, 1, tzinfo=UTC)
COUNTED = Capacity(observed_at=NOW)
KEPT = Remaining(object=key_of(POD), finalizers={"keep": "somebody's"})


def test_what_the_contract_knows_comes_back_as_it_is() -> None:
    applied = Applied(workload_uid="1")
    assert answer_of(Applied, applied) is applied
    assert manifests_of((POD,)) == (POD,)
    assert checks_of((CHECK,)) == (CHECK,)
    assert listing_of(Listing(observations={})) == Listing(observations={})
    for of, given in (
        (deletion_of, Deletion(gone=False, waiting_for=(KEPT,))),
        (going_of, Going(objects=(KEPT,), staying=(key_of(POD),), unreadable={"Pod": "forbidden"})),
        (facts_of, ClusterFacts(version="1.36", kinds={"memory": True})),
        (shared_of, SharedReads(now=NOW, capacity=COUNTED, unreadable={"Pod": "forbidden"})),
        (ids_of, frozenset({"one"})),
    ):
        assert of(given) == given


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


ODD: Any = 42


@pytest.mark.parametrize(
    ("of", "given"),
    [
        (deletion_of, True),
        (deletion_of, Deletion(gone=ODD)),
        (deletion_of, Deletion(gone=True, waiting_for=ODD)),
        (deletion_of, Deletion(gone=False, waiting_for=(ODD,))),
        (deletion_of, Deletion(gone=False, waiting_for=(replace(KEPT, object=ODD),))),
        (deletion_of, Deletion(gone=False, waiting_for=(replace(KEPT, finalizers=ODD),))),
        (going_of, None),
        (going_of, Going(objects=ODD)),
        (going_of, Going(objects=(), staying=("Pod one",))),  # type: ignore[arg-type]
        (going_of, Going(objects=(), unreadable={"Pod": ODD})),
        (facts_of, {"version": "1.36"}),
        (facts_of, ClusterFacts(version="1.36", uid=ODD)),
        (facts_of, ClusterFacts(version="1.36", kinds={"memory": ODD})),
        (facts_of, ClusterFacts(version="1.36", kinds={ODD: True})),
        (shared_of, COUNTED),
        (shared_of, SharedReads(now=ODD, capacity=COUNTED)),
        (shared_of, SharedReads(now=NOW, capacity=ODD)),
        (shared_of, SharedReads(now=NOW, capacity=COUNTED, unreadable=ODD)),
        (counted_of, None),
        (counted_of, Capacity(observed_at=ODD)),
        (counted_of, Capacity(observed_at=NOW, accelerators=(ODD,))),
        (counted_of, Capacity(observed_at=NOW, namespaces=ODD)),
        (watching_of, None),
        (watching_of, ["changed", "observe", "close"]),
        (ids_of, ["one"]),
        (ids_of, frozenset({ODD})),
    ],
)
def test_what_the_contract_does_not_know_is_refused(
    of: Callable[[Any], object], given: object
) -> None:
    with pytest.raises(WrongAnswer):
        of(given)


def test_a_wrong_answer_is_told_in_full_and_foreign_words_are_not() -> None:
    told = r"at list \(it answered int, not Listing\)"
    with pytest.raises(ProviderFailed, match=told), calling("their-kind", "list"):
        listing_of(7)
    told = r"at list \(ValueError\)"
    with pytest.raises(ProviderFailed, match=told), calling("their-kind", "list"):
        raise ValueError("a password, perhaps")

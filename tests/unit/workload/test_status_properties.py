"""What must hold of the status whatever a cluster sends: no error, no dependence on order."""

import copy
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from providers.contract.status import Phase
from providers.workload.status import derive_status
from tests.unit.workload.cases import NAMES, Case, load_case

Path = tuple[str | int, ...]
_LISTS = ("pods", "replica_sets", "events", "services", "endpoint_slices", "autoscalers", "nodes")


def _paths(value: object, at: Path = ()) -> Iterator[Path]:
    """Yield the path of every subtree of a manifest."""
    steps: Any = ()
    if isinstance(value, dict):
        steps = value.items()
    elif isinstance(value, list):
        steps = enumerate(value)
    for step, below in steps:
        yield (*at, step)
        yield from _paths(below, (*at, step))


def _without(manifest: Any, path: Path, *, null: bool) -> Any:
    changed = copy.deepcopy(manifest)
    parent = changed
    for step in path[:-1]:
        parent = parent[step]
    if null:
        parent[path[-1]] = None
    else:
        del parent[path[-1]]
    return changed


def _droppable(case: Case) -> list[tuple[int, Path]]:
    return [
        (index, path)
        for index, manifest in enumerate(case.manifests)
        for path in _paths(manifest)
        if path != ("kind",)
    ]


@settings(max_examples=400, deadline=None)
@given(name=st.sampled_from(NAMES), data=st.data())
def test_dropping_any_part_of_any_object_never_breaks_the_status(
    name: str, data: st.DataObject
) -> None:
    case = load_case(name)
    places = _droppable(case)
    if not places:
        return
    index, path = data.draw(st.sampled_from(places))
    null = data.draw(st.booleans())
    manifests = list(case.manifests)
    manifests[index] = _without(manifests[index], path, null=null)
    status = derive_status(case.bundle(tuple(manifests)), case.known, case.now)
    assert status.phase in Phase
    assert status.reason
    assert status.message


@settings(max_examples=150, deadline=None)
@given(name=st.sampled_from(NAMES), data=st.data())
def test_dropping_whole_objects_never_breaks_the_status(name: str, data: st.DataObject) -> None:
    case = load_case(name)
    kept = tuple(item for item in case.manifests if data.draw(st.booleans()))
    status = derive_status(case.bundle(kept), case.known, case.now)
    assert status.evidence[0].reason == status.reason


@settings(max_examples=200, deadline=None)
@given(name=st.sampled_from(NAMES), data=st.data())
def test_the_order_in_which_a_cluster_answers_never_shows(name: str, data: st.DataObject) -> None:
    case = load_case(name)
    bundle = case.bundle()
    shuffled: dict[str, Any] = {
        name: tuple(data.draw(st.permutations(getattr(bundle, name)), label=name))
        for name in _LISTS
    }
    expected = derive_status(bundle, case.known, case.now)
    assert derive_status(replace(bundle, **shuffled), case.known, case.now) == expected


@pytest.mark.parametrize("name", NAMES)
def test_a_sentence_does_not_change_by_the_clock_alone(name: str) -> None:
    case = load_case(name)
    before = derive_status(case.bundle(), case.known, case.now)
    after = derive_status(case.bundle(), case.known, case.now + timedelta(seconds=0.5))
    assert before.says_the_same(after)


@pytest.mark.parametrize("name", NAMES)
def test_a_clock_far_behind_the_objects_breaks_nothing(name: str) -> None:
    case = load_case(name)
    status = derive_status(case.bundle(), case.known, case.now - timedelta(days=400))
    assert not re.search(r"(?<!\S)-\d", status.message)


def test_every_case_decodes_without_an_object_being_changed() -> None:
    case = load_case("26-ready")
    before = msgspec.json.encode(case.manifests)
    case.bundle()
    assert msgspec.json.encode(case.manifests) == before

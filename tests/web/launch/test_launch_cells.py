"""Accelerators as cells: every one is drawn once, and a page stays small however many there are."""

from datetime import UTC, datetime

import pytest
from django.http import QueryDict

from console.web.launch.outlook import MOST_CELLS, Outlook, outlook_for
from console.web.launch.state import read_state
from providers.contract.bounds import Metric
from providers.contract.capacity import AcceleratorCapacity, Capacity
from providers.contract.overrides import Scaling
from providers.contract.template import parse_spec
from providers.testing.samples import spec_with

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def drawn(total: int, free: int, low: int, high: int, per_pod: int = 2) -> Outlook:
    spec = parse_spec(spec_with(accelerator={"type": "H100", "count": per_pod}))
    scaling = Scaling(min_replicas=low, max_replicas=high, autoscaled=True, metric=Metric())
    one = AcceleratorCapacity(
        type="H100", resource="x", total=total, free=free, largest_free_on_one_node=free
    )
    counted = Capacity(observed_at=NOW, accelerators=(one,))
    outlook = outlook_for(spec, scaling, counted, cluster="harbour", counted_at=NOW)
    (found,) = outlook.types
    return found


@pytest.mark.parametrize(
    ("given", "counts"),
    [
        ((16, 9, 1, 1), {"used": 7, "need": 2, "free": 7}),
        ((16, 9, 2, 4), {"used": 7, "need": 4, "grow": 4, "free": 1}),
        ((16, 1, 1, 1), {"used": 15, "need": 1, "miss": 1}),
        ((16, 9, 4, 8), {"used": 7, "need": 8, "grow": 1, "lack": 7}),
        ((0, 0, 1, 1), {"need": 0, "miss": 2}),
        ((8, 8, 0, 0), {"need": 0, "free": 8}),
    ],
)
def test_each_accelerator_has_one_meaning(
    given: tuple[int, int, int, int], counts: dict[str, int]
) -> None:
    groups = drawn(*given).groups
    assert {group.state: group.count for group in groups} == counts
    assert [group.path.count("M") for group in groups] == list(counts.values())


@pytest.mark.parametrize(("total", "each"), [(128, 1), (129, 2), (10_000, 79)])
def test_many_accelerators_share_cells(total: int, each: int) -> None:
    found = drawn(total, total, 1, 1)
    assert found.each == each
    # Each meaning may round up to one cell more.
    assert sum(group.path.count("M") for group in found.groups) <= MOST_CELLS + 2


def test_no_two_cells_lie_on_each_other() -> None:
    places = [
        place.partition("h")[0]
        for group in drawn(100, 40, 5, 30).groups
        for place in group.path.split("M")[1:]
    ]
    assert len(places) == len(set(places)) == 120


def test_what_was_not_counted_is_said_instead_of_drawn() -> None:
    spec = parse_spec(spec_with(accelerator={"type": "H100", "count": 2}))
    scaling = Scaling(min_replicas=1, max_replicas=3, autoscaled=True, metric=Metric())
    outlook = outlook_for(spec, scaling, None, cluster="harbour", counted_at=None)
    (found,) = outlook.types
    assert found.groups == ()
    assert found.sentence == (
        "It needs 2 H100, up to 6 at most; how many are free was not counted."
    )


def test_the_query_string_leads_back_to_the_same_state() -> None:
    query = "model=a%40v+2&template=t&place=c%2Fn&kind=k&name=%E6%A8%A1&arg.x=1%262&min_replicas="
    state = read_state(QueryDict(query))
    assert read_state(QueryDict(state.query)) == state
    assert (state.model_id, state.version) == ("a", "v 2")
    assert (state.cluster, state.namespace) == ("c", "n")
    assert state.entered == {"name": "模", "arg.x": "1&2", "min_replicas": ""}


def test_what_is_no_field_of_the_flow_is_left_out() -> None:
    state = read_state(QueryDict("model=a&evil=1&back=1&launch=token"))
    assert state.query == "model=a"

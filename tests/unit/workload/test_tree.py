"""Objects as a tree: each right before what it owns, whatever order they came in."""

from hypothesis import given
from hypothesis import strategies as st

from providers.contract.manifest import ObjectKey
from providers.contract.observing import ObjectState
from providers.workload.states.tree import as_tree


def item(name: str, below: str = "") -> ObjectState:
    return ObjectState(
        key=key(name), state="In place", tone="ok", below=key(below) if below else None
    )


def key(name: str) -> ObjectKey:
    return ObjectKey(api_version="v1", kind="Thing", name=name)


def names(*items: ObjectState) -> list[str]:
    return [one.key.name for one in as_tree(items)]


def test_what_is_owned_follows_its_owner() -> None:
    given = (item("pod", "set"), item("service", "top"), item("set", "top"), item("top"))
    assert names(*given) == ["top", "service", "set", "pod"]


def test_what_belongs_to_nothing_that_was_read_is_a_root() -> None:
    [orphan] = as_tree([item("pod", "set")])
    assert orphan.below is None


def test_what_says_that_it_owns_itself_is_a_root() -> None:
    assert names(item("odd", "odd")) == ["odd"]


@given(st.permutations(range(12)))
def test_no_order_loses_an_object_or_puts_one_before_its_owner(order: list[int]) -> None:
    items = [item(str(number), str(number // 2) if number else "") for number in order]
    tree = as_tree(items)
    assert sorted(one.key.name for one in tree) == sorted(one.key.name for one in items)
    seen: set[ObjectKey] = set()
    for one in tree:
        assert one.below is None or one.below in seen
        seen.add(one.key)

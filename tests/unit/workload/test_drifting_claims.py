"""What others added becomes ours to take away, by who holds it and nothing else."""

from typing import Any

from providers.contract.drifting import DriftKind
from providers.contract.manifest import Manifest
from providers.workload.drifting.claiming import claimed
from providers.workload.drifting.comparing import unheld_beside
from providers.workload.drifting.holders import entries_of, holder_of
from providers.workload.drifting.paths import Path

from .drifted import CONTAINER, MANIFEST, change, drift_of, entry, live_of

EDIT, OURS = "kubectl-edit", "slipway"
PAUSED: Path = ("spec", "paused")
EXTRA: Path = (*CONTAINER, "env", (("name", "EXTRA"),))
ITEM = {"name": "EXTRA", "value": "1"}


def with_claims(live: Manifest, *paths: Path) -> Manifest:
    held = claimed(live, paths, manager=OURS)
    return {**live, "metadata": {**live["metadata"], "managedFields": held}}


def holders(live: Manifest, path: Path) -> set[str]:
    return {one.manager for one in entries_of(live) if one.holds(path)}


def fields_of(live: Manifest, manager: str) -> list[Any]:
    listed = live["metadata"]["managedFields"]
    return [one["fieldsV1"] for one in listed if one["manager"] == manager]


def test_what_others_added_is_held_by_us_alone_and_nothing_else_changes() -> None:
    live = change(live_of(), EXTRA, ITEM, manager=EDIT)
    live = change(live, PAUSED, value=True, manager=EDIT)
    live = change(live, (*CONTAINER, "image"), "mock:2", manager=EDIT)

    after = with_claims(live, EXTRA, PAUSED)

    assert holders(after, EXTRA) == holders(after, (*EXTRA, "value")) == {OURS}
    assert holders(after, PAUSED) == {OURS}
    assert holders(after, (*CONTAINER, "image")) == {EDIT}
    assert holders(after, (*CONTAINER, "env", (("name", "COLOUR"),))) == {OURS}
    assert {**after, "metadata": 0} == {**live, "metadata": 0}


def test_who_holds_nothing_any_more_is_left_out() -> None:
    live = change(live_of(), EXTRA, ITEM, manager=EDIT)

    after = with_claims(live, EXTRA)

    assert fields_of(after, EDIT) == []
    assert fields_of(live, EDIT) != []


def test_what_several_others_hold_is_taken_from_all_of_them() -> None:
    live = change(live_of(), PAUSED, value=True, manager=EDIT)
    theirs = entry("argocd-controller", {"f:spec": {"f:paused": {}, "f:minReadySeconds": {}}})
    live["metadata"]["managedFields"].append(theirs)

    after = with_claims(live, PAUSED)

    assert holders(after, PAUSED) == {OURS}
    assert fields_of(after, "argocd-controller") == [{"f:spec": {"f:minReadySeconds": {}}}]


def test_what_nobody_holds_becomes_ours_by_its_place() -> None:
    live = change(live_of(), EXTRA, ITEM)

    after = with_claims(live, EXTRA)

    assert holders(live, EXTRA) == set()
    assert holders(after, EXTRA) == {OURS}
    (_, spelt) = fields_of(after, OURS)[0]["f:spec"]["f:template"]["f:spec"]["f:containers"][
        'k:{"name":"engine"}'
    ]["f:env"]
    assert spelt == 'k:{"name":"EXTRA"}'


def test_a_part_of_what_is_held_as_a_whole_stays_where_it_is() -> None:
    live = live_of()
    whole: Manifest = {"f:spec": {"f:template": {"f:spec": {"f:containers": {}}}}}
    live["metadata"]["managedFields"].append(entry(EDIT, whole))
    del fields_of(live, OURS)[0]["f:spec"]["f:template"]["f:spec"]["f:containers"]

    assert with_claims(live, EXTRA) == live


def test_one_who_holds_nothing_yet_gets_an_entry() -> None:
    live = change(live_of(), PAUSED, value=True, manager=EDIT)
    live["metadata"]["managedFields"] = [
        one for one in live["metadata"]["managedFields"] if one["manager"] == EDIT
    ]

    (after,) = claimed(live, [PAUSED], manager=OURS)

    assert after == {
        "manager": OURS,
        "operation": "Apply",
        "apiVersion": "apps/v1",
        "fieldsType": "FieldsV1",
        "fieldsV1": {"f:spec": {"f:paused": {}}},
    }


def test_what_was_claimed_and_not_taken_away_yet_is_still_told_as_added() -> None:
    for path, value in ((EXTRA, ITEM), (PAUSED, True)):
        live = change(live_of(), path, value, manager=EDIT)
        (before,) = drift_of(live)

        (found,) = drift_of(with_claims(live, path))

        assert (found.kind, found.holder.who) == (DriftKind.ADDED, "unknown manager")
        assert found.fingerprint == before.fingerprint
        assert holder_of(entries_of(live), path) is not None


def test_what_an_earlier_manifest_of_ours_named_is_no_left_over() -> None:
    live = change(live_of(), PAUSED, value=True, manager=EDIT)
    of_another = {**MANIFEST, "metadata": {**MANIFEST["metadata"], "annotations": {}}}

    assert drift_of(with_claims(live, PAUSED), of_another) == []


def test_only_what_nobody_holds_right_beside_a_difference_may_stand_in_our_way() -> None:
    colour: Path = (*CONTAINER, "env", (("name", "COLOUR"),))
    live = change(live_of(), (*colour, "value"), None)
    live = change(live, (*colour, "valueFrom"), {"fieldRef": {}})
    held = change(live, (*colour, "valueFrom"), {"fieldRef": {}}, manager=EDIT)

    assert unheld_beside(MANIFEST, live) == ((*colour, "valueFrom"),)
    assert unheld_beside(MANIFEST, held) == ()
    assert unheld_beside(MANIFEST, live_of()) == ()

"""A merge patch on the simulated cluster: as kubectl edit writes, and as drift is taken away."""

from typing import Any

from providers.contract.manifest import Manifest

from .conftest import DEPLOYMENTS, Desk, deployment

MERGE = "application/merge-patch+json"
WEB = f"{DEPLOYMENTS}/web"


def patch(desk: Desk, body: Manifest, manager: str = "kubectl-edit") -> Any:
    return desk.ask("PATCH", f"{WEB}?fieldManager={manager}", body, MERGE)


def managers_of(live: Manifest, field: str) -> set[tuple[str, str]]:
    return {
        (entry["manager"], entry["operation"])
        for entry in live["metadata"]["managedFields"]
        if field in entry["fieldsV1"].get("f:spec", {})
    }


def test_a_change_is_the_writers_alone(desk: Desk) -> None:
    desk.apply(deployment("web", replicas=2))
    assert managers_of(desk.get(WEB), "f:replicas") == {("slipway", "Apply")}

    patch(desk, {"spec": {"replicas": 5}})

    live = desk.get(WEB)
    assert live["spec"]["replicas"] == 5
    assert live["metadata"]["generation"] == 2
    assert managers_of(live, "f:replicas") == {("kubectl-edit", "Update")}


def test_what_is_not_changed_stays_with_who_holds_it(desk: Desk) -> None:
    desk.apply(deployment("web", replicas=2))
    before = desk.get(WEB)

    patch(desk, {"spec": {"replicas": before["spec"]["replicas"]}})

    assert desk.get(WEB) == before


def test_null_takes_a_field_away_and_with_it_who_held_it(desk: Desk) -> None:
    desk.apply(deployment("web", replicas=2))
    patch(desk, {"spec": {"minReadySeconds": 3}})

    patch(desk, {"spec": {"minReadySeconds": None}}, manager="slipway")

    live = desk.get(WEB)
    assert "minReadySeconds" not in live["spec"]
    assert managers_of(live, "f:minReadySeconds") == set()
    assert {entry["manager"] for entry in live["metadata"]["managedFields"]} == {"slipway"}


def test_a_patch_that_was_made_for_an_older_version_is_refused(desk: Desk) -> None:
    desk.apply(deployment("web", replicas=2))
    old = desk.get(WEB)["metadata"]["resourceVersion"]
    patch(desk, {"spec": {"replicas": 4}})

    late = {"metadata": {"resourceVersion": old}, "spec": {"replicas": 9}}
    asked = patch(desk, late)

    assert (asked.status, asked.body["reason"]) == (409, "Conflict")
    assert desk.get(WEB)["spec"]["replicas"] == 4


def test_an_apply_with_force_takes_back_what_was_patched(desk: Desk) -> None:
    desk.apply(deployment("web", replicas=2))
    patch(desk, {"spec": {"replicas": 4}})

    desk.apply(deployment("web", replicas=2))

    live = desk.get(WEB)
    assert managers_of(live, "f:replicas") == {("slipway", "Apply")}

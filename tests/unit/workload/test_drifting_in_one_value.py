"""What others put into a value that the API server takes as one, told from what it fills in."""

from copy import deepcopy
from typing import Any

import pytest

from providers.contract.drifting import DriftKind
from providers.contract.manifest import Manifest
from providers.workload.drifting.paths import Path

from .drifted import MANIFEST, change, drift_of, entry, live_of

EDIT = "kubectl-edit"
ROLES: Path = ("spec", "template", "spec", "roles")
SELECTOR: Path = ("spec", "selector")
CONTAINERS: Path = ("spec", "predictor", "containers")

ENGINE = {"name": "engine", "image": "mock:1", "ports": [{"containerPort": 8000}]}
ROLE = {"name": "decode", "replicas": 1, "template": {"spec": {"containers": [ENGINE]}}}
STORM: Manifest = {
    **MANIFEST,
    "kind": "StormService",
    "spec": {
        "selector": {"matchLabels": {"slipway.dev/id": "1"}},
        "template": {"spec": {"roles": [ROLE]}},
        "predictor": {"containers": [ENGINE]},
    },
}
# By a controller of theirs that writes the whole list, and by the API server in what it wrote.
FILLED_IN = {"disruptionTolerance": {}, "updateStrategy": {"type": "Recreate"}, "dependencies": []}


def spelt(path: Path) -> Manifest:
    tree: Manifest = {}
    for step in reversed(path):
        tree = {f"f:{step}": tree}
    return tree


def held_whole(path: Path, value: Any, manager: str = EDIT) -> Manifest:
    """Return the object once somebody has written a value that is held as a whole."""
    live = change(live_of(STORM), path, value)
    if manager:
        live["metadata"]["managedFields"].append(entry(manager, spelt(path)))
    return live


def role_with(**more: Any) -> list[Manifest]:
    return [{**deepcopy(ROLE), **more}]


def engine_with(**more: Any) -> list[Manifest]:
    return [{**ENGINE, **more}]


@pytest.mark.parametrize(
    "more",
    [
        {"podGroupSize": 2},
        {"stateful": False},
        {"upgradeOrder": 0},
        {"updateStrategy": {"maxSurge": 1, "type": "Recreate"}},
        {"template": {"spec": {"containers": engine_with(imagePullPolicy="Always")}}},
    ],
)
def test_what_somebody_put_into_a_role_is_told_and_nothing_else_of_it(more: Manifest) -> None:
    (found,) = drift_of(held_whole(ROLES, role_with(**FILLED_IN | more)), STORM)

    assert (found.path, found.kind) == (".".join(map(str, ROLES)), DriftKind.CHANGED)
    assert (found.holder.manager, found.restarts) == (EDIT, True)
    assert [name in found.theirs for name in more] == [True] * len(more)
    assert "disruptionTolerance" not in found.theirs
    assert "replicas" not in found.theirs


@pytest.mark.parametrize("manager", [EDIT, "aibrix-controller-manager", "slipway", ""])
def test_what_is_filled_into_a_role_is_no_drift_whoever_wrote_it(manager: str) -> None:
    ports = [{"containerPort": 8000, "protocol": "TCP"}]
    template = {"spec": {"containers": engine_with(ports=ports)}}

    live = held_whole(ROLES, role_with(template=template, **FILLED_IN), manager)

    assert drift_of(live, STORM) == []


@pytest.mark.parametrize("manager", ["slipway", "kube-controller-manager", ""])
def test_more_in_a_role_is_no_drift_where_nobody_else_holds_the_roles(manager: str) -> None:
    assert drift_of(held_whole(ROLES, role_with(podGroupSize=2), manager), STORM) == []


def test_another_label_in_a_selector_is_told() -> None:
    labels = {"slipway.dev/id": "1", "zone": "a"}

    (found,) = drift_of(held_whole(SELECTOR, {"matchLabels": labels}), STORM)

    assert (found.path, found.kind, found.theirs) == (
        "spec.selector.matchLabels.zone",
        DriftKind.ADDED,
        "a",
    )


def test_what_somebody_put_into_a_container_of_a_list_that_is_held_whole_is_told() -> None:
    wider = engine_with(tty=True, resources={}, terminationMessagePolicy="File")

    (found,) = drift_of(held_whole(CONTAINERS, wider), STORM)

    assert (found.path, found.theirs) == ("spec.predictor.containers[name=engine].tty", "true")
    assert found.holder.manager == EDIT

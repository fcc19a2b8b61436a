from copy import deepcopy
from typing import Any

import pytest

from providers.contract.drifting import DriftKind
from providers.contract.manifest import Manifest, key_of
from providers.workload.drifting.telling import gone
from providers.workload.labels import ANNOTATION_DIGEST, ANNOTATION_REVISION

from .drifted import AT, CONTAINER, MANIFEST, change, drift_of, entry, live_of

EDIT = "kubectl-edit"
REPLICAS = ("spec", "replicas")
PAUSED = ("spec", "paused")
IMAGE_PATH = "spec.template.spec.containers[name=engine].image"


def added(name: str, value: str) -> tuple[Any, Manifest]:
    return (("name", name),), {"name": name, "value": value}


def test_what_is_as_it_was_applied_is_no_drift() -> None:
    assert drift_of(live_of()) == []


def test_a_changed_value_is_told_with_both_values_and_who_by_which_means_and_when() -> None:
    live = change(live_of(), (*CONTAINER, "image"), "mock:2", manager="kubectl-set")

    (found,) = drift_of(live)

    assert (found.key, found.path, found.kind) == (key_of(MANIFEST), IMAGE_PATH, DriftKind.CHANGED)
    assert (found.ours, found.theirs) == ("mock:1", "mock:2")
    assert found.holder.who == "somebody with kubectl set"
    assert (found.holder.manager, found.holder.operation) == ("kubectl-set", "Update")
    assert found.holder.at is not None
    assert found.holder.at.isoformat() == AT.replace("Z", "+00:00")
    assert found.restarts


OWNER = {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web", "uid": "u-9"}
OWNED = {**MANIFEST, "metadata": {**MANIFEST["metadata"], "ownerReferences": [OWNER]}}
STRANGER = {**OWNER, "name": "theirs", "uid": "u-3"}


@pytest.mark.parametrize("left", [[], [STRANGER]])
def test_an_owner_that_was_taken_off_is_told_as_what_no_longer_goes_with_it(
    left: list[Manifest],
) -> None:
    live = live_of(OWNED)
    live["metadata"]["ownerReferences"] = left

    (found,) = drift_of(live, OWNED)

    assert (found.path, found.kind) == ("metadata.ownerReferences", DriftKind.REMOVED)
    assert (found.ours, found.theirs, found.restarts) == ("Deployment web", "", False)
    assert found.can_be_put_back


def test_an_owner_that_somebody_added_beside_ours_is_no_drift() -> None:
    live = live_of(OWNED)
    live["metadata"]["ownerReferences"] = [STRANGER, OWNER]
    assert drift_of(live, OWNED) == []


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("metadata.labels[slipway.dev/id]", DriftKind.REMOVED),
        ("spec.strategy", DriftKind.REMOVED),
        ("spec.template.spec.containers[name=engine].env[name=COLOUR]", DriftKind.REMOVED),
    ],
)
def test_a_field_that_was_taken_away_cannot_be_traced(path: str, kind: DriftKind) -> None:
    at = {
        "metadata.labels[slipway.dev/id]": ("metadata", "labels", "slipway.dev/id"),
        "spec.strategy": ("spec", "strategy"),
    }.get(path, (*CONTAINER, "env", (("name", "COLOUR"),)))

    (found,) = drift_of(change(live_of(), at, None, manager=EDIT))

    assert (found.path, found.kind, found.theirs) == (path, kind, "")
    assert found.holder.who == "unknown manager"


@pytest.mark.parametrize("manager", [EDIT, ""])
def test_an_entry_in_a_list_of_ours_is_told_whether_or_not_it_can_be_traced(manager: str) -> None:
    keys, item = added("EXTRA", "1")

    (found,) = drift_of(change(live_of(), (*CONTAINER, "env", keys), item, manager=manager))

    assert found.kind is DriftKind.ADDED
    assert found.path == "spec.template.spec.containers[name=engine].env[name=EXTRA]"
    assert found.holder.manager == manager


def test_a_second_container_is_an_entry_in_a_list_of_ours() -> None:
    keys = (("name", "sidecar"),)
    path = (*CONTAINER[:-1], keys)

    (found,) = drift_of(change(live_of(), path, {"name": "sidecar", "image": "x"}, manager="x"))

    assert (found.kind, found.path) == (
        DriftKind.ADDED,
        "spec.template.spec.containers[name=sidecar]",
    )


def test_a_field_beside_ours_counts_only_where_somebody_holds_it() -> None:
    live = live_of()

    by_hand = change(live, PAUSED, value=True, manager="kubectl-rollout")
    by_itself = change(live, PAUSED, value=True)
    by_the_cluster = change(live, PAUSED, value=True, manager="kube-controller-manager")

    assert [found.path for found in drift_of(by_hand)] == ["spec.paused"]
    assert drift_of(by_itself) == drift_of(by_the_cluster) == []


def test_labels_and_annotations_of_others_are_no_drift() -> None:
    live = change(live_of(), ("metadata", "labels", "team"), "a", manager="kubectl-label")
    live = change(live, ("metadata", "annotations", "note"), "b", manager="kubectl-annotate")

    assert drift_of(live) == []


def test_an_annotation_of_ours_with_another_value_is_told() -> None:
    path = ("metadata", "annotations", "slipway.dev/display-name")

    (found,) = drift_of(change(live_of(), path, "Mine", manager="kubectl-annotate"))

    assert (found.ours, found.theirs, found.restarts) == ("Web", "Mine", False)
    assert found.path == "metadata.annotations[slipway.dev/display-name]"


@pytest.mark.parametrize("key", [ANNOTATION_DIGEST, ANNOTATION_REVISION])
def test_our_own_bookkeeping_is_no_drift(key: str) -> None:
    manifest = deepcopy(MANIFEST)
    manifest["metadata"]["annotations"][ANNOTATION_REVISION] = "4"

    assert drift_of(change(live_of(), ("metadata", "annotations", key), "3"), manifest) == []


def test_the_same_quantity_written_otherwise_is_no_drift() -> None:
    path = (*CONTAINER, "resources", "requests", "cpu")

    assert drift_of(change(live_of(), path, "1", manager=EDIT)) == []
    assert len(drift_of(change(live_of(), path, "2", manager=EDIT))) == 1


def test_what_the_api_server_fills_in_beside_ours_in_an_atomic_list_is_no_drift() -> None:
    path = ("spec", "template", "spec", "tolerations")
    filled = [{"key": "gpu", "operator": "Exists", "effect": ""}]

    assert drift_of(change(live_of(), path, filled, manager=EDIT)) == []
    assert len(drift_of(change(live_of(), path, [], manager=EDIT))) == 1


def test_what_we_still_hold_is_as_we_wrote_it_whatever_was_made_of_it() -> None:
    live = live_of()
    live["spec"]["strategy"]["rollingUpdate"]["maxSurge"] = "1"

    assert drift_of(live) == []


def test_what_was_written_from_another_manifest_is_compared_value_by_value() -> None:
    live = live_of()
    live["spec"]["replicas"] = 5
    live["metadata"]["annotations"][ANNOTATION_DIGEST] = "of another revision"

    (found,) = drift_of(live)

    assert (found.ours, found.theirs, found.holder.manager) == ("2", "5", "")


def test_replicas_are_no_drift_where_the_manifest_leaves_them_to_an_autoscaler() -> None:
    manifest = deepcopy(MANIFEST)
    del manifest["spec"]["replicas"]
    live = live_of(manifest)

    scaled = change(live, REPLICAS, 7, manager="kube-controller-manager", subresource="scale")
    by_hand = change(live, REPLICAS, 7, manager="kubectl", subresource="scale")

    assert drift_of(scaled, manifest) == drift_of(by_hand, manifest) == []


def test_a_number_of_replicas_that_nobody_holds_was_set_by_an_unknown_manager() -> None:
    (found,) = drift_of(change(live_of(), REPLICAS, 4))

    assert (found.ours, found.theirs, found.holder.who) == ("2", "4", "unknown manager")
    assert found.overrides == {"min_replicas": 4}
    assert not found.restarts


def test_replicas_that_an_autoscaler_of_somebody_else_sets_cannot_be_put_back() -> None:
    live = change(live_of(), REPLICAS, 4, manager="kube-controller-manager", subresource="scale")

    (found,) = drift_of(live, autoscaler="HorizontalPodAutoscaler mine")

    assert found.holder.who == "an autoscaler"
    assert not found.can_be_put_back
    assert "HorizontalPodAutoscaler mine" in found.obstacle


def test_entries_that_are_no_entries_and_times_that_are_no_times_change_nothing() -> None:
    live = live_of()
    live["metadata"]["managedFields"] += [None, {"manager": "x", "fieldsV1": 7, "time": "soon"}]
    live["metadata"]["managedFields"].append(entry("y", {"f:spec": {"k:{": {}}}))

    assert drift_of(live) == []


def test_without_any_record_of_managers_values_alone_tell() -> None:
    live = change(live_of(), (*CONTAINER, "image"), "mock:2", manager=EDIT)
    del live["metadata"]["managedFields"]

    (found,) = drift_of(live)

    assert (found.path, found.holder.who) == (IMAGE_PATH, "unknown manager")


@pytest.mark.parametrize(
    ("kind", "overrides"),
    [("Service", {}), ("HorizontalPodAutoscaler", {"enable_auto_scaling": False})],
)
def test_an_object_that_is_gone_is_taken_over_only_where_one_can_do_without(
    kind: str, overrides: dict[str, object]
) -> None:
    found = gone(key_of({**MANIFEST, "kind": kind}))

    assert (found.kind, found.path, found.overrides) == (DriftKind.GONE, "", overrides)
    assert found.can_be_put_back


def test_a_key_that_somebody_put_into_a_map_that_is_one_value_is_told() -> None:
    manifest = deepcopy(MANIFEST)
    manifest["spec"]["template"]["spec"]["nodeSelector"] = {"gpu": "h100"}
    path = ("spec", "template", "spec", "nodeSelector")
    live = live_of(manifest)
    live["spec"]["template"]["spec"]["nodeSelector"] = {"gpu": "h100", "zone": "a"}
    held: Manifest = {"f:spec": {"f:template": {"f:spec": {"f:nodeSelector": {}}}}}
    fields = live["metadata"]["managedFields"]
    del fields[0]["fieldsV1"]["f:spec"]["f:template"]["f:spec"]["f:nodeSelector"]
    fields.append(entry(EDIT, held))

    (found,) = drift_of(live, manifest)

    assert (found.path, found.kind) == (".".join((*path, "zone")), DriftKind.ADDED)


def test_what_the_api_server_fills_into_a_list_that_somebody_wrote_whole_is_no_drift() -> None:
    live = change(live_of(), CONTAINER[:-1], MANIFEST["spec"]["template"]["spec"]["containers"])
    live = deepcopy(live)
    live["spec"]["template"]["spec"]["containers"][0]["terminationMessagePath"] = (
        "/dev/termination-log"
    )
    held: Manifest = {"f:spec": {"f:template": {"f:spec": {"f:containers": {}}}}}
    live["metadata"]["managedFields"].append(entry(EDIT, held))

    assert drift_of(live) == []


def test_a_stop_by_hand_under_an_autoscaler_is_told_since_no_autoscaler_sets_0() -> None:
    manifest = deepcopy(MANIFEST)
    del manifest["spec"]["replicas"]

    (found,) = drift_of(change(live_of(manifest), REPLICAS, 0, manager="kubectl"), manifest)

    assert (found.ours, found.theirs) == ("left to the autoscaler", "0")
    assert found.overrides == {"min_replicas": 0}

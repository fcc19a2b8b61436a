"""What a pass lets go of an object changes no verdict and no count of what is free."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest

from providers.contract.manifest import ObjectKey
from providers.contract.protocols import ManagedObject
from providers.contract.status import Status
from providers.contract.target import ClusterTarget, Connection
from providers.workload.capacity import count_capacity
from providers.workload.index import bundles_by_id
from providers.workload.objects import HorizontalPodAutoscaler, Item, Node, Pod
from providers.workload.provenance import managed_object
from providers.workload.slimming import slim, slim_pod, slim_with_origin
from providers.workload.status import derive_status
from tests.unit.workload.cases import NAMES, Case, cluster_objects, load_case

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
TARGET = ClusterTarget(
    key="t", name="t", connection=Connection(), default_namespace="team", namespaces=("team",)
)


def slimmed(item: Item) -> Item:
    return slim_pod(item) if isinstance(item, Pod) else slim(item)


def verdict_on_slimmed(case: Case) -> Status:
    objects = cluster_objects(case.manifests, case.cluster, keep=slimmed)
    [(_, bundle)] = bundles_by_id(objects, [case.known])
    changed = tuple(case.cluster.get("changed_outside", ()))
    return derive_status(replace(bundle, changed_outside=changed), case.known, case.now)


def pod(**labels: str) -> Pod:
    document: dict[str, Any] = {
        "metadata": {"name": "p", "namespace": "team", "labels": labels, "annotations": {"a": "b"}},
        "spec": {
            "nodeName": "n",
            "containers": [
                {
                    "name": "c",
                    "image": "i",
                    "resources": {"limits": {"nvidia.com/gpu": "2"}, "requests": {"cpu": "1"}},
                }
            ],
            "initContainers": [{"resources": {"requests": {"nvidia.com/gpu": "3"}}}],
            "overhead": {"nvidia.com/gpu": "1"},
        },
        "status": {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]},
    }
    return msgspec.convert(document, Pod)


@pytest.mark.parametrize("name", NAMES)
def test_a_case_comes_out_the_same(name: str) -> None:
    case = load_case(name)
    assert verdict_on_slimmed(case) == derive_status(case.bundle(), case.known, case.now)


@pytest.mark.parametrize("labels", [{}, {"slipway.dev/id": "7"}])
def test_a_pod_holds_what_it_held(labels: dict[str, str]) -> None:
    node = msgspec.convert(
        {
            "metadata": {"name": "n"},
            "status": {
                "allocatable": {"nvidia.com/gpu": "8"},
                "conditions": [{"type": "Ready", "status": "True"}],
            },
        },
        Node,
    )
    found = pod(**labels)
    counted = [
        count_capacity([node], [one], [], TARGET, now=NOW) for one in (found, slim_pod(found))
    ]

    assert [item.free for item in counted[0].accelerators] == [4]
    assert counted[0] == counted[1]


def test_of_somebody_else_s_pod_nothing_is_kept_but_what_it_holds() -> None:
    kept = slim_pod(pod(app="web"))

    assert (kept.name, kept.namespace, kept.phase) == ("p", "team", "Running")
    assert (kept.labels, kept.annotations, kept.seen.conditions) == ({}, {}, None)


def test_a_pod_of_ours_keeps_all_labels_for_a_service_may_select_by_any() -> None:
    labels = {"slipway.dev/id": "7", "app": "web"}

    assert slim_pod(pod(**labels)).labels == labels


def test_a_companion_that_was_read_for_all_still_tells_what_it_was() -> None:
    document: dict[str, Any] = {
        "metadata": {
            "name": "h",
            "namespace": "team",
            "uid": "u",
            "creationTimestamp": "2026-01-01T00:00:00Z",
            "labels": {"slipway.dev/id": "7", "slipway.dev/implementation": "k", "app": "web"},
            "annotations": {
                "slipway.dev/digest": "d",
                "slipway.dev/revision": "3",
                "slipway.dev/display-name": "Demo",
                "noise": "long",
            },
        }
    }
    whole = msgspec.convert(document, HorizontalPodAutoscaler)
    kept = slim_with_origin(whole)

    assert told_of(kept) == told_of(whole)
    assert kept.meta.creation_timestamp == whole.meta.creation_timestamp
    assert (kept.labels.get("app"), kept.annotations.get("noise")) == (None, None)


def told_of(item: Item) -> ManagedObject:
    key = ObjectKey(api_version="v1", kind="K", name=item.name, namespace=item.namespace)
    return managed_object(
        key, item.uid, labels=item.labels, annotations=item.annotations, is_workload=False
    )

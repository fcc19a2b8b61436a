"""What is free on a cluster: counted by type, as the scheduler counts."""

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import msgspec
import pytest

from providers.contract.capacity import AcceleratorCapacity, Capacity, Quota
from providers.workload.capacity import count_capacity, count_quotas, pod_needs
from providers.workload.objects import Node, Pod, ResourceQuota
from tests.golden.build import target_of

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
PRODUCT = "nvidia.com/gpu.product"
H100 = {"accelerators": {"H100": {"node_selector": {PRODUCT: "NVIDIA-H100-80GB-HBM3"}}}}


def node(name: str, *, product: str = "NVIDIA-H100-80GB-HBM3", **more: Any) -> Node:
    resource = more.get("resource", "nvidia.com/gpu")
    document = {
        "metadata": {"name": name, "labels": {f"{resource}.product": product} if product else {}},
        "spec": {"unschedulable": more.get("cordoned")},
        "status": {
            "allocatable": {"cpu": "64", "rdma/hca": "8", resource: more.get("count", "8")},
            "conditions": [{"type": "Ready", "status": more.get("ready", "True")}],
        },
    }
    return msgspec.convert(document, Node)


def pod(on: str, count: object = "1", **more: Any) -> Pod:
    limits = {more.get("resource", "nvidia.com/gpu"): count}
    document = {
        "metadata": {"deletionTimestamp": more.get("deleted")},
        "spec": {
            "nodeName": on,
            "containers": [{"resources": {"limits": limits}}],
            "initContainers": more.get("inits"),
        },
        "status": {"phase": more.get("phase", "Running")},
    }
    return msgspec.convert(document, Pod)


def counted(
    nodes: list[Node], pods: list[Pod], target: dict[str, Any] | None = None
) -> tuple[AcceleratorCapacity, ...]:
    capacity = count_capacity(nodes, pods, [], target_of({"target": target or H100}), now=NOW)
    assert capacity.observed_at == NOW
    return capacity.accelerators


def numbers(found: AcceleratorCapacity) -> tuple[str, int, int, int]:
    return found.type, found.total, found.free, found.largest_free_on_one_node


def test_an_empty_cluster_has_none_of_a_mapped_type() -> None:
    assert [numbers(item) for item in counted([], [])] == [("H100", 0, 0, 0)]


def test_free_accelerators_are_counted_over_nodes_and_on_the_freest() -> None:
    [found] = counted([node("a"), node("b")], [pod("a", "6"), pod("b", "3"), pod("b", "1")])
    assert numbers(found) == ("H100", 16, 6, 4)


@pytest.mark.parametrize("phase", ["Succeeded", "Failed"])
def test_finished_pods_hold_nothing(phase: str) -> None:
    [found] = counted([node("a")], [pod("a", "8", phase=phase)])
    assert found.free == 8


def test_terminating_and_pending_pods_hold_what_they_asked_for() -> None:
    pods = [pod("a", "2", deleted="2026-11-30T12:00:00Z"), pod("a", "2", phase="Pending")]
    [found] = counted([node("a")], pods)
    assert found.free == 4


def test_a_pod_without_a_node_holds_nothing() -> None:
    [found] = counted([node("a")], [pod("", "8")])
    assert found.free == 8


@pytest.mark.parametrize("more", [{"cordoned": True}, {"ready": "False"}, {"ready": "Unknown"}])
def test_a_node_that_takes_no_pods_has_accelerators_and_none_free(more: dict[str, Any]) -> None:
    [found] = counted([node("a", **more), node("b")], [pod("b", "7")])
    assert numbers(found) == ("H100", 16, 1, 1)


def test_more_held_than_there_is_counts_as_none_free() -> None:
    [found] = counted([node("a", count="4"), node("b", count="4")], [pod("a", "8")])
    assert (found.total, found.free) == (8, 4)


def test_what_no_type_covers_is_told_by_its_product_or_its_resource() -> None:
    nodes = [
        node("a"),
        node("b", product="NVIDIA-L4"),
        node("c", product="", resource="amd.com/gpu"),
    ]
    found = counted(nodes, [pod("b", "1"), pod("c", "2", resource="amd.com/gpu")])
    assert [numbers(item) for item in found] == [
        ("H100", 8, 8, 8),
        ("NVIDIA-L4", 8, 7, 7),
        ("amd.com/gpu", 8, 6, 6),
    ]
    assert [item.resource for item in found][1:] == ["nvidia.com/gpu", "amd.com/gpu"]


def test_a_type_without_a_node_selector_covers_its_resource_everywhere() -> None:
    target = {"accelerators": {"any": {"resource": "nvidia.com/gpu"}}}
    [found] = counted([node("a"), node("b", product="NVIDIA-L4")], [], target)
    assert numbers(found) == ("any", 16, 16, 8)


def test_a_resource_of_zero_is_no_accelerator_there() -> None:
    assert counted([node("a", product="x", count="0")], [])[1:] == ()


def needs_of(**spec: Any) -> dict[str, Decimal]:
    return pod_needs(msgspec.convert({"spec": spec}, Pod))


def asks(count: object, **more: Any) -> dict[str, Any]:
    return {"resources": {"requests": {"nvidia.com/gpu": count}}, **more}


@pytest.mark.parametrize(
    ("inits", "apps", "expected"),
    [
        ([], ["1", "2"], 3),
        ([asks("4")], ["1", "2"], 4),
        ([asks("2"), asks("2")], ["1", "2"], 3),
        ([asks("1", restartPolicy="Always")], ["1"], 2),
        ([asks("1", restartPolicy="Always"), asks("3")], ["1"], 4),
        ([asks("3"), asks("1", restartPolicy="Always")], ["1"], 3),
        ([None], [None], 0),
        ([], ["none of it"], 0),
    ],
)
def test_init_containers_count_as_kubernetes_counts_them(
    inits: list[Any], apps: list[Any], expected: int
) -> None:
    needs = needs_of(initContainers=inits, containers=[asks(count) for count in apps])
    assert needs.get("nvidia.com/gpu", 0) == expected


def test_overhead_and_missing_containers_are_counted_too() -> None:
    assert needs_of(overhead={"cpu": "250m"}) == {"cpu": Decimal("0.25")}
    assert pod_needs(msgspec.convert({}, Pod)) == {}


def quota(name: str, hard: Any, used: Any, **spec: Any) -> ResourceQuota:
    document = {
        "metadata": {"name": name, "namespace": "team-a"},
        "spec": spec,
        "status": {"hard": hard, "used": used},
    }
    return msgspec.convert(document, ResourceQuota)


def test_only_lines_that_are_enforced_count_as_quota() -> None:
    found = count_quotas(
        [
            quota("b", {"requests.cpu": "10"}, {"requests.cpu": "500m"}),
            quota("a", {"nvidia.com/gpu": "2", "pods": "5"}, {"pods": "5"}),
            quota("c", {"pods": "1"}, None),
            quota("d", {"pods": "0"}, {"pods": "0"}, scopes=["BestEffort"]),
            msgspec.convert({}, ResourceQuota),
        ]
    )
    assert [item.name for item in found] == ["team-a"]
    assert found[0].quotas == (
        Quota(quota="a", resource="pods", hard=Decimal(5), used=Decimal(5)),
        Quota(quota="b", resource="requests.cpu", hard=Decimal(10), used=Decimal("0.5")),
    )


def test_quotas_come_with_the_capacity() -> None:
    lines = [quota("a", {"pods": "5"}, {"pods": "1"})]
    capacity = count_capacity([], [], lines, target_of({}), now=NOW)
    assert isinstance(capacity, Capacity)
    assert capacity.namespaces[0].quotas[0].free == 4

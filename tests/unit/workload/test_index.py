"""Lists of a whole cluster become one bundle per deployment, whatever else the lists hold."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from providers.contract.request import DeploymentRef
from providers.workload import objects as k8s
from providers.workload.bundle import Bundle, Mark, mark_newest
from providers.workload.index import ClusterObjects, bundles_by_id, workloads_by_name
from providers.workload.objects import Item
from tests.unit.workload.cases import load_case

A, B = "a" * 8, "b" * 8
REF = load_case("26-ready").known


def ref(ident: str, namespace: str = "team-a") -> DeploymentRef:
    return replace(REF, id=ident, runtime_name=f"m-{ident}", namespace=namespace)


def thing(kind: str, name: str, ident: str = "", **more: Any) -> Any:
    metadata = {
        "name": name,
        "namespace": more.pop("namespace", "team-a"),
        "labels": {**({"slipway.dev/id": ident} if ident else {}), **more.pop("labels", {})},
        **more.pop("metadata", {}),
    }
    return msgspec.convert({"metadata": metadata, **more}, getattr(k8s, kind))


def owned(by: str, *, controller: bool | None = None) -> dict[str, Any]:
    return {"ownerReferences": [{"kind": "Deployment", "uid": by, "controller": controller}]}


def pod(name: str, ident: str, digest: str = "new", **more: Any) -> Any:
    return thing("Pod", name, ident, labels={"pod-template-hash": digest}, **more)


def bundles(objects: ClusterObjects, *refs: DeploymentRef) -> dict[str, Bundle]:
    return {known.id: bundle for known, bundle in bundles_by_id(objects, refs)}


def names(items: Sequence[Item]) -> list[str]:
    return [item.name for item in items]


def test_every_deployment_gets_its_own_objects_and_nobody_else_s() -> None:
    objects = ClusterObjects(
        workloads=workloads_by_name(
            [thing("Deployment", f"m-{A}", A), thing("Deployment", f"m-{B}", B)]
        ),
        namespaces=[thing("Namespace", "team-a", namespace="")],
        pods=[pod("pa", A), pod("pb", B), pod("other", ""), pod("px", A, namespace="team-b")],
        services=[thing("Service", "sa", A), thing("Service", "sb", B)],
        quotas=[thing("ResourceQuota", "q"), thing("ResourceQuota", "z", namespace="team-b")],
    )
    found = bundles(objects, ref(A), ref(B))
    assert names(found[A].pods) == ["pa"]
    assert names(found[B].services) == ["sb"]
    assert names(found[A].quotas) == ["q"]
    workload = found[A].workload
    assert workload is not None
    assert workload.name == f"m-{A}"
    assert found[A].namespace is not None


def test_a_deployment_without_any_object_gets_an_empty_bundle() -> None:
    bundle = bundles(ClusterObjects(unread=frozenset({"Namespace"})), ref(A))[A]
    assert bundle == Bundle(unread=frozenset({"Namespace"}))
    assert not bundle.knows("Namespace")


def test_what_is_unread_in_a_namespace_counts_there_alone() -> None:
    elsewhere = ClusterObjects(unread_in={"elsewhere": frozenset({"Event"})})
    here = ClusterObjects(unread_in={ref(A).namespace: frozenset({"Event"})})
    assert bundles(elsewhere, ref(A))[A].knows("Event")
    assert not bundles(here, ref(A))[A].knows("Event")


def test_the_same_id_in_another_namespace_is_somebody_s_copy() -> None:
    objects = ClusterObjects(
        workloads=workloads_by_name([thing("Deployment", f"m-{A}", A, namespace="copy")])
    )
    assert bundles(objects, ref(A))[A].workload is None


def test_a_replicaset_of_another_owner_is_left_out() -> None:
    objects = ClusterObjects(
        workloads=workloads_by_name([thing("Deployment", f"m-{A}", A, metadata={"uid": "mine"})]),
        replica_sets=[
            thing("ReplicaSet", "ours", A, metadata=owned("mine", controller=True)),
            thing("ReplicaSet", "theirs", A, metadata=owned("other", controller=True)),
            thing("ReplicaSet", "nobodys", A),
        ],
    )
    assert names(bundles(objects, ref(A))[A].replica_sets) == ["ours", "nobodys"]


def test_a_service_that_a_controller_made_is_not_ours() -> None:
    objects = ClusterObjects(
        services=[
            thing("Service", "ours", A, metadata=owned("mine")),
            thing("Service", "headless", A, metadata=owned("mine", controller=True)),
        ]
    )
    assert names(bundles(objects, ref(A))[A].services) == ["ours"]


def test_endpoint_slices_come_by_the_name_of_our_service() -> None:
    objects = ClusterObjects(
        services=[thing("Service", "s", A)],
        endpoint_slices=[
            thing("EndpointSlice", "e1", labels={"kubernetes.io/service-name": "s"}),
            thing("EndpointSlice", "e2", labels={"kubernetes.io/service-name": "t"}),
        ],
    )
    assert names(bundles(objects, ref(A))[A].endpoint_slices) == ["e1"]


def test_an_autoscaler_comes_by_its_target_whoever_made_it() -> None:
    spec = {"scaleTargetRef": {"kind": "Deployment", "name": f"m-{A}"}}
    objects = ClusterObjects(
        autoscalers=[
            thing("HorizontalPodAutoscaler", "by-hand", spec=spec),
            thing("HorizontalPodAutoscaler", "idle", A),
        ]
    )
    assert names(bundles(objects, ref(A))[A].autoscalers) == ["by-hand"]


def test_events_come_by_pod_by_set_by_workload_and_of_pods_that_are_gone() -> None:
    def told(kind: str, about: str) -> Any:
        involved = {"kind": kind, "name": about, "namespace": "team-a"}
        return thing("Event", f"about-{kind}-{about}", involvedObject=involved)

    objects = ClusterObjects(
        replica_sets=[thing("ReplicaSet", f"m-{A}-new", A, labels={"pod-template-hash": "new"})],
        pods=[pod(f"m-{A}-new-1", A)],
        events=[
            told("Pod", f"m-{A}-new-1"),
            told("Pod", f"m-{A}-new-gone"),
            told("ReplicaSet", f"m-{A}-new"),
            told("Deployment", f"m-{A}"),
            told("Pod", f"m-{B}-new-1"),
            told("Node", "gpu-node-1"),
        ],
    )
    found = Counter(names(bundles(objects, ref(A))[A].events))
    assert found == Counter(
        [
            f"about-Deployment-m-{A}",
            f"about-Pod-m-{A}-new-1",
            f"about-Pod-m-{A}-new-gone",
            f"about-ReplicaSet-m-{A}-new",
        ]
    )


def test_nodes_are_those_that_bear_its_pods() -> None:
    objects = ClusterObjects(
        nodes=[thing("Node", "n1", namespace=""), thing("Node", "n2", namespace="")],
        pods=[pod("p", A, spec={"nodeName": "n2"}), pod("q", A, spec={"nodeName": "gone"})],
    )
    assert names(bundles(objects, ref(A))[A].nodes) == ["n2"]


def replica_set(digest: str, revision: str, created: str = "") -> Any:
    return thing(
        "ReplicaSet",
        f"rs-{digest}",
        A,
        labels={"pod-template-hash": digest},
        metadata={
            "annotations": {"deployment.kubernetes.io/revision": revision},
            "creationTimestamp": created,
        },
    )


@pytest.mark.parametrize(
    ("sets", "expected"),
    [
        ([replica_set("old", "9"), replica_set("new", "10")], "new"),
        ([replica_set("back", "3", "2026-01-01"), replica_set("late", "2", "2026-02-01")], "back"),
        ([replica_set("a", "x", "2026-01-01"), replica_set("b", "", "2026-02-01")], "b"),
    ],
)
def test_the_newest_replicaset_is_that_of_the_highest_revision(
    sets: list[Any], expected: str
) -> None:
    assert mark_newest(tuple(sets), ()) == Mark(label="pod-template-hash", value=expected)


def test_the_newest_pod_speaks_where_no_replicaset_is_known() -> None:
    pods = (
        pod("p2", A, "new", metadata={"creationTimestamp": "2026-02-01T00:00:00Z"}),
        pod("p1", A, "old", metadata={"creationTimestamp": "2026-01-01T00:00:00Z"}),
    )
    mark = mark_newest((), pods)
    assert mark is not None
    assert mark.is_on(pods[0])
    assert mark_newest((), ()) is None


class _Counted(Sequence[Any]):
    """A list that counts how often somebody walks over it."""

    def __init__(self, items: Sequence[Any]) -> None:
        self.items, self.walks = items, 0

    def __len__(self) -> int:
        return len(self.items)

    def __getitem__(self, index: Any) -> Any:
        return self.items[index]

    def __iter__(self) -> Iterator[Any]:
        self.walks += 1
        return iter(self.items)


def test_no_list_is_walked_twice_however_many_deployments_there_are() -> None:
    pods = _Counted([pod(f"p{number}", f"id{number}") for number in range(50)])
    objects = ClusterObjects(pods=pods)
    found = list(bundles_by_id(objects, [ref(f"id{number}") for number in range(50)]))
    assert all(len(bundle.pods) == 1 for _, bundle in found)
    assert pods.walks == 1

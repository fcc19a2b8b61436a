"""A kind with objects of its own between workload and pods gets those that are its own."""

from typing import Any

import msgspec

from providers.workload import objects as k8s
from providers.workload.bundle import Bundle, Group, Mark, Workload
from providers.workload.index import ClusterObjects, bundles_by_id, workloads_by_name
from providers.workload.objects import Item, Pod
from providers.workload.shape import Carried, Shape, Told
from providers.workload.status.replicas import missing_pods, size_of, whole_replicas
from tests.unit.workload.cases import load_case

REF = load_case("26-ready").known


def thing(kind: str, name: str, *, owner: str = "", **more: Any) -> Any:
    owners = [{"kind": "X", "uid": owner, "controller": True}] if owner else []
    metadata = {
        "name": name,
        "uid": f"uid-{name}",
        "namespace": REF.namespace,
        "labels": {"slipway.dev/id": REF.id, **more.pop("labels", {})},
        "ownerReferences": owners,
    }
    struct = Item if kind == "Squad" else getattr(k8s, kind)
    return msgspec.convert({"metadata": metadata, **more}, struct)


def carried(objects: ClusterObjects, **shape: Any) -> tuple[Carried, Bundle]:
    seen: list[Carried] = []

    def tell(given: Carried) -> Told:
        seen.append(given)
        return Told()

    [(_, bundle)] = bundles_by_id(objects, [REF], shape=Shape(kind="Fleet", tell=tell, **shape))
    return seen[0], bundle


FLEET = thing("Deployment", REF.runtime_name)
OURS = thing("Squad", "ours", owner=FLEET.uid)


def test_what_is_between_is_taken_by_its_owner_and_what_is_below_that_by_its() -> None:
    objects = ClusterObjects(
        workloads=workloads_by_name([FLEET]),
        further={"Squad": [OURS, thing("Squad", "a-copy-s", owner="another")]},
        replica_sets=[
            thing("ReplicaSet", "below-ours", owner=OURS.uid),
            thing("ReplicaSet", "below-a-copy-s", owner="uid-a-copy"),
        ],
    )
    seen, _ = carried(objects)
    assert [item.name for item in seen.further["Squad"]] == ["ours"]
    assert [item.name for item in seen.replica_sets] == ["below-ours"]


def test_events_about_what_is_between_belong_to_the_deployment() -> None:
    about = {"kind": "Squad", "name": "ours", "namespace": REF.namespace}
    told = thing("Event", "e", involvedObject=about)
    objects = ClusterObjects(further={"Squad": [OURS]}, events=[told])
    assert carried(objects)[0].events == (told,)
    assert carried(ClusterObjects(events=[told]))[0].events == ()


def test_autoscalers_and_services_are_those_that_the_kind_names() -> None:
    name = f"{REF.runtime_name}-predictor"
    target = {"scaleTargetRef": {"kind": "Deployment", "name": name}}
    objects = ClusterObjects(
        autoscalers=[thing("HorizontalPodAutoscaler", "h", spec=target)],
        services=[thing("Service", name, owner=FLEET.uid), thing("Service", "other")],
    )
    seen, bundle = carried(
        objects,
        scaled_kind="Deployment",
        scaled_suffix="-predictor",
        serves=lambda service: service.name == name,
    )
    assert bundle.scaled == ("Deployment", name)
    assert [item.name for item in bundle.autoscalers] == ["h"]
    assert [item.name for item in seen.services] == [name]


def test_a_mark_may_have_a_value_for_each_role() -> None:
    mark = Mark(label="digest", value="prefill-1", others=frozenset({"decode-1"}))
    pods = [thing("Pod", text, labels={"digest": text}) for text in ("prefill-1", "decode-1", "x")]
    assert [mark.is_on(pod) for pod in pods] == [True, True, False]
    assert not mark.is_on(thing("Pod", "bare"))


PAIR = Group(label="squad", role_label="rank", roles={"scout": 1, "guard": 1})
SQUADS = Workload(kind="Fleet", name="f", group=PAIR)


def pods_of(*places: tuple[str, str]) -> list[Pod]:
    return [
        thing("Pod", f"p{number}", labels={"squad": squad, "rank": rank})
        for number, (squad, rank) in enumerate(places)
    ]


def test_a_replica_of_several_pods_is_whole_with_all_of_them() -> None:
    ready = pods_of(("a", "scout"), ("a", "guard"), ("b", "scout"))
    assert whole_replicas(PAIR, ready) == 1
    assert whole_replicas(None, ready) == 3
    assert size_of(SQUADS) == 2
    assert size_of(None) == 1


def test_a_pod_too_many_of_one_role_does_not_stand_in_for_one_of_another() -> None:
    ready = pods_of(("a", "guard"), ("a", "guard"))
    assert whole_replicas(PAIR, ready) == 0
    assert missing_pods(SQUADS, ready, 1) == 1
    assert missing_pods(None, ready, 1) == 0
    assert missing_pods(None, ready, 3) == 1

"""What a cluster told of is found by deployment, and only what is another object is a change."""

import msgspec
import pytest

from providers.carrying import cache as cache_module
from providers.carrying.cache import Cache, Shelf, id_key
from providers.contract.manifest import Manifest
from providers.kube.lists import BadItem, Read
from providers.kube.resources import AUTOSCALERS, DEPLOYMENTS, EVENTS, NODES, PODS, REPLICA_SETS
from providers.kubernetes.carrier import CARRIER, OwnedDeployment
from providers.workload.objects import (
    Event,
    HorizontalPodAutoscaler,
    Node,
    Pod,
    ReplicaSet,
)

LABELS = {"slipway.dev/id": "one"}


def meta(name: str, namespace: str = "team", **more: object) -> Manifest:
    return {"metadata": {"name": name, "namespace": namespace, "labels": LABELS, **more}}


def pod(name: str, *, phase: str = "Running", namespace: str = "team", **more: object) -> Pod:
    body = {**meta(name, namespace, **more), "status": {"phase": phase}, "spec": {"nodeName": "n1"}}
    return msgspec.convert(body, Pod)


def event(name: str, about: str) -> Event:
    body = {**meta(name), "involvedObject": {"kind": "Pod", "namespace": "team", "name": about}}
    return msgspec.convert(body, Event)


@pytest.fixture
def shelf() -> Shelf[Pod]:
    return Shelf(id_key)


@pytest.fixture
def cache() -> Cache:
    return Cache(CARRIER)


def test_an_object_that_is_the_same_is_no_change(shelf: Shelf[Pod]) -> None:
    assert shelf.put(pod("a")) == (pod("a"),)
    assert shelf.put(pod("a")) == ()


def test_a_change_tells_of_what_was_and_of_what_is(shelf: Shelf[Pod]) -> None:
    shelf.put(pod("a"))

    assert shelf.put(pod("a", phase="Failed")) == (pod("a"), pod("a", phase="Failed"))
    assert list(shelf.of(("team", "one"))) == [pod("a", phase="Failed")]


def test_an_object_that_changed_its_label_is_found_by_the_new_one_alone(shelf: Shelf[Pod]) -> None:
    shelf.put(pod("a"))
    shelf.put(pod("a", labels={"slipway.dev/id": "two"}))

    assert list(shelf.of(("team", "one"))) == []
    assert [item.name for item in shelf.of(("team", "two"))] == ["a"]


def test_a_new_list_tells_of_differences_alone(shelf: Shelf[Pod]) -> None:
    shelf.put(pod("same"))
    shelf.put(pod("gone"))

    changed = shelf.reset(Read(items=(pod("same"), pod("new"))), "")

    assert sorted(item.name for item in changed) == ["gone", "new"]
    assert sorted(item.name for item in shelf.all()) == ["new", "same"]


def test_a_new_list_of_one_namespace_leaves_the_others_alone(shelf: Shelf[Pod]) -> None:
    shelf.put(pod("a", namespace="other"))
    shelf.put(pod("b"))

    assert [item.name for item in shelf.reset(Read(), "team")] == ["b"]
    assert [item.name for item in shelf.all()] == ["a"]


def test_what_can_be_read_no_longer_is_told_until_it_can_be_read_again(shelf: Shelf[Pod]) -> None:
    bad = BadItem(kind="Pod", name="a", namespace="team", labels={}, why="7 is no text")
    shelf.put(pod("a"))

    assert shelf.spoil(bad) == (pod("a"),)
    assert list(shelf.bad) == [bad]
    shelf.put(pod("a"))
    assert list(shelf.bad) == []


def test_what_a_list_could_not_read_stays_told_of(shelf: Shelf[Pod]) -> None:
    bad = BadItem(kind="Pod", name="a", namespace="team", labels={}, why="7 is no text")
    shelf.put(pod("a"))

    shelf.reset(Read(bad=(bad,)), "")

    assert (list(shelf.all()), list(shelf.bad)) == ([], [bad])


def test_of_events_the_oldest_go_when_there_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache_module, "MOST_EVENTS", 2)
    events = Cache(CARRIER).events
    for name in ("first", "second", "third"):
        events.put(event(name, "a-1"))

    assert [item.name for item in events.all()] == ["second", "third"]


def test_an_event_concerns_the_deployment_of_its_pod_and_of_one_that_has_gone(
    cache: Cache,
) -> None:
    cache.pods.put(pod("a-x1-11111"))
    cache.further[REPLICA_SETS].put(msgspec.convert(meta("a-x1"), ReplicaSet))

    assert cache.concerned(EVENTS, [event("e", "a-x1-11111")]) == {"one"}
    assert cache.concerned(EVENTS, [event("e", "a-x1-22222")]) == {"one"}
    assert cache.concerned(EVENTS, [event("e", "b-x1-22222")]) == set()


def test_an_autoscaler_of_somebody_else_concerns_the_deployment_that_it_scales(
    cache: Cache,
) -> None:
    cache.workloads.put(msgspec.convert(meta("a"), OwnedDeployment))
    body = {
        "metadata": {"name": "theirs", "namespace": "team"},
        "spec": {"scaleTargetRef": {"kind": "Deployment", "name": "a"}},
    }

    assert cache.concerned(AUTOSCALERS, [msgspec.convert(body, HorizontalPodAutoscaler)]) == {"one"}


def test_a_node_concerns_those_whose_pods_are_on_it(cache: Cache) -> None:
    cache.pods.put(pod("a"))

    for name, concerned in (("n1", {"one"}), ("n2", set())):
        node = msgspec.convert({"metadata": {"name": name}}, Node)
        assert cache.concerned(NODES, [node]) == concerned


@pytest.mark.parametrize("resource", [DEPLOYMENTS, PODS, REPLICA_SETS], ids=lambda kind: kind.kind)
def test_what_bears_no_label_concerns_nobody(cache: Cache, resource: object) -> None:
    assert cache.concerned(resource, [pod("a", labels={})]) == set()  # type: ignore[arg-type]

"""An object that does not decode is told to whom it may concern, and to nobody else."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from providers.carrying.seeing import View, bad_by_place, observe_each, pods_of
from providers.contract.status import Evidence
from providers.kube.lists import BadItem
from providers.kube.scope import NamespaceView
from providers.kubernetes.carrier import CARRIER
from providers.workload.index import ClusterObjects
from tests.unit.workload.cases import Case, cluster_objects, load_case

REF = load_case("26-ready").known
NAME = REF.runtime_name


def bad(kind: str, name: str, namespace: str = REF.namespace, ident: str = "") -> BadItem:
    labels = {"slipway.dev/id": ident} if ident else {}
    return BadItem(kind=kind, name=name, namespace=namespace, labels=labels, why="7 is no text")


def view_of_case(case: Case) -> View:
    return View(
        carrier=CARRIER,
        objects=cluster_objects(case.manifests, case.cluster),
        namespaces=NamespaceView(sees_all=True),
        forbidden={},
        now=case.now,
    )


def notes_about(*items: BadItem) -> list[Evidence]:
    view = View(
        carrier=CARRIER,
        objects=ClusterObjects(),
        namespaces=NamespaceView(sees_all=True),
        forbidden={},
        bad=bad_by_place(items),
        now=datetime(2026, 11, 30, 12, tzinfo=UTC),
    )
    notes = observe_each(view, [REF])[REF.id].status.notes
    return [note for note in notes if note.reason == "Unreadable"]


@pytest.mark.parametrize(
    "item",
    [
        bad("Deployment", NAME),
        bad("Pod", f"{NAME}-5d8f-x2x"),
        bad("Pod", "any", ident=REF.id),
        bad("Pod", f"{NAME}-5d8f-x2x", ident=REF.id),
        bad("ResourceQuota", "team"),
        bad("Namespace", REF.namespace, namespace=""),
    ],
)
def test_what_may_be_its_own_is_told_once(item: BadItem) -> None:
    [note] = notes_about(item)
    assert note.message.count("7 is no text") == 1


@pytest.mark.parametrize(
    "item",
    [
        bad("Deployment", f"{NAME}2"),
        bad("Pod", f"x-{NAME}"),
        bad("Pod", "any", ident="another"),
        bad("Pod", f"{NAME}-5d8f-x2x", namespace="elsewhere"),
        bad("ResourceQuota", "team", namespace="elsewhere"),
        bad("Namespace", "elsewhere", namespace=""),
        bad("Pod", ""),
    ],
)
def test_what_is_another_s_is_not_told(item: BadItem) -> None:
    assert notes_about(item) == []


def test_a_pod_that_came_up_is_told_with_its_first_start() -> None:
    case = load_case("26-ready")
    first_look = replace(REF, last_status=None)
    [start] = observe_each(view_of_case(case), [first_look])[REF.id].starts
    [pod] = case.bundle().pods
    assert start.pod_uid == pod.uid
    assert start.seconds is not None


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("26-ready", [("Ready", "ok", 0)]),
        ("18-loading-again-after-a-kill", [("Ready", "ok", 0), ("Not ready", "progress", 1)]),
        ("15-crash-loop", [("CrashLoopBackOff", "fail", 1)]),
    ],
)
def test_each_pod_is_told_in_a_line(name: str, told: list[tuple[str, str, int]]) -> None:
    case = load_case(name)
    lines = pods_of(view_of_case(case), case.known)
    assert [(line.state, line.tone, line.restarts) for line in lines] == told
    seen = [(pod.name, pod.node_name) for pod in case.bundle().pods]
    assert [(line.name, line.node) for line in lines] == seen
    assert all(line.current and line.created_at for line in lines)

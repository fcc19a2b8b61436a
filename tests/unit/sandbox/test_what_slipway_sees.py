"""Failures on request, as `k8s-deployment` reads them off the simulated cluster."""

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from providers.contract.protocols import Applied, Deadline, Observation
from providers.contract.request import DeploymentRef, DeployRequest
from providers.contract.status import Phase
from providers.contract.target import ClusterTarget, Connection
from providers.kube.door import door
from providers.kubernetes.provider import provider
from providers.sandbox.cluster import VirtualCluster
from providers.sandbox.faults import Fault
from providers.sandbox.kubeconfig import write_kubeconfig
from providers.sandbox.server import serving
from providers.testing.samples import make_request, make_target, ref_of, spec_with

from .conftest import APPLY, DEPLOYMENTS, NAMESPACE

MINUTE = 60.0


@dataclass(frozen=True, kw_only=True)
class Scene:
    cluster: VirtualCluster
    target: ClusterTarget

    def launch(self, word: str = "", **changes: object) -> tuple[DeployRequest, Applied]:
        engine = {"env": {"SLIPWAY_SIMULATE": word}} if word else {}
        spec = spec_with(engine=engine, **changes.pop("spec", {}))  # type: ignore[arg-type]
        request = make_request(provider, namespace=NAMESPACE, spec=spec, **changes)  # type: ignore[arg-type]
        return request, provider.create(request, self.target, deadline=soon())

    def look(self, launched: tuple[DeployRequest, Applied]) -> Observation:
        return provider.get(ref_of(*launched), self.target, deadline=soon())

    def list(self, refs: Sequence[DeploymentRef]) -> Mapping[str, Observation]:
        spaces = [NAMESPACE]
        shared = door.read_shared(self.target, with_events_of=spaces, deadline=soon())
        return provider.list(self.target, refs, shared, deadline=soon()).observations


def soon() -> Deadline:
    return Deadline(at=time.monotonic() + 30)


@pytest.fixture
def scene(cluster: VirtualCluster, tmp_path: Path) -> Iterator[Scene]:
    with serving(cluster, token="t") as server:
        path = write_kubeconfig(tmp_path / "kubeconfig", url=server.url, namespace=NAMESPACE)
        connection = Connection(kubeconfig=str(path))
        yield Scene(cluster=cluster, target=make_target(key=str(tmp_path), connection=connection))


@pytest.mark.parametrize(
    ("word", "seconds", "phase", "reason"),
    [
        ("", MINUTE, Phase.READY, "Available"),
        ("image-not-found", MINUTE, Phase.FAILED, "ImageNotFound"),
        ("unauthorized", MINUTE, Phase.FAILED, "ImageUnauthorized"),
        ("crash", 5 * MINUTE, Phase.FAILED, "CrashLoop"),
        ("oom", 5 * MINUTE, Phase.FAILED, "OutOfMemory"),
        ("slow-load:30", 20, Phase.DEPLOYING, "LoadingModel"),
        ("slow-load:30", MINUTE, Phase.READY, "Available"),
        ("never-ready", 20 * MINUTE, Phase.FAILED, "ReadinessFailing"),
        ("unschedulable", 2 * MINUTE, Phase.DEPLOYING, "InsufficientAccelerator"),
    ],
)
def test_a_word_is_told_as_what_it_is(
    scene: Scene, word: str, seconds: float, phase: Phase, reason: str
) -> None:
    launched = scene.launch(word)
    scene.cluster.advance(seconds)
    status = scene.look(launched).status
    assert (status.phase, status.reason) == (phase, reason), status.message


def test_events_that_may_not_be_read_are_told_only_where_something_could_rest_on_them(
    scene: Scene,
) -> None:
    scene.cluster.faults.append(Fault(verb="list", resource="events", status=403))
    launched = scene.launch("slow-load:30")
    scene.cluster.advance(20)
    assert [note.object for note in scene.look(launched).status.notes] == ["Event"]
    scene.cluster.advance(MINUTE)
    status = scene.look(launched).status
    assert (status.phase, status.notes) == (Phase.READY, ())


@pytest.mark.parametrize(
    ("word", "seconds"),
    [
        ("", MINUTE),
        ("image-not-found", MINUTE),
        ("crash", 5 * MINUTE),
        ("oom", 5 * MINUTE),
        ("slow-load:30", 20),
        ("never-ready", 20 * MINUTE),
        ("unschedulable", 2 * MINUTE),
    ],
)
def test_several_read_by_id_are_told_as_in_a_full_pass(
    scene: Scene, word: str, seconds: float
) -> None:
    told, other = scene.launch(word), scene.launch()
    scene.cluster.advance(seconds)
    refs = [ref_of(*told), ref_of(*other)]

    several = provider.get_several(refs, scene.target, deadline=soon())

    listed = scene.list(refs)
    assert several.keys() == listed.keys()
    for key, seen in several.items():
        assert seen.status.says_the_same(listed[key].status)
        assert seen.status.evidence == listed[key].status.evidence
        assert seen.status.notes == listed[key].status.notes
        assert seen.endpoint == listed[key].endpoint


@pytest.mark.parametrize("kind", ["events", "pods", "horizontalpodautoscalers", "nodes"])
def test_a_kind_that_may_not_be_read_is_told_as_in_a_full_pass(scene: Scene, kind: str) -> None:
    launched = scene.launch("slow-load:30")
    scene.cluster.advance(20)
    scene.cluster.faults.append(Fault(verb="list", resource=kind, status=403))
    refs = [ref_of(*launched)]

    several = provider.get_several(refs, scene.target, deadline=soon())

    (seen,), (listed,) = several.values(), scene.list(refs).values()
    assert seen.status.says_the_same(listed.status)


def test_what_somebody_changed_by_hand_is_told_by_a_full_pass(scene: Scene) -> None:
    request, applied = launched = scene.launch()
    other = scene.launch()
    scene.cluster.advance(MINUTE)
    changed = {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": request.runtime_name, "namespace": NAMESPACE},
        "spec": {"minReadySeconds": 1},
    }
    scene.cluster.handle(
        "PATCH",
        f"{DEPLOYMENTS}/{request.runtime_name}?fieldManager=kubectl&force=true",
        {"Content-Type": APPLY},
        json.dumps(changed).encode(),
    )

    listed = scene.list([ref_of(*launched), ref_of(*other)])

    [note] = listed[request.id].status.notes
    assert (note.reason, listed[request.id].workload_uid) == (
        "ChangedOutside",
        applied.workload_uid,
    )
    assert listed[other[0].id].status.notes == ()


def test_the_calls_for_several_do_not_grow_with_their_number(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    handle = scene.cluster.handle

    def counted(method: str, target: str, *rest: Any) -> Any:
        asked.append(target)
        return handle(method, target, *rest)

    monkeypatch.setattr(scene.cluster, "handle", counted)
    refs = [ref_of(*scene.launch()) for _ in range(6)]
    scene.cluster.advance(MINUTE)
    calls = []
    for some in (refs[:1], refs):
        asked.clear()
        provider.get_several(some, scene.target, deadline=soon())
        calls.append(len(asked))
    assert calls == [8, 8], "five kinds by id; namespace, autoscalers and warnings of one namespace"


def test_of_nobody_nothing_is_asked(scene: Scene) -> None:
    scene.cluster.faults.append(Fault(status=500))
    assert provider.get_several([], scene.target, deadline=soon()) == {}

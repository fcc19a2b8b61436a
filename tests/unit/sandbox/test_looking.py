"""A deployment looked into on the simulated cluster: its objects, its events, in one round."""

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from providers.contract.errors import Rejected, Unavailable
from providers.contract.manifest import Manifest
from providers.contract.observing import Events, ObjectState, Resources
from providers.contract.protocols import Applied, Deadline
from providers.contract.request import DeploymentRef, DeployRequest, Intent
from providers.contract.target import ClusterTarget, Connection
from providers.kubernetes.provider import provider
from providers.sandbox.cluster import VirtualCluster
from providers.sandbox.faults import Fault
from providers.sandbox.kubeconfig import write_kubeconfig
from providers.sandbox.messages import Response
from providers.sandbox.server import serving
from providers.testing.samples import make_request, make_target, ref_of, rescaled, spec_with

from .conftest import NAMESPACE, SLOW_PACE

MINUTE = 60.0
PODS, EVENTS = 50, 500


class HeldCluster(VirtualCluster):
    """Notes what it is asked, and where `parties` is set answers nobody until so many wait at once.

    So who waits for an answer before it asks the next thing is never answered.
    """

    def __init__(self) -> None:
        super().__init__(pace=SLOW_PACE)
        self.asked: list[str] = []
        self.held: threading.Barrier | None = None

    def handle(self, method: str, target: str, *rest: object) -> Response:
        self.asked.append(target)
        if self.held is not None:
            self.held.wait(timeout=10)
        return super().handle(method, target, *rest)  # type: ignore[arg-type]


@dataclass(frozen=True, kw_only=True)
class Scene:
    cluster: HeldCluster
    target: ClusterTarget

    def launch(self, word: str = "", **changes: object) -> tuple[DeployRequest, Applied]:
        engine = {"env": {"SLIPWAY_SIMULATE": word}} if word else {}
        request = make_request(provider, spec=spec_with(engine=engine), **changes)  # type: ignore[arg-type]
        applied = provider.create(request, self.target, deadline=soon())
        self.cluster.advance(5 * MINUTE)
        return request, applied

    def resources(self, ref: DeploymentRef) -> Resources:
        return provider.resources(ref, self.target, deadline=soon())

    def events(self, ref: DeploymentRef) -> Events:
        return provider.events(ref, self.target, deadline=soon())

    def tell(self, about: Manifest, number: int, **fields: object) -> None:
        name = f"{about['name']}.{number}"
        metadata = {"name": name, "namespace": NAMESPACE}
        event = {"kind": "Event", "apiVersion": "v1", "metadata": metadata, "type": "Normal"}
        self.cluster.create(event | {"involvedObject": about, "reason": f"Told{number}"} | fields)


def soon() -> Deadline:
    return Deadline(at=time.monotonic() + 20)


@pytest.fixture
def scene(tmp_path: Path) -> Iterator[Scene]:
    cluster = HeldCluster()
    for number in range(2):
        cluster.create({"kind": "Node", "metadata": {"name": f"cpu-{number}"}})
    cluster.create({"kind": "Namespace", "metadata": {"name": NAMESPACE}})
    cluster.advance(MINUTE)
    with serving(cluster, token="t") as server:
        path = write_kubeconfig(tmp_path / "kubeconfig", url=server.url, namespace=NAMESPACE)
        connection = Connection(kubeconfig=str(path))
        yield Scene(cluster=cluster, target=make_target(key=str(tmp_path), connection=connection))


def of_kind(seen: Resources, kind: str) -> list[ObjectState]:
    return [item for item in seen.objects if item.key.kind == kind]


def uid_of(cluster: VirtualCluster) -> str:
    system = cluster.store.get("namespaces", "kube-system", "")
    assert system is not None
    uid: str = system["metadata"]["uid"]
    return uid


@pytest.mark.parametrize("verb", ["resources", "events"])
def test_fifty_pods_with_five_hundred_events_are_one_round_of_calls(
    scene: Scene, verb: str
) -> None:
    request, applied = scene.launch(overrides={"min_replicas": PODS})
    ref = replace(ref_of(request, applied), claim="models")
    pods = of_kind(scene.resources(ref), "Pod")
    told = sum(line.count for line in scene.events(ref).lines)
    for number in range(EVENTS - told):
        key = pods[number % PODS].key
        scene.tell({"kind": "Pod", "name": key.name, "namespace": NAMESPACE}, number)
    look: Callable[..., object] = getattr(provider, verb)

    scene.cluster.asked.clear()
    look(ref, scene.target, deadline=soon())
    calls = len(scene.cluster.asked)
    # A client that has not proved yet which cluster answers asks for that, too.
    scene.cluster.held = threading.Barrier(calls + 1)
    unproved = replace(scene.target, key=f"{scene.target.key}-new", uid=uid_of(scene.cluster))
    seen = look(ref, unproved, deadline=soon())

    if isinstance(seen, Resources):
        assert len(of_kind(seen, "Pod")) == PODS
    else:
        assert isinstance(seen, Events)
        assert (len(seen.lines), seen.cut) == (EVENTS, False)


def test_a_crashing_pod_says_how_its_container_ended(scene: Scene) -> None:
    launched = scene.launch("oom")
    [pod] = of_kind(scene.resources(ref_of(*launched)), "Pod")
    [container] = pod.containers
    assert (pod.state, pod.tone) == ("CrashLoopBackOff", "fail")
    assert pod.message == "engine: ended with code 137 (SIGKILL), OOMKilled"
    assert container.restarts == int(pod.facts["restarts"]) > 1
    assert (container.has_started, container.has_previous) == (True, True)
    assert container.last_at is not None


def test_after_a_rollout_the_earlier_replica_set_is_told_apart(scene: Scene) -> None:
    request, applied = scene.launch()
    engine = {"image": "docker.io/other/image:2"}
    newer = make_request(
        provider, spec=spec_with(engine=engine), deployment_id=request.id, name=request.name
    )
    provider.update(
        replace(newer, revision=2), ref_of(request, applied), scene.target, deadline=soon()
    )
    scene.cluster.advance(5 * MINUTE)
    seen = scene.resources(ref_of(newer, applied))
    current, earlier = of_kind(seen, "ReplicaSet")
    assert (current.state, current.current) == ("Current", True)
    assert (earlier.state, earlier.current) == ("Earlier", False)
    [pod] = of_kind(seen, "Pod")
    assert (pod.below, pod.current) == (current.key, True)


def test_an_autoscaler_and_the_quotas_around_are_shown(scene: Scene) -> None:
    quota = {"kind": "ResourceQuota", "metadata": {"name": "team", "namespace": NAMESPACE}}
    scene.cluster.create(quota | {"spec": {"hard": {"pods": "2"}}})
    wide = {"min_replicas": 2, "max_replicas": 4, "enable_auto_scaling": True}
    seen = scene.resources(ref_of(*scene.launch(overrides=wide)))
    [scaler] = of_kind(seen, "HorizontalPodAutoscaler")
    assert scaler.facts["allowed"] == "2 to 4"
    assert any("wanted" in value for value in scaler.facts.values())
    [found] = of_kind(seen, "ResourceQuota")
    assert (found.state, found.facts) == ("Used up", {"pods": "2 of 2 used"})


def test_what_should_stand_beside_the_workload_and_does_not_is_missing(scene: Scene) -> None:
    wide = {"min_replicas": 1, "max_replicas": 4, "enable_auto_scaling": True}
    request, applied = scene.launch(overrides=wide)
    for plural in ("services", "horizontalpodautoscalers"):
        found = scene.cluster.store.get(plural, request.runtime_name, NAMESPACE)
        assert found is not None
        scene.cluster.desk.delete(found)
    ref = replace(ref_of(request, applied), claim="no-such-claim")
    missing = [item for item in scene.resources(ref).objects if item.state == "Missing"]
    kinds = [item.key.kind for item in missing]
    assert kinds == ["Service", "HorizontalPodAutoscaler", "PersistentVolumeClaim"]
    assert not any(item.uid for item in missing)


def test_of_what_is_being_deleted_nothing_is_missing(scene: Scene) -> None:
    ref = ref_of(make_request(provider), None, intent=Intent.DELETED)
    seen = scene.resources(replace(ref, applied_revision=1))
    assert [item.key.kind for item in seen.objects] == ["Namespace"]


def test_a_kind_that_may_not_be_read_is_named_and_the_rest_is_shown(scene: Scene) -> None:
    launched = scene.launch()
    scene.cluster.faults.append(Fault(verb="list", resource="replicasets", status=403))
    seen = scene.resources(ref_of(*launched))
    assert seen.unreadable.keys() == {"ReplicaSet"}
    [pod] = of_kind(seen, "Pod")
    assert pod.below == of_kind(seen, "Deployment")[0].key


def test_a_kind_that_does_not_answer_is_named_and_the_rest_is_shown(scene: Scene) -> None:
    launched = scene.launch()
    scene.cluster.faults.append(Fault(resource="pods", status=503))
    seen = scene.resources(ref_of(*launched))
    assert seen.unreadable.keys() == {"Pod"}
    assert of_kind(seen, "Deployment")


def test_events_that_may_not_be_read_are_said_to_be_unreadable(scene: Scene) -> None:
    launched = scene.launch()
    scene.cluster.faults.append(Fault(verb="list", resource="events", status=403))
    seen = scene.events(ref_of(*launched))
    assert (seen.lines, bool(seen.unreadable)) == ((), True)


@pytest.mark.parametrize("verb", ["resources", "events"])
def test_where_nothing_answers_at_all_it_is_unavailable(scene: Scene, verb: str) -> None:
    launched = scene.launch()
    scene.cluster.faults.append(Fault(drop=True))
    with pytest.raises(Unavailable):
        getattr(scene, verb)(ref_of(*launched))


@pytest.mark.parametrize("verb", ["resources", "events"])
def test_another_cluster_at_the_address_is_not_looked_into(scene: Scene, verb: str) -> None:
    launched = scene.launch()
    changed = replace(scene.target, uid="the-uid-of-another")
    with pytest.raises(Rejected) as refused:
        getattr(provider, verb)(ref_of(*launched), changed, deadline=soon())
    assert refused.value.code == "ClusterChanged"


def test_events_of_a_neighbour_whose_name_begins_alike_are_left_out(scene: Scene) -> None:
    request, applied = scene.launch()
    name = request.runtime_name
    for number, (kind, neighbour) in enumerate(
        (
            ("Pod", f"{name}-bcd-99999999-6d9f7c8b54-x7k2p"),
            ("ReplicaSet", f"{name}-bcd-99999999"),
            ("Deployment", f"{name}-bcd"),
            ("Pod", f"{name}-job"),
        )
    ):
        scene.tell({"kind": kind, "name": neighbour, "namespace": NAMESPACE}, number)
    reasons = {line.reason for line in scene.events(ref_of(request, applied)).lines}
    assert reasons
    assert not [reason for reason in reasons if reason.startswith("Told")]


def test_events_of_pods_whose_replica_set_is_gone_are_told(scene: Scene) -> None:
    request, applied = scene.launch()
    gone = f"{request.runtime_name}-6d9f7c8b54-x7k2p"
    scene.tell({"kind": "Pod", "name": gone, "namespace": NAMESPACE}, 7, message="once")
    lines = scene.events(ref_of(request, applied)).lines
    assert [line.message for line in lines if line.object == f"Pod {gone}"] == ["once"]


def test_of_more_events_than_anybody_reads_the_newest_are_told(scene: Scene) -> None:
    request, applied = scene.launch()
    about = {"kind": "Deployment", "name": request.runtime_name, "namespace": NAMESPACE}
    for number in range(EVENTS + 10):
        at = f"2026-02-01T{number // 60:02d}:{number % 60:02d}:00Z"
        scene.tell(about, number, lastTimestamp=at)
    seen = scene.events(ref_of(request, applied))
    assert (len(seen.lines), seen.cut) == (EVENTS, True)
    assert (seen.lines[0].reason, seen.lines[-1].reason) == (f"Told{EVENTS + 9}", "Told10")


def test_a_long_names_pods_are_known_by_their_replica_set(scene: Scene) -> None:
    request, applied = scene.launch(name="x" * 200, overrides={"min_replicas": 2})
    ref = ref_of(request, applied)
    names = {str(item.key) for item in of_kind(scene.resources(ref), "Pod")}
    assert len(names) == 2
    assert names <= {line.object for line in scene.events(ref).lines}


def test_stopping_leaves_the_workload_idle(scene: Scene) -> None:
    request, applied = scene.launch()
    stopped = rescaled(request, min_replicas=0)
    provider.update(stopped, ref_of(stopped, applied), scene.target, deadline=soon())
    scene.cluster.advance(5 * MINUTE)
    seen = scene.resources(ref_of(stopped, applied))
    assert [item.state for item in of_kind(seen, "Deployment")] == ["Stopped"]
    assert not of_kind(seen, "Pod")

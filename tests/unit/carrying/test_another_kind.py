"""A kind that nothing here knows is read and judged by what is said of it, and by nothing else."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from providers.carrying.cache import Cache
from providers.carrying.followed import followed_by
from providers.carrying.remembering import objects_in
from providers.carrying.seeing import Reads, View, not_installed, objects_of, observe_each
from providers.contract.protocols import Observation
from providers.contract.request import DeploymentRef
from providers.contract.status import Phase
from providers.kube.lists import Read
from providers.kube.resources import AUTOSCALERS, ENDPOINT_SLICES, SERVICES
from providers.kube.scope import NamespaceView
from providers.workload.objects import EndpointSlice, HorizontalPodAutoscaler, Pod, Service, present
from providers.workload.slimming import slim, slim_pod
from tests.unit.carrying.made_up import CARRIER, DIGEST, FLOTILLAS, Flotilla, decoded
from tests.unit.workload.cases import load_case

CASE = load_case("26-ready")
REF = replace(CASE.known, workload_uid="uid-of-it", once_full=False)
NAME = REF.runtime_name
PIER = f"{NAME}-pier"


def body(name: str, **more: Any) -> dict[str, Any]:
    labels = {"slipway.dev/id": REF.id, **more.pop("labels", {})}
    metadata = {
        "name": name,
        "namespace": REF.namespace,
        "uid": f"uid-of-{name}",
        "creationTimestamp": "2026-01-01T00:00:00Z",
        "labels": labels,
        **more.pop("metadata", {}),
    }
    return {"metadata": metadata, **more}


def flotilla(ships: int = 2, seen_generation: int = 1, **status: Any) -> Flotilla:
    metadata = {"uid": "uid-of-it", "generation": 1}
    told = {"seenGeneration": seen_generation, **status}
    spec = {"ships": ships, "digest": "new"}
    return decoded(Flotilla, body(NAME, metadata=metadata, spec=spec, status=told))  # type: ignore[no-any-return]


def pod(name: str, ship: str, *, digest: str = "new", ready: bool = True) -> Pod:
    status = "True" if ready else "False"
    return decoded(  # type: ignore[no-any-return]
        Pod,
        body(
            name,
            labels={"ship": ship, DIGEST: digest},
            spec={"nodeName": "n", "containers": [{"name": "engine"}]},
            status={"phase": "Running", "conditions": [{"type": "Ready", "status": status}]},
        ),
    )


def service() -> Service:
    return decoded(Service, body(PIER, spec={"ports": [{"port": 80}]}))  # type: ignore[no-any-return]


def endpoints() -> EndpointSlice:
    labels = {"kubernetes.io/service-name": PIER}
    ready = [{"conditions": {"ready": True}}]
    return decoded(EndpointSlice, body("ends", labels=labels, endpoints=ready))  # type: ignore[no-any-return]


def autoscaler(kind: str = "Flotilla") -> HorizontalPodAutoscaler:
    spec = {"scaleTargetRef": {"kind": kind, "name": f"{NAME}-fleet"}, "maxReplicas": 3}
    return decoded(HorizontalPodAutoscaler, body("theirs", spec=spec))  # type: ignore[no-any-return]


SHIPS = (pod("a-0", "a"), pod("a-1", "a"), pod("b-0", "b"), pod("b-1", "b"))


def reads_of(*workloads: Flotilla, **kinds: Any) -> Reads:
    return {
        FLOTILLAS: Read(items=workloads, missing=kinds.get("missing", False)),
        SERVICES: Read(items=(service(),)),
        ENDPOINT_SLICES: Read(items=(endpoints(),)),
        AUTOSCALERS: Read(items=kinds.get("autoscalers", ())),
    }


def observed(
    reads: Reads, pods: tuple[Pod, ...] = SHIPS, *, known: DeploymentRef = REF
) -> Observation:
    objects = objects_of(CARRIER, reads, pods=pods, namespaces=present([CASE.bundle().namespace]))
    view = View(
        carrier=CARRIER,
        objects=objects,
        namespaces=NamespaceView(sees_all=True),
        forbidden={},
        now=CASE.now,
    )
    return observe_each(view, [known])[known.id]


def test_all_pods_of_all_ships_are_ready() -> None:
    seen = observed(reads_of(flotilla()))
    assert (seen.status.phase, seen.status.reason) == (Phase.READY, "Available")
    assert (seen.status.ready_replicas, seen.status.desired_replicas) == (2, 2)
    assert seen.status.message == "2 of 2 replicas ready"
    assert seen.workload_uid == "uid-of-it"
    assert seen.endpoint.url == f"http://{PIER}.{REF.namespace}.svc.cluster.local:80"


def test_a_ship_that_lost_a_pod_is_no_replica_and_its_other_pod_serves_nobody() -> None:
    seen = observed(reads_of(flotilla(ships=1)), SHIPS[:1])
    assert (seen.status.ready_replicas, seen.status.available_replicas) == (0, 0)
    assert "0 of 1 replicas ready (1 of 2 pods)" in seen.status.message


def test_pods_with_another_digest_are_of_an_old_revision() -> None:
    old = tuple(replace_digest(one, "old") for one in SHIPS)
    seen = observed(reads_of(flotilla()), (*SHIPS, *old))
    assert seen.status.reason == "RolloutInProgress"
    assert "2 of the old revision serving" in seen.status.message


def replace_digest(one: Pod, digest: str) -> Pod:
    return pod(f"{one.name}-old", f"{one.labels['ship']}-old", digest=digest)


@pytest.mark.parametrize(
    ("told", "phase", "reason", "words"),
    [
        ({"complaint": "no sea"}, Phase.DEGRADED, "ReconcileFailed", "no sea"),
        ({"ships": 0}, Phase.SCALING, "ScalingDown", "4 pods left"),
    ],
)
def test_what_its_controller_says_is_told_in_its_words(
    told: Mapping[str, Any], phase: Phase, reason: str, words: str
) -> None:
    status = observed(reads_of(flotilla(**told))).status
    assert (status.phase, status.reason) == (phase, reason)
    assert words in status.message


def test_a_controller_that_is_silent_at_two_looks_is_told_in_its_providers_words() -> None:
    reads = reads_of(flotilla(seen_generation=0))
    first = observed(reads).status
    assert first.reason == "WaitingForController"
    long_ago = replace(REF.last_apply, at=CASE.now - timedelta(minutes=1))
    second = observed(reads, known=replace(REF, last_status=first, last_apply=long_ago)).status
    assert second.reason == "ControllerNotResponding"
    assert "ask for an admiral" in second.message


def test_a_kind_that_the_cluster_does_not_know_is_told_and_not_taken_for_a_removal() -> None:
    status = observed(reads_of(missing=True), ()).status
    assert (status.phase, status.reason) == (Phase.FAILED, "ProviderNotInstalled")
    assert "Flotilla" in status.message


def test_autoscalers_are_found_by_what_they_scale() -> None:
    two = (autoscaler(), autoscaler())
    status = observed(reads_of(flotilla(), autoscalers=two)).status
    assert status.reason == "AutoscalerConflict"
    strange = (autoscaler("Armada"), autoscaler("Armada"))
    assert observed(reads_of(flotilla(), autoscalers=strange)).status.reason == "Available"


def test_slimmed_objects_are_judged_alike() -> None:
    whole = reads_of(flotilla())
    kept = {FLOTILLAS: CARRIER.workload.keep}
    slimmed = {
        kind: Read(items=tuple(kept.get(kind, slim)(item) for item in read.items))
        for kind, read in whole.items()
    }
    pods = tuple(slim_pod(one) for one in SHIPS)
    assert observed(slimmed, pods).status == observed(whole).status


def test_a_watcher_finds_in_its_cache_what_a_look_would_have_found() -> None:
    cache = Cache(CARRIER)
    cache.workloads.put(flotilla())
    cache.services.put(service())
    cache.endpoint_slices.put(endpoints())
    cache.autoscalers.put(autoscaler())
    for one in SHIPS:
        cache.pods.put(one)

    found = objects_in(cache, [REF], ())
    expected = objects_of(
        CARRIER, reads_of(flotilla(), autoscalers=(autoscaler(),)), pods=list(SHIPS), namespaces=()
    )

    assert replace(found, events=(), nodes=()) == replace(expected, events=(), nodes=())
    assert cache.concerned(AUTOSCALERS, [autoscaler()]) == {REF.id}


def test_a_watcher_remembers_that_the_cluster_does_not_know_the_kind() -> None:
    cache = Cache(CARRIER)
    list(cache.workloads.reset(Read(missing=True), ""))
    assert objects_in(cache, [REF], ()).refusal == not_installed(CARRIER)

    list(cache.workloads.reset(Read(items=(flotilla(),)), ""))
    assert objects_in(cache, [REF], ()).refusal is None


def test_a_watcher_follows_its_kind_and_no_other_that_carries_pods() -> None:
    kinds = [followed.resource.kind for followed in followed_by(CARRIER)]
    assert kinds[0] == "Flotilla"
    assert not {"Deployment", "ReplicaSet"} & {*kinds}

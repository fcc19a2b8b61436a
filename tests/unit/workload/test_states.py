"""Every object of the status table in words: kubectl's word, a tone that there is, a sentence."""

import re
from typing import Any

import msgspec
import pytest

from providers.contract.observing import ContainerState
from providers.contract.status import PHASES
from providers.workload.objects import EndpointSlice, Namespace, ResourceQuota
from providers.workload.objects import looked as k8s
from providers.workload.states.containers import say_containers
from providers.workload.states.limits import say_autoscaler, say_quota
from providers.workload.states.network import say_service, say_slice
from providers.workload.states.places import say_claim, say_namespace
from providers.workload.states.pods import pod_word, say_pod
from providers.workload.states.said import Said
from providers.workload.states.workloads import say_deployment, say_replica_set

from .cases import NAMES, load_case

TONES = {look.tone for look in PHASES.values()}
SAID = {
    "Namespace": (Namespace, say_namespace),
    "Deployment": (k8s.DeploymentInFull, say_deployment),
    "ReplicaSet": (k8s.ReplicaSetInFull, lambda item: say_replica_set(item, is_current=True)),
    "Pod": (k8s.PodInFull, say_pod),
    "Service": (k8s.ServiceInFull, lambda item: say_service(item, ())),
    "EndpointSlice": (EndpointSlice, say_slice),
    "HorizontalPodAutoscaler": (k8s.AutoscalerInFull, say_autoscaler),
    "ResourceQuota": (ResourceQuota, say_quota),
}


def pod(**status: object) -> k8s.PodInFull:
    spec = status.pop("spec", {"containers": [{"name": "engine", "image": "i"}]})
    metadata = status.pop("metadata", {"name": "p"})
    return msgspec.convert({"metadata": metadata, "spec": spec, "status": status}, k8s.PodInFull)


def engine(**state: object) -> dict[str, object]:
    return {"name": "engine", "restartCount": 0, **state}


def said_of(kind: str, **fields: object) -> Said:
    struct, say = SAID[kind]
    return say(as_listed(fields, struct))  # type: ignore[operator,no-any-return]


def as_listed(fields: object, struct: Any) -> Any:
    """Decode an object as a list does: who manages it stays as it came."""
    return msgspec.json.decode(msgspec.json.encode(fields), type=struct)


@pytest.mark.parametrize("name", NAMES)
def test_every_object_of_the_status_table_is_said_in_a_word_a_tone_and_a_line(name: str) -> None:
    for manifest in load_case(name).manifests:
        if manifest["kind"] not in SAID:
            continue
        said = said_of(manifest["kind"], **{k: v for k, v in manifest.items() if k != "kind"})
        assert said.state
        assert said.tone in TONES
        assert "\n" not in said.message
        assert all(said.facts.values())


@pytest.mark.parametrize(
    ("name", "word", "told"),
    [
        ("12-image-not-found", "ErrImagePull", "vllm-mock:v0.3.0: not found"),
        ("14-out-of-memory-in-back-off", "CrashLoopBackOff", "engine: ended with code 137"),
        ("10-no-accelerator-free", "Pending", "Insufficient nvidia.com/gpu"),
        ("11-scheduling-gated", "SchedulingGated", "held back by scheduling gate"),
        ("12-init-image-not-found", "Init:ErrImagePull", ""),
        ("26-ready", "Running", ""),
        ("18-loading", "Running", "engine: it runs and is not ready yet"),
    ],
)
def test_pods_bear_the_word_that_kubectl_has_and_the_cause(name: str, word: str, told: str) -> None:
    found = [item for item in load_case(name).manifests if item["kind"] == "Pod"]
    said = [say_pod(as_listed(dict(item), k8s.PodInFull)) for item in found]
    assert [one.message for one in said if one.state == word and told in one.message]


@pytest.mark.parametrize(
    ("word", "status"),
    [
        ("Unknown", {}),
        ("Evicted", {"phase": "Failed", "reason": "Evicted"}),
        (
            "Completed",
            {"containerStatuses": [engine(state={"terminated": {"reason": "Completed"}})]},
        ),
        ("ExitCode:3", {"containerStatuses": [engine(state={"terminated": {"exitCode": 3}})]}),
        ("Signal:9", {"containerStatuses": [engine(state={"terminated": {"signal": 9}})]}),
        ("Terminating", {"metadata": {"deletionTimestamp": "2026-11-30T12:00:00Z"}}),
        (
            "Unknown",
            {"metadata": {"deletionTimestamp": "2026-11-30T12:00:00Z"}, "reason": "NodeLost"},
        ),
        (
            "Init:1/2",
            {
                "spec": {"initContainers": [{"name": "a"}, {"name": "b"}]},
                "initContainerStatuses": [
                    {"name": "a", "state": {"terminated": {"exitCode": 0}}},
                    {"name": "b", "state": {"running": {}}},
                ],
            },
        ),
        (
            "Init:Error",
            {
                "initContainerStatuses": [
                    {"name": "a", "state": {"terminated": {"exitCode": 1, "reason": "Error"}}}
                ]
            },
        ),
        (
            "Running",
            {
                "phase": "Running",
                "spec": {"initContainers": [{"name": "side", "restartPolicy": "Always"}]},
                "initContainerStatuses": [
                    {"name": "side", "started": True, "state": {"running": {}}}
                ],
            },
        ),
        (
            "NotReady",
            {
                "containerStatuses": [
                    {"name": "a", "state": {"terminated": {"reason": "Completed"}}},
                    {"name": "b", "ready": True, "state": {"running": {}}},
                ]
            },
        ),
    ],
)
def test_a_pods_word_is_made_as_kubectl_makes_it(word: str, status: dict[str, object]) -> None:
    assert pod_word(pod(**status)) == word


def one_container(**status: object) -> ContainerState:
    [container] = say_containers(pod(containerStatuses=[engine(**status)]))
    return container


def test_a_container_that_waits_after_a_crash_has_a_log_now_and_one_before() -> None:
    container = one_container(
        restartCount=4,
        state={
            "waiting": {
                "reason": "CrashLoopBackOff",
                "message": "back-off 40s restarting failed container=engine pod=p_models(1234)",
            }
        },
        lastState={
            "terminated": {
                "exitCode": 137,
                "reason": "OOMKilled",
                "finishedAt": "2026-11-30T12:00:00Z",
            }
        },
    )
    assert (container.state, container.tone) == ("CrashLoopBackOff", "fail")
    assert container.message == "it is started again after a pause of 40s"
    assert container.last == "ended with code 137 (SIGKILL), OOMKilled"
    assert container.last_at is not None
    assert (container.restarts, container.has_started, container.has_previous) == (4, True, True)


def test_a_container_that_nobody_has_started_is_listed_without_a_log() -> None:
    [container] = say_containers(pod())
    assert (container.name, container.image, container.state) == ("engine", "i", "Not started")
    assert (container.has_started, container.has_previous) == (False, False)


@pytest.mark.parametrize(
    ("ended", "told"),
    [
        ({"exitCode": 127}, "ended with code 127 (its command was not found)"),
        ({"exitCode": 1, "reason": "Error"}, "ended with code 1"),
        ({"exitCode": 139}, "ended with code 139 (SIGSEGV)"),
        ({"exitCode": 128, "reason": "StartError"}, "ended with code 128, StartError"),
    ],
)
def test_exit_codes_are_told_in_words(ended: dict[str, object], told: str) -> None:
    container = one_container(state={"terminated": {**ended, "message": "line\nother"}})
    assert container.message == f"{told}: line other"
    assert container.tone == "fail"


def test_a_stopped_deployment_is_idle_and_one_without_a_say_wants_one() -> None:
    stopped = said_of("Deployment", spec={"replicas": 0}, status={})
    assert (stopped.state, stopped.tone, stopped.facts["wanted"]) == ("Stopped", "idle", "0")
    bare = said_of("Deployment", status={"replicas": 1, "updatedReplicas": 1, "readyReplicas": 1})
    assert (bare.state, bare.message) == ("Complete", "1 of 1 replica ready")


def test_an_earlier_replica_set_is_told_from_the_current_one() -> None:
    kept = msgspec.convert({"spec": {"replicas": 0}}, k8s.ReplicaSetInFull)
    assert say_replica_set(kept, is_current=False).state == "Earlier"
    assert say_replica_set(kept, is_current=True).state == "Current"


def test_an_autoscaler_tells_each_metric_beside_what_is_wanted() -> None:
    said = said_of(
        "HorizontalPodAutoscaler",
        spec={
            "maxReplicas": 4,
            "metrics": [
                {
                    "type": "Resource",
                    "resource": {"name": "cpu", "target": {"averageUtilization": 80}},
                },
                {
                    "type": "Pods",
                    "pods": {"metric": {"name": "waiting"}, "target": {"averageValue": "10"}},
                },
            ],
        },
        status={
            "currentReplicas": 2,
            "desiredReplicas": 3,
            "conditions": [{"type": "ScalingActive", "status": "True"}],
            "currentMetrics": [
                {
                    "type": "Resource",
                    "resource": {"name": "cpu", "current": {"averageUtilization": 95}},
                },
            ],
        },
    )
    assert (said.state, said.message) == ("Scaling", "from 2 to 3 replicas")
    assert said.facts["cpu"] == "95 %, wanted 80 %"
    assert said.facts["waiting"] == "unknown, wanted 10"
    assert said.facts["allowed"] == "1 to 4"


@pytest.mark.parametrize(
    ("hard", "used", "state"),
    [
        ({"pods": "2"}, {"pods": "1"}, "Has room"),
        ({"pods": "2", "requests.cpu": "4"}, {"pods": "2", "requests.cpu": "500m"}, "Used up"),
        ({"requests.memory": "1Gi"}, {"requests.memory": "1024Mi"}, "Used up"),
        ({"services.nodeports": "0"}, {"services.nodeports": "0"}, "Has room"),
        ({"pods": "many"}, {"pods": "all"}, "Has room"),
        ({}, {}, "Not counted"),
    ],
)
def test_a_quota_says_whether_anything_is_left(
    hard: dict[str, str], used: dict[str, str], state: str
) -> None:
    assert said_of("ResourceQuota", status={"hard": hard, "used": used}).state == state


def test_a_service_leads_nowhere_until_an_endpoint_is_ready() -> None:
    service = msgspec.convert({"spec": {"type": "ClusterIP"}}, k8s.ServiceInFull)
    ends = [{"conditions": {"ready": False}}, {"conditions": {"ready": False}}]
    none = msgspec.convert({"endpoints": ends}, EndpointSlice)
    one = msgspec.convert({"endpoints": [*ends, {}]}, EndpointSlice)
    assert say_service(service, ()).state == "Empty"
    assert say_service(service, (none,)).message == "0 of 2 endpoints ready"
    assert (say_service(service, (one,)).state, say_slice(one).state) == (
        "In place",
        "Partly ready",
    )
    assert say_slice(one).facts == {"ready": "1", "not ready": "2"}


def test_a_claim_without_its_volume_is_told() -> None:
    lost = msgspec.convert({"status": {"phase": "Lost"}}, k8s.VolumeClaim)
    bound = msgspec.convert(
        {"status": {"phase": "Bound", "capacity": {"storage": "100Gi"}}}, k8s.VolumeClaim
    )
    assert (say_claim(lost).tone, say_claim(bound).facts) == ("fail", {"size": "100Gi"})


def test_what_is_being_deleted_says_what_holds_it() -> None:
    metadata = {"deletionTimestamp": "2026-11-30T12:00:00Z", "finalizers": ["x.example/hold"]}
    for kind in ("Deployment", "ReplicaSet", "Service", "HorizontalPodAutoscaler"):
        said = said_of(kind, metadata=metadata)
        assert (said.state, said.message) == ("Being deleted", "held by x.example/hold")
    assert re.search("held by", say_pod(pod(metadata=metadata)).message)

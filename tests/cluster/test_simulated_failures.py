"""Each word of the table of simulated failures gives the pod status that it promises, and the
kubelet's words.
"""

from collections.abc import Iterator, Sequence

import pytest

from providers.contract.manifest import Manifest
from providers.simulation.pod_life.pace import back_off_seconds, go_duration
from providers.simulation.simulate import NAMESPACE_ANNOTATION
from tests.cluster.cast import IMAGE, engine, launch_pod, pod_spec
from tests.cluster.following import Stored, first_of, stored_pods
from tests.cluster.harness.api import Api, namespaced
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.kubelet.nodes import NodeSpec
from tests.cluster.looks import condition_of, container_of, events_of, pod_of, waiting_of
from tests.cluster.waiting import wait_for

HEALTH = {"httpGet": {"path": "/health", "port": 8000}}


@pytest.fixture
def api(control_plane: ControlPlane, cluster_nodes: Sequence[NodeSpec]) -> Api:
    assert cluster_nodes
    return control_plane.api


@pytest.fixture
def stored(api: Api, namespace: str) -> Iterator[Stored]:
    """Every version of the pods: what they go through may pass between two looks."""
    with stored_pods(api, namespace) as versions:
        yield versions


def wait_for_reason(stored: Stored, reason: str, kind: str = "containerStatuses") -> Manifest:
    """Return the first version of a pod in which a container waits for that reason."""
    return first_of(
        stored,
        f"a container waits with {reason}",
        lambda pod: waiting_of(pod, kind).get("reason") == reason,
    )


def wait_for_events(api: Api, namespace: str, reason: str, *messages: str) -> Sequence[Manifest]:
    """Return what is told once all is: a kubelet tells only after it has written the status."""

    def told() -> Sequence[Manifest]:
        found = events_of(api, namespace, reason)
        return found if set(messages) <= {event["message"] for event in found} else ()

    return wait_for(told, 90, f"{reason} is told: {messages}")


@pytest.mark.parametrize(
    ("word", "words"),
    [
        ("image-not-found", f"{IMAGE}: not found"),
        ("unauthorized", "pull access denied, repository does not exist or may require"),
    ],
)
def test_an_image_that_cannot_be_pulled_backs_off_in_the_words_of_the_registry(
    api: Api, namespace: str, stored: Stored, word: str, words: str
) -> None:
    launch_pod(api, namespace, pod_spec(engine(word)))

    first = wait_for_reason(stored, "ErrImagePull")
    then = wait_for_reason(stored, "ImagePullBackOff")

    assert words in waiting_of(first)["message"]
    told = waiting_of(then)["message"]
    assert told.startswith(f'Back-off pulling image "{IMAGE}": ErrImagePull: rpc error: code = ')
    assert words in told
    assert (then["status"]["phase"], container_of(then)["started"]) == ("Pending", False)
    wait_for_events(api, namespace, "Failed", "Error: ErrImagePull", "Error: ImagePullBackOff")


def test_repeated_events_are_folded_by_count(api: Api, namespace: str) -> None:
    launch_pod(api, namespace, pod_spec(engine("image-not-found")))

    def repeated() -> Manifest | None:
        pulls = events_of(api, namespace, "Pulling")
        assert len(pulls) <= 1
        return pulls[0] if pulls and pulls[0]["count"] >= 2 else None

    pulling = wait_for(repeated, 90, "a second pull")
    assert pulling["source"]["component"] == "kubelet"
    assert pulling["involvedObject"]["fieldPath"] == "spec.containers{engine}"
    assert pulling["firstTimestamp"] <= pulling["lastTimestamp"]


@pytest.mark.parametrize(
    ("word", "reason", "code"), [("crash", "Error", 1), ("oom", "OOMKilled", 137)]
)
def test_a_container_that_dies_is_restarted_ever_later(
    api: Api, namespace: str, stored: Stored, word: str, reason: str, code: int
) -> None:
    launch_pod(api, namespace, pod_spec(engine(word)))

    pod = wait_for_reason(stored, "CrashLoopBackOff")

    container, uid = container_of(pod), pod["metadata"]["uid"]
    ended = container["lastState"]["terminated"]
    assert (ended["reason"], ended["exitCode"]) == (reason, code)
    assert container["restartCount"] >= 1
    assert waiting_of(pod)["message"] == (
        f"back-off {go_duration(back_off_seconds(container['restartCount']))} restarting failed "
        f"container=engine pod=engine_{namespace}({uid})"
    )
    wait_for(
        lambda: container_of(pod_of(api, namespace))["restartCount"] > container["restartCount"],
        90,
        "another restart",
    )
    wait_for_events(api, namespace, "BackOff")


def test_a_slow_load_is_started_and_ready_only_when_loaded(
    api: Api, namespace: str, stored: Stored
) -> None:
    launch_pod(api, namespace, pod_spec(engine("slow-load:3", startupProbe=HEALTH)))

    loading = first_of(
        stored, "a running container", lambda pod: container_of(pod).get("containerID")
    )
    assert (container_of(loading)["started"], container_of(loading)["ready"]) == (False, False)
    wait_for(lambda: container_of(pod_of(api, namespace))["ready"], 90, "the pod is ready")
    assert container_of(pod_of(api, namespace))["restartCount"] == 0


def test_a_load_beyond_the_startup_budget_is_killed_by_the_probe(api: Api, namespace: str) -> None:
    impatient = HEALTH | {"periodSeconds": 1, "failureThreshold": 2}
    launch_pod(api, namespace, pod_spec(engine("slow-load:60", startupProbe=impatient)))

    wait_for(lambda: container_of(pod_of(api, namespace)).get("restartCount"), 90, "a restart")

    killing = wait_for_events(api, namespace, "Killing")
    assert killing[0]["message"] == "Container engine failed startup probe, will be restarted"
    unhealthy = wait_for_events(api, namespace, "Unhealthy")
    assert unhealthy[0]["message"].startswith('Startup probe failed: Get "http://10.128.')
    assert unhealthy[0]["message"].endswith(":8000: connect: connection refused")


def test_a_container_that_never_turns_ready_runs_and_is_unhealthy(api: Api, namespace: str) -> None:
    launch_pod(api, namespace, pod_spec(engine("never-ready", startupProbe=HEALTH)))

    wait_for(lambda: container_of(pod_of(api, namespace)).get("started"), 90, "a started container")

    pod = pod_of(api, namespace)
    assert (pod["status"]["phase"], container_of(pod)["ready"]) == ("Running", False)
    ready = condition_of(pod, "Ready")
    assert ready["reason"] == "ContainersNotReady"
    assert ready["message"] == "containers with unready status: [engine]"
    told = wait_for_events(api, namespace, "Unhealthy")
    assert told[0]["message"] == "Readiness probe failed: HTTP probe failed with statuscode: 503"


def test_an_evicted_pod_fails_with_the_reason_of_the_node(
    api: Api, namespace: str, stored: Stored
) -> None:
    launch_pod(api, namespace, pod_spec(engine("evict:2")))

    first_of(stored, "a running pod", lambda pod: pod["status"]["phase"] == "Running")
    first_of(stored, "an evicted pod", lambda pod: pod["status"]["phase"] == "Failed")

    pod = pod_of(api, namespace)
    assert pod["status"]["reason"] == "Evicted"
    assert pod["status"]["message"].startswith("The node was low on resource: ephemeral-storage.")
    assert condition_of(pod, "DisruptionTarget")["reason"] == "TerminationByKubelet"


@pytest.mark.parametrize("asked_by", ["container", "namespace"])
def test_an_unschedulable_pod_stays_pending_in_the_words_of_the_scheduler(
    api: Api, namespace: str, asked_by: str
) -> None:
    if asked_by == "namespace":
        annotate(api, namespace, "unschedulable")
        wait_for(lambda: asks_for_too_much(api, namespace), 90, "the annotation counts")
    launch_pod(api, namespace, pod_spec(engine("unschedulable" if asked_by == "container" else "")))

    scheduled = wait_for(
        lambda: condition_of(pod_of(api, namespace), "PodScheduled"), 90, "the scheduler's word"
    )
    assert (scheduled["status"], scheduled["reason"]) == ("False", "Unschedulable")
    assert scheduled["message"].startswith("0/3 nodes are available: 3 Insufficient nvidia.com/gpu")


def test_a_namespace_asks_for_all_its_pods_but_those_that_ask_themselves(
    api: Api, namespace: str, stored: Stored
) -> None:
    annotate(api, namespace, "crash")
    launch_pod(api, namespace, pod_spec(engine()))
    launch_pod(api, namespace, pod_spec(engine("slow-load:0")), name="other")

    wait_for_reason(stored, "CrashLoopBackOff")
    wait_for(
        lambda: container_of(pod_of(api, namespace, "other")).get("ready"), 90, "the other is ready"
    )


@pytest.mark.parametrize(
    ("kind", "source", "words"),
    [
        ("secrets", "secretKeyRef", 'secret "hf-token" not found'),
        ("configmaps", "configMapKeyRef", 'configmap "hf-token" not found'),
    ],
)
def test_a_container_waits_for_what_it_refers_to(
    api: Api, namespace: str, stored: Stored, kind: str, source: str, words: str
) -> None:
    variable = {"name": "HF_TOKEN", "valueFrom": {source: {"name": "hf-token", "key": "token"}}}
    launch_pod(api, namespace, pod_spec(engine(env=[variable])))

    pod = wait_for_reason(stored, "CreateContainerConfigError")
    assert waiting_of(pod)["message"] == words
    wait_for_events(api, namespace, "Failed", f"Error: {words}")

    body = {"metadata": {"name": "hf-token"}, "data": {"other": "aGVsbG8="}}
    api.create(namespaced(namespace, kind), body)
    wait_for(
        lambda: (
            "couldn't find key token in" in waiting_of(pod_of(api, namespace)).get("message", "")
        ),
        90,
        "the key is missing",
    )

    api.merge(namespaced(namespace, kind, "hf-token"), {"data": {"token": "aGVsbG8="}})
    wait_for(lambda: container_of(pod_of(api, namespace))["ready"], 90, "the pod is ready")


def test_a_volume_that_cannot_be_mounted_keeps_the_container_creating(
    api: Api, namespace: str, stored: Stored
) -> None:
    volumes = [{"name": "ca", "secret": {"secretName": "none"}}]
    launch_pod(api, namespace, pod_spec(engine(), volumes=volumes))

    wait_for_reason(stored, "ContainerCreating")
    told = wait_for_events(api, namespace, "FailedMount")
    words = 'MountVolume.SetUp failed for volume "ca" : secret "none" not found'
    assert told[0]["message"] == words


def test_a_failing_init_container_holds_up_the_engine(
    api: Api, namespace: str, stored: Stored
) -> None:
    fetch = engine("crash", name="fetch-model") | {"readinessProbe": None}
    launch_pod(api, namespace, pod_spec(engine(), initContainers=[fetch]))

    pod = wait_for_reason(stored, "CrashLoopBackOff", "initContainerStatuses")

    assert waiting_of(pod)["reason"] == "PodInitializing"
    told = condition_of(pod, "Initialized")["message"]
    assert told == "containers with incomplete status: [fetch-model]"


def test_an_init_container_that_ends_well_lets_the_engine_start(api: Api, namespace: str) -> None:
    fetch = engine(name="fetch-model") | {"readinessProbe": None}
    launch_pod(api, namespace, pod_spec(engine(), initContainers=[fetch]))

    wait_for(lambda: container_of(pod_of(api, namespace)).get("ready"), 90, "the pod is ready")
    fetched = container_of(pod_of(api, namespace), "initContainerStatuses")
    assert fetched["state"]["terminated"]["reason"] == "Completed"


def test_a_slow_stop_keeps_the_pod_terminating(api: Api, namespace: str) -> None:
    launch_pod(api, namespace, pod_spec(engine("slow-stop:6")))
    wait_for(lambda: container_of(pod_of(api, namespace)).get("ready"), 90, "the pod is ready")

    path = namespaced(namespace, "pods", "engine")
    api.delete(path)

    killing = wait_for_events(api, namespace, "Killing")
    assert killing[0]["message"] == "Stopping container engine"
    assert api.get(path)["metadata"]["deletionTimestamp"]
    wait_for(lambda: api.find(path) is None, 90, "the pod is gone")


def test_an_unknown_word_is_told_where_it_was_written(
    api: Api, namespace: str, stored: Stored
) -> None:
    launch_pod(api, namespace, pod_spec(engine("explode")))

    pod = wait_for_reason(stored, "CreateContainerConfigError")
    assert "unknown word 'explode'; use one of image-not-found" in waiting_of(pod)["message"]


def annotate(api: Api, namespace: str, word: str) -> None:
    body = {"metadata": {"annotations": {NAMESPACE_ANNOTATION: word}}}
    api.merge(f"/api/v1/namespaces/{namespace}", body)


def asks_for_too_much(api: Api, namespace: str) -> bool:
    """Tell by a dry run whether a pod of the namespace is made to ask for what no node has."""
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "dry"}}
    answer = api.ask(
        "POST", namespaced(namespace, "pods"), pod | {"spec": pod_spec(engine())}, dryRun="All"
    )
    return "nvidia.com/gpu" in answer.text

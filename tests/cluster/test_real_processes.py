"""Pods that really run: a small program as a process, probed, stopped and started again."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from providers.contract.manifest import Manifest
from tests.cluster.cast import launch_pod, pod_spec
from tests.cluster.following import stored_pods
from tests.cluster.harness.api import Api, namespaced
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.kubelet.processes.images import LocalImage
from tests.cluster.kubelet.processes.network import why_not
from tests.cluster.kubelet.processes.runtime import ProcessRuntime
from tests.cluster.kubelet.standin import TEST_PACE
from tests.cluster.looks import container_of, pod_of, waiting_of
from tests.cluster.waiting import wait_for

REPOSITORY = "local/shell"


@pytest.fixture
def api(control_plane: ControlPlane, cluster_nodes: object, tmp_path: Path) -> Iterator[Api]:
    """The API of a cluster whose node has a shell for an image."""
    if reason := why_not():
        if os.environ.get("CI") == "true":
            pytest.fail(reason, pytrace=False)
        pytest.skip(reason)
    image = LocalImage(
        repository=REPOSITORY, folder=tmp_path, mounted_at="/app", entrypoint=("/bin/sh", "-c")
    )
    kubelet = control_plane.kubelet
    kubelet.runtime = ProcessRuntime(control_plane.api, [image], pace=TEST_PACE)
    yield control_plane.api
    kubelet.runtime = None


def shell(script: str, **fields: object) -> Manifest:
    return {"name": "engine", "image": f"{REPOSITORY}:1", "args": [script]} | fields


def process_of(plane: ControlPlane, namespace: str) -> int:
    key = f"{namespace}/engine"
    return wait_for(lambda: plane.kubelet.process_id(key, "engine"), 90, "a process")


def log_of(api: Api, namespace: str, **query: str) -> str:
    return api.ask("GET", namespaced(namespace, "pods", "engine") + "/log", None, "", **query).text


def log_with(api: Api, namespace: str, word: str) -> str:
    def said() -> str:
        text = log_of(api, namespace)
        return text if word in text else ""

    return wait_for(said, 90, f"a log with {word}")


def ended(api: Api, namespace: str) -> Manifest:
    def last() -> Manifest | None:
        status = container_of(pod_of(api, namespace))
        found: Manifest | None = (status.get("lastState") or {}).get("terminated")
        return found

    return wait_for(last, 90, "a run that has ended")


def events_of(api: Api, namespace: str) -> list[str]:
    return [event["message"] for event in api.get(namespaced(namespace, "events"))["items"]]


def test_it_sees_its_own_environment_and_volumes_and_nothing_of_the_machine(
    api: Api, namespace: str
) -> None:
    script = "echo $GREETING; ls /; touch /cache/here; ls /cache; sleep 60"
    launch_pod(
        api,
        namespace,
        pod_spec(
            shell(
                script,
                env=[{"name": "GREETING", "value": "hello"}],
                volumeMounts=[{"name": "cache", "mountPath": "/cache"}],
            ),
            volumes=[{"name": "cache", "emptyDir": {}}],
        ),
    )

    words = log_with(api, namespace, "here").split()
    assert words[0] == "hello"
    assert {"app", "cache", "usr", "proc"} <= set(words)
    assert not {"root", "home", "work", "var"} & set(words)


def test_it_has_a_network_of_its_own(api: Api, namespace: str) -> None:
    launch_pod(api, namespace, pod_spec(shell("ip -brief address; sleep 60")))
    said = log_with(api, namespace, "eth0")

    devices = [line.split("@")[0].split()[0] for line in said.splitlines()]
    assert devices == ["lo", "eth0"]
    address = wait_for(lambda: pod_of(api, namespace)["status"].get("podIP"), 90, "an address")
    assert address in said


def test_an_end_is_told_with_its_code_and_its_log_is_the_previous_one(
    api: Api, namespace: str
) -> None:
    launch_pod(api, namespace, pod_spec(shell("echo it broke; exit 3")))
    last = ended(api, namespace)

    assert (last["exitCode"], last["reason"]) == (3, "Error")
    assert log_of(api, namespace, previous="true") == "it broke\n"


def test_who_keeps_ending_is_started_after_longer_and_longer_times(
    api: Api, namespace: str
) -> None:
    with stored_pods(api, namespace) as stored:
        launch_pod(api, namespace, pod_spec(shell("exit 1")))

        def told() -> list[str]:
            messages = [waiting_of(pod).get("message", "") for pod in stored]
            return [text.partition(" restarting failed")[0] for text in messages]

        wait_for(lambda: "back-off 20s" in told(), 90, "a longer back-off")
    assert "back-off 10s" in told()[: told().index("back-off 20s")]


def test_a_probe_that_loses_patience_ends_a_run(api: Api, namespace: str) -> None:
    probe = {"httpGet": {"path": "/", "port": 8000}, "periodSeconds": 1, "failureThreshold": 2}
    launch_pod(api, namespace, pod_spec(shell("exec sleep 60", startupProbe=probe)))
    last = ended(api, namespace)

    assert last["exitCode"] == 143
    killing = "Container engine failed startup probe, will be restarted"
    wait_for(lambda: killing in events_of(api, namespace), 90, "the kill is told")
    messages = events_of(api, namespace)
    assert any("connect: connection refused" in message for message in messages), messages


def test_one_that_ignores_the_request_to_end_is_killed_when_its_grace_is_over(
    api: Api, namespace: str, control_plane: ControlPlane, tmp_path: Path
) -> None:
    script = "trap 'touch /app/asked' TERM; echo ready; while true; do sleep 0.1; done"
    launch_pod(api, namespace, pod_spec(shell(script), terminationGracePeriodSeconds=3))
    number = process_of(control_plane, namespace)
    log_with(api, namespace, "ready")
    path = namespaced(namespace, "pods", "engine")
    api.delete(path)
    wait_for(lambda: api.find(path) is None, 90, "the pod is gone")

    assert (tmp_path / "asked").exists()
    assert not Path(f"/proc/{number}").exists()

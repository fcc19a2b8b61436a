"""Logs go the whole way: from the stand-in kubelet over TLS through the API server."""

from collections.abc import Sequence

import pytest

from tests.cluster.cast import IMAGE, engine, launch_pod, pod_spec
from tests.cluster.harness.api import Answer, Api, namespaced
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.kubelet.nodes import NodeSpec
from tests.cluster.looks import container_of, pod_of
from tests.cluster.waiting import wait_for


@pytest.fixture
def api(control_plane: ControlPlane, cluster_nodes: Sequence[NodeSpec]) -> Api:
    assert cluster_nodes
    return control_plane.api


def log_of(api: Api, namespace: str, **query: str) -> Answer:
    return api.ask("GET", namespaced(namespace, "pods", "engine") + "/log", None, "", **query)


def test_a_running_engine_tells_how_it_started(api: Api, namespace: str) -> None:
    launch_pod(api, namespace, pod_spec(engine(args=["--model=Qwen/Qwen3-8B"])))
    wait_for(lambda: container_of(pod_of(api, namespace)).get("ready"), 90, "the pod is ready")

    def loaded() -> list[str]:
        text = log_of(api, namespace).text
        return text.splitlines() if "startup complete" in text else []

    lines = wait_for(loaded, 90, "a loaded engine")
    assert lines[:2] == [
        f"INFO Starting engine from {IMAGE}",
        "INFO Arguments: --model=Qwen/Qwen3-8B",
    ]
    assert log_of(api, namespace, tailLines="1").text == "INFO Application startup complete.\n"


def test_a_crashed_engine_keeps_the_log_of_its_previous_run(api: Api, namespace: str) -> None:
    launch_pod(api, namespace, pod_spec(engine("crash")))
    wait_for(lambda: container_of(pod_of(api, namespace)).get("restartCount"), 90, "a restart")

    previous = log_of(api, namespace, previous="true")

    assert previous.status == 200
    assert "RuntimeError: Engine core initialization failed" in previous.text


def test_a_container_that_never_ran_has_no_log(api: Api, namespace: str) -> None:
    launch_pod(api, namespace, pod_spec(engine("image-not-found")))

    def refused() -> Answer | None:
        answer = log_of(api, namespace)
        return answer if "trying and failing to pull image" in answer.text else None

    assert wait_for(refused, 90, "a refusal in the kubelet's words").status == 400

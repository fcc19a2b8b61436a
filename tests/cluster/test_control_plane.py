"""The control plane is the real thing: versions, controllers, scheduler and rights."""

import json
import subprocess
from collections.abc import Sequence

import pytest

from tests.cluster.cast import deployment, engine, launch_pod, pod_spec
from tests.cluster.controlplane.build import KUBERNETES_VERSION
from tests.cluster.harness.api import Api, namespaced
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.kubelet.nodes import NodeSpec
from tests.cluster.looks import condition_of, events_of, pod_of
from tests.cluster.waiting import wait_for

APPS = "apis/apps/v1"
RBAC = "apis/rbac.authorization.k8s.io/v1"


@pytest.fixture(autouse=True)
def _nodes(cluster_nodes: Sequence[NodeSpec]) -> None:
    assert cluster_nodes


def test_server_and_kubectl_tell_their_version(control_plane: ControlPlane) -> None:
    command = [control_plane.kubectl, f"--kubeconfig={control_plane.kubeconfig}", "version"]
    told = json.loads(subprocess.check_output([*command, "--output=json"], timeout=120))

    versions = {told[side]["gitVersion"] for side in ("clientVersion", "serverVersion")}
    assert versions == {f"v{KUBERNETES_VERSION}"}


def test_nodes_are_ready_and_offer_their_accelerators(control_plane: ControlPlane) -> None:
    nodes = control_plane.api.get("/api/v1/nodes")["items"]

    offered = {
        node["metadata"]["name"]: node["status"]["allocatable"].get("nvidia.com/gpu")
        for node in nodes
        if condition_of(node, "Ready")["status"] == "True"
    }
    assert offered == {"gpu-1": "8", "gpu-2": "8", "cpu-1": None}


def test_a_deployment_becomes_available(control_plane: ControlPlane, namespace: str) -> None:
    gpu = engine(resources={"limits": {"nvidia.com/gpu": "1"}})
    path = namespaced(namespace, "deployments", "qwen", api=APPS)
    control_plane.api.apply(path, deployment("qwen", pod_spec(gpu), replicas=2))

    wait_for(
        lambda: control_plane.api.get(path)["status"].get("availableReplicas") == 2,
        90,
        "both replicas available",
    )
    pods = control_plane.api.get(namespaced(namespace, "pods"))["items"]
    assert len({pod["status"]["podIP"] for pod in pods}) == 2


def test_a_deleted_deployment_leaves_no_pod(control_plane: ControlPlane, namespace: str) -> None:
    path = namespaced(namespace, "deployments", "qwen", api=APPS)
    control_plane.api.apply(path, deployment("qwen", pod_spec(engine())))
    pods = namespaced(namespace, "pods")
    wait_for(lambda: control_plane.api.get(pods)["items"], 90, "a pod")

    control_plane.api.delete(path, {"propagationPolicy": "Foreground"})

    wait_for(lambda: control_plane.api.find(path) is None, 90, "the Deployment is gone")
    assert control_plane.api.get(pods)["items"] == []


def test_a_service_finds_the_ready_pods(control_plane: ControlPlane, namespace: str) -> None:
    api = control_plane.api
    path = namespaced(namespace, "deployments", "qwen", api=APPS)
    api.apply(path, deployment("qwen", pod_spec(engine())))
    ports = [{"port": 80, "targetPort": 8000}]
    service = {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "qwen"}}
    api.create(
        namespaced(namespace, "services"),
        service | {"spec": {"selector": {"app": "qwen"}, "ports": ports}},
    )

    slices = namespaced(namespace, "endpointslices", api="apis/discovery.k8s.io/v1")

    def ready_addresses() -> list[str]:
        endpoints = [end for each in api.get(slices)["items"] for end in each["endpoints"] or []]
        return [end["addresses"][0] for end in endpoints if end["conditions"]["ready"]]

    addresses = wait_for(ready_addresses, 90, "a ready endpoint")
    pods = api.get(namespaced(namespace, "pods"))["items"]
    assert addresses == [pod["status"]["podIP"] for pod in pods]


def test_the_scheduler_refuses_a_pod_that_wants_more_accelerators_than_a_node_has(
    control_plane: ControlPlane, namespace: str
) -> None:
    greedy = engine(resources={"limits": {"nvidia.com/gpu": "9"}})
    launch_pod(control_plane.api, namespace, pod_spec(greedy))

    scheduled = wait_for(
        lambda: condition_of(pod_of(control_plane.api, namespace), "PodScheduled"),
        90,
        "a word of the scheduler",
    )
    assert (scheduled["status"], scheduled["reason"]) == ("False", "Unschedulable")
    assert "3 Insufficient nvidia.com/gpu" in scheduled["message"]
    wait_for(lambda: events_of(control_plane.api, namespace, "FailedScheduling"), 90, "it is told")


def test_a_user_without_rights_is_refused_by_name(
    control_plane: ControlPlane, namespace: str
) -> None:
    kubeconfig = control_plane.user_kubeconfig("stranger", groups=["visitors"])
    command = [control_plane.kubectl, f"--kubeconfig={kubeconfig}", "get", "pods", "-n", namespace]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)

    assert done.returncode == 1
    assert 'User "stranger" cannot list resource "pods"' in done.stderr


def test_a_service_account_may_do_what_it_is_bound_to(
    control_plane: ControlPlane, namespace: str
) -> None:
    api = control_plane.api
    api.create(namespaced(namespace, "serviceaccounts"), {"metadata": {"name": "reader"}})
    subject = {"kind": "ServiceAccount", "name": "reader", "namespace": namespace}
    role = {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "view"}
    body = {"metadata": {"name": "reader"}, "subjects": [subject], "roleRef": role}
    api.create(namespaced(namespace, "rolebindings", api=RBAC), body)

    reader = Api(
        api.url, control_plane.ca, control_plane.service_account_token(namespace, "reader")
    )

    pods = namespaced(namespace, "pods")
    wait_for(lambda: reader.ask("GET", pods).status == 200, 90, "the binding is in force")
    assert reader.ask("GET", namespaced("default", "pods")).status == 403

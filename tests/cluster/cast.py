"""The nodes that tests and trials usually have, and the pods and Deployments that tests launch."""

from collections.abc import Mapping

from providers.contract.manifest import Manifest
from providers.simulation.simulate import ENVIRONMENT_VARIABLE
from tests.cluster.harness.api import Api, namespaced
from tests.cluster.kubelet.nodes import NodeSpec, gpu_node

GPU_PRODUCT = "NVIDIA-H100-80GB-HBM3"
USUAL_NODES = (
    gpu_node("gpu-1", product=GPU_PRODUCT),
    gpu_node("gpu-2", product=GPU_PRODUCT),
    NodeSpec(name="cpu-1"),
)
IMAGE = "docker.io/vllm/vllm-openai:v0.11.0"


def engine(simulate: str = "", **fields: object) -> Manifest:
    """Return a container; it reads its health over HTTP unless told otherwise."""
    return {
        "name": "engine",
        "image": IMAGE,
        "env": [{"name": ENVIRONMENT_VARIABLE, "value": simulate}] if simulate else [],
        "readinessProbe": {"httpGet": {"path": "/health", "port": 8000}, "periodSeconds": 1},
    } | fields


def pod_spec(*containers: Manifest, **fields: object) -> Manifest:
    """Return the specification of a pod that asks for no token."""
    return {
        "automountServiceAccountToken": False,
        "terminationGracePeriodSeconds": 30,
        "containers": list(containers),
    } | fields


def launch_pod(api: Api, namespace: str, spec: Manifest, name: str = "engine") -> Manifest:
    """Create a pod."""
    body = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name}, "spec": spec}
    return api.create(namespaced(namespace, "pods"), body)


def deployment(name: str, spec: Manifest, *, replicas: int = 1) -> Manifest:
    """Return a Deployment of such pods."""
    labels: Mapping[str, str] = {"app": name}
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": name},
        "spec": {
            "replicas": replicas,
            "selector": {"matchLabels": labels},
            "template": {"metadata": {"labels": labels}, "spec": spec},
        },
    }

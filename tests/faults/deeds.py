"""What strangers do to a cluster so that a deployment fails, in the words of the Kubernetes API."""

from deployments.models import Deployment
from providers.contract.manifest import Manifest
from tests.faults.place import Place

TOKEN = "hub-token"
PRIORITY = "urgent"


def path_of(deployment: Deployment, plural: str, api: str = "api/v1", name: str = "") -> str:
    """Return the path of an object that goes by the deployment's name, or by another."""
    named = name or deployment.runtime_name
    return f"/{api}/namespaces/{deployment.namespace}/{plural}/{named}"


def _body(kind: str, name: str, *, version: str = "v1", **parts: object) -> Manifest:
    return {"apiVersion": version, "kind": kind, "metadata": {"name": name}, **parts}


def add_token(place: Place) -> None:
    """Make the secret that the template names."""
    body = _body("Secret", TOKEN, data={"token": "eA=="})
    place.apply(f"/api/v1/namespaces/{place.namespace}/secrets/{TOKEN}", body)


def remove_token(place: Place, deployment: Deployment) -> None:
    """Delete the secret, and the pod that has read it."""
    place.delete(path_of(deployment, "secrets", name=TOKEN))
    remove_pods(place, deployment)


def forbid_pods(place: Place, deployment: Deployment) -> None:
    """Allow no pod more than runs, and then take one away and its place with it."""
    body = _body("ResourceQuota", "team", spec={"hard": {"pods": "1"}})
    place.apply(path_of(deployment, "resourcequotas", name="team"), body)
    remove_pods(place, deployment)


def taint_nodes(place: Place, deployment: Deployment) -> None:
    """Taint every node, so that a pod that goes finds no place again."""
    taint = {"key": "maintenance", "value": "now", "effect": "NoSchedule"}
    for name in place.node_names():
        place.apply(f"/api/v1/nodes/{name}", _body("Node", name, spec={"taints": [taint]}))
    remove_pods(place, deployment)


def remove_pods(place: Place, deployment: Deployment) -> None:
    """Delete the pods of a deployment; its controller makes others."""
    for pod in place.pods_of(deployment):
        place.delete(path_of(deployment, "pods", name=pod["metadata"]["name"]))


def remove_service(place: Place, deployment: Deployment) -> None:
    """Delete the Service."""
    place.delete(path_of(deployment, "services"))


def remove_autoscaler(place: Place, deployment: Deployment) -> None:
    """Delete the autoscaler."""
    place.delete(path_of(deployment, "horizontalpodautoscalers", "apis/autoscaling/v2"))


def remove_workload(place: Place, deployment: Deployment) -> None:
    """Delete the Deployment."""
    place.delete(path_of(deployment, "deployments", "apis/apps/v1"))


def remove_namespace(place: Place, deployment: Deployment) -> None:
    """Delete the namespace, in which a pod takes long to stop."""
    place.delete(f"/api/v1/namespaces/{deployment.namespace}")


def pause(place: Place, deployment: Deployment) -> None:
    """Pause the rollout, and then ask for another one."""
    name, version = deployment.runtime_name, "apps/v1"
    template = {"metadata": {"annotations": {"example.com/changed": "by hand"}}}
    spec: Manifest = {"paused": True, "template": template}
    body = _body("Deployment", name, version=version, spec=spec)
    place.apply(path_of(deployment, "deployments", "apis/apps/v1"), body)


def push_aside(place: Place, deployment: Deployment) -> None:
    """Launch a pod of higher priority that wants the whole node."""
    group = "scheduling.k8s.io/v1"
    priority = _body("PriorityClass", PRIORITY, version=group, value=1000)
    place.apply(f"/apis/{group}/priorityclasses/{PRIORITY}", priority)
    [pod] = place.pods_of(deployment)
    container = {
        "name": "c",
        "image": "docker.io/library/none:none",
        "resources": {"limits": {"nvidia.com/gpu": "1"}},
    }
    spec = {
        "priorityClassName": PRIORITY,
        "nodeSelector": pod["spec"]["nodeSelector"],
        "automountServiceAccountToken": False,
        "containers": [container],
    }
    place.apply(path_of(deployment, "pods", name=PRIORITY), _body("Pod", PRIORITY, spec=spec))


def silence_node(place: Place, deployment: Deployment) -> None:
    """Say of the node and its pod what its controller says when it has been silent too long."""
    [pod] = place.pods_of(deployment)
    name = pod["spec"]["nodeName"]
    ready = {
        "type": "Ready",
        "status": "Unknown",
        "reason": "NodeStatusUnknown",
        "message": "Kubelet stopped posting node status.",
    }
    status = {"conditions": [ready]}
    place.apply(f"/api/v1/nodes/{name}/status", _body("Node", name, status=status))
    at = path_of(deployment, "pods", name=pod["metadata"]["name"])
    status = {"conditions": [ready | {"status": "False"}]}
    place.apply(f"{at}/status", _body("Pod", pod["metadata"]["name"], status=status))

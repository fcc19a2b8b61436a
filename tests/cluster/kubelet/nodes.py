"""Pretended nodes: registered with capacity, labels and taints, kept alive by status and lease."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from providers.contract.manifest import Manifest
from providers.simulation.pod_life.conditions import timestamp
from tests.cluster.harness.api import Api, namespaced

HOST_IP = "127.0.0.1"
LEASE_SECONDS = 40
VERSION = "v1.36.3"
BASE_CAPACITY = {"cpu": "64", "memory": "512Gi", "ephemeral-storage": "2Ti", "pods": "500"}
PRESSURES = {
    "MemoryPressure": ("KubeletHasSufficientMemory", "kubelet has sufficient memory available"),
    "DiskPressure": ("KubeletHasNoDiskPressure", "kubelet has no disk pressure"),
    "PIDPressure": ("KubeletHasSufficientPID", "kubelet has sufficient PID available"),
}


@dataclass(frozen=True, kw_only=True, slots=True)
class NodeSpec:
    """What a node pretends to have; `capacity` adds to, or replaces, 64 CPUs and 512 GiB."""

    name: str
    labels: Mapping[str, str] = field(default_factory=dict)
    taints: Sequence[Mapping[str, str]] = ()
    capacity: Mapping[str, str] = field(default_factory=dict)


def gpu_node(name: str, *, product: str, count: int = 8) -> NodeSpec:
    """Return a node as NVIDIA's device plugin and feature discovery show it."""
    labels = {"nvidia.com/gpu.product": product, "nvidia.com/gpu.present": "true"}
    return NodeSpec(name=name, labels=labels, capacity={"nvidia.com/gpu": str(count)})


def register(api: Api, spec: NodeSpec, *, port: int) -> None:
    """Create the node, or take over one that is there, and report it Ready."""
    labels = {
        "kubernetes.io/hostname": spec.name,
        "kubernetes.io/os": "linux",
        "kubernetes.io/arch": "amd64",
    }
    node = {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": spec.name, "labels": labels | dict(spec.labels)},
        "spec": {"taints": [dict(taint) for taint in spec.taints]},
    }
    path = f"/api/v1/nodes/{spec.name}"
    if api.find(path) is None:
        api.create("/api/v1/nodes", node)
    api.merge(path + "/status", {"status": _status(spec, port)})
    renew_lease(api, spec)


def renew_lease(api: Api, spec: NodeSpec) -> None:
    """Say that the node is alive; nothing for 40 s makes it lost."""
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    lease = {
        "apiVersion": "coordination.k8s.io/v1",
        "kind": "Lease",
        "metadata": {"name": spec.name},
        "spec": {
            "holderIdentity": spec.name,
            "leaseDurationSeconds": LEASE_SECONDS,
            "renewTime": now,
        },
    }
    api.apply(
        namespaced("kube-node-lease", "leases", spec.name, api="apis/coordination.k8s.io/v1"),
        lease,
        manager="kubelet",
    )


def deregister(api: Api, spec: NodeSpec) -> None:
    """Remove the node; its pods go when the controllers notice."""
    api.delete(f"/api/v1/nodes/{spec.name}")


def _status(spec: NodeSpec, port: int) -> Manifest:
    capacity = BASE_CAPACITY | dict(spec.capacity)
    now = timestamp(datetime.now(UTC))
    return {
        "capacity": capacity,
        "allocatable": capacity,
        "addresses": [
            {"type": "InternalIP", "address": HOST_IP},
            {"type": "Hostname", "address": spec.name},
        ],
        "daemonEndpoints": {"kubeletEndpoint": {"Port": port}},
        "nodeInfo": _node_info(spec.name),
        "conditions": [
            *(_condition(kind, "False", *words, now) for kind, words in PRESSURES.items()),
            _condition("Ready", "True", "KubeletReady", "kubelet is posting ready status", now),
        ],
    }


def _condition(kind: str, status: str, reason: str, message: str, now: str) -> Manifest:
    times = {"lastHeartbeatTime": now, "lastTransitionTime": now}
    return {"type": kind, "status": status, "reason": reason, "message": message} | times


def _node_info(name: str) -> Manifest:
    return {
        "machineID": name,
        "systemUUID": name,
        "bootID": name,
        "kernelVersion": "6.12.0-stand-in",
        "osImage": "Slipway stand-in node",
        "containerRuntimeVersion": "containerd://2.1.0",
        "kubeletVersion": VERSION,
        "kubeProxyVersion": "",
        "operatingSystem": "linux",
        "architecture": "amd64",
    }

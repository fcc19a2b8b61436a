"""Nodes of a simulated cluster: what they offer, how they are labelled, and that they are well."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from providers.sandbox.cluster import Cluster
from providers.sandbox.kinds import VERSION
from providers.simulation.pod_life.conditions import timestamp

_USUAL = {"cpu": "64", "memory": "512Gi", "ephemeral-storage": "2Ti", "pods": "250"}


@dataclass(frozen=True, kw_only=True, slots=True)
class NodeSpec:
    """What a node has beyond, or instead of, 64 CPUs and 512 GiB."""

    name: str
    capacity: Mapping[str, str] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)
    taints: tuple[Mapping[str, str], ...] = ()


def add_node(cluster: Cluster, spec: NodeSpec) -> None:
    """Add a node, Ready at once."""
    capacity, now = {**_USUAL, **spec.capacity}, timestamp(cluster.clock.now())
    ready = {
        "type": "Ready",
        "status": "True",
        "reason": "KubeletReady",
        "message": "kubelet is posting ready status",
        "lastHeartbeatTime": now,
        "lastTransitionTime": now,
    }
    labels = {"kubernetes.io/hostname": spec.name, "kubernetes.io/os": "linux"}
    node = {
        "metadata": {"name": spec.name, "labels": labels | dict(spec.labels)},
        "spec": {"taints": [dict(taint) for taint in spec.taints]} if spec.taints else {},
        "status": {
            "capacity": capacity,
            "allocatable": capacity,
            "conditions": [ready],
            "nodeInfo": {"kubeletVersion": VERSION},
        },
    }
    cluster.create("nodes", node)

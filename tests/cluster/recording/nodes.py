"""Nodes of one scene alone: tainted, so that nobody else's pods come there."""

from providers.contract.manifest import Manifest
from tests.cluster.harness.api import namespaced
from tests.cluster.kubelet.nodes import NodeSpec
from tests.cluster.recording.pen import Pen
from tests.cluster.recording.stage import Stage
from tests.cluster.waiting import wait_for

MANY = 8


def own_node(stage: Stage, *, accelerators: int = 1) -> NodeSpec:
    """Add a node that the stand-in kubelet tends."""
    spec = _spec(stage, f"own-{stage.namespace}", accelerators)
    kubelet = stage.plane.kubelet
    kubelet.add_node(spec)
    stage.after.callback(kubelet.remove_node, spec.name)
    return spec


def quiet_node(stage: Stage, *, accelerators: int = MANY) -> Pen:
    """Add a node that nobody tends but who writes on it."""
    spec = _spec(stage, f"quiet-{stage.namespace}", accelerators)
    pen = Pen(api=stage.plane.api, node=spec, port=stage.plane.layout.ports.nodes)
    pen.register()
    stage.after.callback(pen.remove)
    return pen


def bound_pods(stage: Stage, number: int = 1) -> list[Manifest]:
    """Return the pods of the deployment once so many have a node."""

    def bound() -> list[Manifest] | None:
        found = [pod for pod in stage.pods() if pod["spec"].get("nodeName")]
        return found if len(found) >= number else None

    return wait_for(bound, 20.0, f"{number} pods with a node")


def newest_bound(stage: Stage, *, beside: Manifest) -> Manifest:
    """Return a bound pod that is not this one, once there is one."""
    uid = beside["metadata"]["uid"]

    def other() -> Manifest | None:
        others = [pod for pod in bound_pods(stage) if pod["metadata"]["uid"] != uid]
        return others[-1] if others else None

    return wait_for(other, 20.0, "another pod with a node")


def is_gone(stage: Stage, pod: Manifest) -> bool:
    """Tell whether a pod is no more."""
    path = namespaced(stage.namespace, "pods", pod["metadata"]["name"])
    return stage.plane.api.find(path) is None


def _spec(stage: Stage, name: str, accelerators: int) -> NodeSpec:
    taint = {"key": "pool", "value": stage.namespace, "effect": "NoSchedule"}
    return NodeSpec(
        name=name,
        labels={"pool": stage.namespace},
        taints=[taint],
        capacity={"nvidia.com/gpu": str(accelerators)},
    )

"""What the scheduler knows of the nodes: it hears of them by a watch of its own, after the answer.

A pod that is made before it has heard is judged by what was, and not always judged again.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from providers.contract.manifest import Manifest
from tests.cluster.cast import USUAL_NODES, engine, pod_spec
from tests.cluster.harness.api import Api, namespaced
from tests.cluster.harness.control_plane import ControlPlane
from tests.cluster.kubelet.nodes import NodeSpec
from tests.cluster.looks import condition_of
from tests.cluster.waiting import wait_for

WAIT_SECONDS = 60.0
PODS = namespaced("default", "pods")
# More than any node has: such a pod is never bound, and the words about it count the nodes.
GREEDY = pod_spec(engine(resources={"limits": {"nvidia.com/gpu": "1000"}}))


def add_usual_nodes(plane: ControlPlane) -> None:
    """Add the nodes that tests usually have; returns when pods can be bound to each."""
    for node in USUAL_NODES:
        plane.kubelet.add_node(node)
    wait_for_usual_nodes(plane.api)


@contextmanager
def one_more_node(plane: ControlPlane, node: NodeSpec) -> Iterator[None]:
    """Let there be another node beside the usual ones."""
    plane.kubelet.add_node(node)
    try:
        yield
    finally:
        plane.kubelet.remove_node(node.name)
        wait_for_usual_nodes(plane.api)


def wait_for_usual_nodes(api: Api) -> None:
    """Wait until the scheduler knows the usual nodes, no other and no taint of any."""
    number = len(USUAL_NODES)
    words = f"0/{number} nodes are available: {number} Insufficient nvidia.com/gpu"
    wait_for(lambda: words in _refusal(api), WAIT_SECONDS, f"the scheduler says: {words}")


def wait_for_taint(api: Api, node: str, *, tainted: bool) -> None:
    """Wait until the scheduler knows that a node is tainted, or that it is no more."""
    wait_for(
        lambda: ("untolerated taint" in _refusal(api, affinity=_only(node))) is tainted,
        WAIT_SECONDS,
        f"the scheduler knows of {node}",
    )


def _only(node: str) -> Manifest:
    """Return what keeps a pod off all others by their names, before a word is said of taints."""
    fields = [{"key": "metadata.name", "operator": "In", "values": [node]}]
    terms = {"nodeSelectorTerms": [{"matchFields": fields}]}
    return {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": terms}}


def _refusal(api: Api, **fields: object) -> str:
    """Return the scheduler's words about a pod that fits on no node."""
    body = {"apiVersion": "v1", "kind": "Pod", "metadata": {"generateName": "greedy-"}}
    made = api.create(PODS, body | {"spec": GREEDY | fields})
    path = f"{PODS}/{made['metadata']['name']}"
    try:
        told = wait_for(
            lambda: condition_of(api.get(path), "PodScheduled"), WAIT_SECONDS, "the scheduler"
        )
    finally:
        api.delete(path, {"gracePeriodSeconds": 0})
    return str(told.get("message"))

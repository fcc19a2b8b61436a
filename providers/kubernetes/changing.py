"""What a change of a `k8s-deployment` does: what of its objects is scaling, and what its pods are.

Pure: two renderings are compared, nobody is asked.
"""

from providers.contract.capacity import Capacity
from providers.contract.changing import Effects, Running
from providers.contract.manifest import Manifest
from providers.contract.request import DeployRequest
from providers.contract.target import ClusterTarget
from providers.kube.resources import AUTOSCALERS, DEPLOYMENTS
from providers.kubernetes.render import render
from providers.workload.changing import Change, compare, effects_of


def effects(
    before: DeployRequest,
    after: DeployRequest,
    target: ClusterTarget,
    *,
    capacity: Capacity | None,
    running: Running,
) -> Effects:
    """Return what an update from one request to the other would do."""
    compared = compare(
        render(before, target),
        render(after, target),
        scaling_aside=_scaling_aside,
        pods_of=_pods_of,
    )
    change = Change(before=before, after=after, running=running)
    return effects_of(compared, change, target, capacity=capacity)


def _scaling_aside(manifest: Manifest) -> Manifest:
    if manifest["kind"] == AUTOSCALERS.kind:
        return {}
    if manifest["kind"] != DEPLOYMENTS.kind:
        return manifest
    spec = {name: value for name, value in manifest["spec"].items() if name != "replicas"}
    return {**manifest, "spec": spec}


def _pods_of(deployment: Manifest) -> Manifest:
    template: Manifest = deployment["spec"]["template"]
    return template

"""What a change of a `stormservice` does: what of its objects is scaling, and what its pods are.

Pure: two renderings are compared, nobody is asked.
"""

from providers.contract.capacity import Capacity
from providers.contract.changing import Effects, Running
from providers.contract.manifest import Manifest
from providers.contract.request import DeployRequest
from providers.contract.target import ClusterTarget
from providers.kube.resources import AUTOSCALERS, POD_AUTOSCALERS, STORM_SERVICES
from providers.stormservice.render import render
from providers.workload.changing import Change, compare, effects_of

_SCALERS = frozenset({AUTOSCALERS.kind, POD_AUTOSCALERS.kind})


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
        pods_of=_pods_of if _scales_in_place(before, after) else _template_of,
    )
    change = Change(before=before, after=after, running=running)
    return effects_of(compared, change, target, capacity=capacity)


def _scaling_aside(manifest: Manifest) -> Manifest:
    if manifest["kind"] in _SCALERS:
        return {}
    if manifest["kind"] != STORM_SERVICES.kind:
        return manifest
    spec = {name: value for name, value in manifest["spec"].items() if name != "replicas"}
    return {**manifest, "spec": spec}


def _scales_in_place(before: DeployRequest, after: DeployRequest) -> bool:
    """Tell whether other numbers of roles restart nothing: not while the whole changes hands."""
    return before.scaling.has_autoscaler == after.scaling.has_autoscaler


def _template_of(workload: Manifest) -> Manifest:
    """Everything of a replica is replaced whole, when anything of it changes."""
    template: Manifest = workload["spec"]["template"]
    return template


def _pods_of(workload: Manifest) -> list[Manifest]:
    """Return the roles but for the numbers of their replicas (see scaling_roles.py)."""
    roles = _template_of(workload)["spec"]["roles"]
    return [{key: value for key, value in role.items() if key != "replicas"} for role in roles]

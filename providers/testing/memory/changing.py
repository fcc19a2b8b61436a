"""What a change of an in-memory deployment does."""

from providers.contract.capacity import Capacity
from providers.contract.changing import Effects, Running
from providers.contract.manifest import Manifest
from providers.contract.request import DeployRequest
from providers.contract.target import ClusterTarget
from providers.testing.memory.render import WORKLOAD, render
from providers.workload.changing import Change, compare, effects_of

_SCALING = frozenset({"replicas", "max_replicas", "autoscaled"})


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
        render(before), render(after), scaling_aside=_scaling_aside, pods_of=_pods_of
    )
    change = Change(before=before, after=after, running=running)
    return effects_of(compared, change, target, capacity=capacity)


def _scaling_aside(manifest: Manifest) -> Manifest:
    if manifest["kind"] != WORKLOAD:
        return manifest
    spec = {name: value for name, value in manifest["spec"].items() if name not in _SCALING}
    return {**manifest, "spec": spec}


def _pods_of(workload: Manifest) -> Manifest:
    pod: Manifest = workload["spec"]["pod"]
    return pod

"""What a change of a `kserve-inferenceservice` does: what of it is scaling, what its pods are.

Pure: two renderings are compared, nobody is asked.
"""

from providers.contract.capacity import Capacity
from providers.contract.changing import Effects, Running
from providers.contract.manifest import Manifest
from providers.contract.request import DeployRequest
from providers.contract.target import ClusterTarget
from providers.kserve.render import ANNOTATION_STOP, SCALING_FIELDS, render, templates_of
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
        pods_of=templates_of,
    )
    change = Change(before=before, after=after, running=running)
    return effects_of(compared, change, target, capacity=capacity)


def _scaling_aside(service: Manifest) -> Manifest:
    metadata, predictor = service["metadata"], service["spec"]["predictor"]
    told = {key: text for key, text in metadata["annotations"].items() if key != ANNOTATION_STOP}
    kept = {name: part for name, part in predictor.items() if name not in SCALING_FIELDS}
    return {
        **service,
        "metadata": {**metadata, "annotations": told},
        "spec": {**service["spec"], "predictor": kept},
    }

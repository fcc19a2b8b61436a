"""What a change of a deployment does, from two renderings: what of them is scaling, what its pods.

Pure: nobody is asked.
"""

from collections.abc import Callable, Sequence
from functools import partial

from providers.carrying.carrier import Carrier
from providers.contract.capacity import Capacity
from providers.contract.changing import Effects
from providers.contract.manifest import Manifest
from providers.contract.target import ClusterTarget
from providers.workload.changing import Change, compare, effects_of


def effects(
    carrier: Carrier,
    rendered: tuple[Sequence[Manifest], Sequence[Manifest]],
    change: Change,
    target: ClusterTarget,
    *,
    capacity: Capacity | None,
    pods_of: Callable[[Manifest], object] | None = None,
) -> Effects:
    """Return what an update from the first rendering to the second would do.

    `pods_of` returns what a workload makes its pods from: their templates, unless told.
    """
    before, after = rendered
    compared = compare(
        before,
        after,
        scaling_aside=partial(_scaling_aside, carrier),
        pods_of=pods_of or carrier.templates_of,
    )
    return effects_of(compared, change, target, capacity=capacity)


def _scaling_aside(carrier: Carrier, manifest: Manifest) -> Manifest:
    kind = manifest["kind"]
    if kind in {scaler.kind for scaler in carrier.autoscalers}:
        return {}
    return carrier.without_scaling(manifest) if kind == carrier.shape.kind else manifest

"""How a change replaces pods, decided once per revision from what the cluster has free.

Pure arithmetic over a count that the caller took; what a runtime makes of the decision is rendered
elsewhere.
"""

from providers.contract.capacity import Capacity
from providers.contract.request import Rollout
from providers.contract.template import Accelerator


def resolve_rollout(
    strategy: str, *, accelerator: Accelerator, capacity: Capacity | None
) -> Rollout:
    """Return what a template's strategy means here and now; only `auto` depends on the cluster.

    `auto` is surge where some node has accelerators free for one pod more, or where nobody knows,
    else replace: a surge without a spare set would wait for ever for the pod it wants to replace.
    """
    if strategy != "auto":
        return Rollout(strategy)
    free = _free_for_one_pod(accelerator, capacity)
    spare_is_missing = free is not None and free < accelerator.per_pod
    return Rollout.REPLACE if spare_is_missing else Rollout.SURGE


def _free_for_one_pod(accelerator: Accelerator, capacity: Capacity | None) -> int | None:
    if capacity is None or capacity.unknown_because or accelerator.is_cpu:
        return None
    counted = capacity.of_type(accelerator.type)
    return None if counted is None else counted.largest_free_on_one_node

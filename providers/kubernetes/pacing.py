"""Which rollout `auto` means: surge where a spare set of accelerators is free, else replace."""

from providers.contract.capacity import Capacity
from providers.contract.request import Rollout
from providers.contract.template import TemplateSpec


def resolve_strategy(spec: TemplateSpec, capacity: Capacity | None) -> Rollout:
    """Return the template's own strategy, or what fits what is free; unknown means surge."""
    if spec.rollout.strategy != "auto":
        return Rollout(spec.rollout.strategy)
    accelerator = spec.accelerator
    counted = None
    if capacity is not None and not capacity.unknown_because and not accelerator.is_cpu:
        counted = capacity.of_type(accelerator.type)
    if counted is None or counted.largest_free_on_one_node >= accelerator.per_pod:
        return Rollout.SURGE
    return Rollout.REPLACE

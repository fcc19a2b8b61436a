"""How long a version of a template usually takes to come up, learnt from what came up before."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from statistics import quantiles
from uuid import UUID

from deployments.models import LoadTime

# Fewer are told one by one: they do not say yet what is usual.
USUAL = 3


@dataclass(frozen=True, kw_only=True, slots=True)
class LoadTimes:
    """Seconds from node to first answer: four of five starts took `low` to `high`.

    Of fewer than three starts they are the shortest and the longest.
    """

    starts: int
    low: int
    high: int

    @property
    def is_usual(self) -> bool:
        """Tell whether there were enough starts to call it usual."""
        return self.starts >= USUAL


def load_times_of(templates: Collection[UUID]) -> Mapping[UUID, LoadTimes]:
    """Return what is known of templates, in one query; those that never came up are left out."""
    seconds: dict[UUID, list[int]] = defaultdict(list)
    rows = LoadTime.objects.filter(template_id__in=templates).newest().order_by()
    for template, took in rows.values_list("template_id", "seconds"):
        seconds[template].append(took)
    return {template: summed_up(found) for template, found in seconds.items()}


def summed_up(seconds: Collection[int]) -> LoadTimes:
    """Return one or more load times as one."""
    if len(seconds) < USUAL:
        return LoadTimes(starts=len(seconds), low=min(seconds), high=max(seconds))
    low, *_, high = quantiles(seconds, n=10, method="inclusive")
    return LoadTimes(starts=len(seconds), low=round(low), high=round(high))

"""What is free on each cluster, one line for each, as the frame of every page says it.

Reads rows and the counts that are stored in them; never asks a cluster.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

from console.web.shown.ages import age_in_words
from console.web.shown.clusters import ClusterLook, look_of
from deployments.models import Cluster
from deployments.services.capacity import stored_capacity
from providers.contract.capacity import Capacity


@dataclass(frozen=True, kw_only=True, slots=True)
class FreeShown:
    """One cluster: how much of what is free, and under it what qualifies that."""

    name: str
    free: str
    detail: str
    look: ClusterLook


def show_free(clusters: Iterable[Cluster], *, now: datetime) -> Iterator[FreeShown]:
    """Yield what the frame says of each cluster."""
    for cluster in clusters:
        look, counted = look_of(cluster, now=now), stored_capacity(cluster)
        yield FreeShown(
            name=cluster.name,
            free=_free(counted),
            detail=_detail(counted, age_in_words(cluster.capacity_at, now=now), look),
            look=look,
        )


def _free(counted: Capacity | None) -> str:
    if counted is None or counted.unknown_because:
        return "not counted"
    total = sum(one.total for one in counted.accelerators)
    return f"{sum(one.free for one in counted.accelerators)} of {total}" if total else "none"


def _detail(counted: Capacity | None, age: str, look: ClusterLook) -> str:
    """Say what was counted, or why that may not hold any more."""
    types = ", ".join(one.type for one in counted.accelerators) if counted else ""
    told = look.word if look.tone != "ok" else f"counted {age} ago" if counted and age else ""
    if types and told:
        return f"{types}, {told[0].lower()}{told[1:]}"
    return types or told

"""Replicas that several pods make up together: how many pods that takes, and which are whole."""

from collections import Counter
from collections.abc import Sequence

from providers.workload.bundle import Group, Workload
from providers.workload.objects import Pod


def size_of(workload: Workload | None) -> int:
    """Return how many pods make up a replica."""
    return workload.group.size if workload and workload.group else 1


def whole_replicas(group: Group | None, ready: Sequence[Pod]) -> int:
    """Return how many replicas are whole by the pods that are ready."""
    if group is None:
        return len(ready)
    counted = Counter(pod.labels.get(group.label) for pod in ready)
    return sum(number >= group.size for number in counted.values())

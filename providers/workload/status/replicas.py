"""Replicas that several pods make up together: how many pods that takes, and which are whole."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from providers.workload.bundle import Group, Workload
from providers.workload.objects import Pod


def size_of(workload: Workload | None) -> int:
    """Return how many pods make up a replica."""
    return workload.group.size if workload and workload.group else 1


def whole_replicas(group: Group | None, ready: Sequence[Pod]) -> int:
    """Return how many replicas are whole: every role of them has its pods among the ready."""
    if group is None:
        return len(ready)
    counted = _roles_by_replica(group, ready).values()
    return sum(_has_all(found, group.roles) for found in counted)


def serving_replicas(group: Group | None, serving: Sequence[Pod]) -> int:
    """Return how many are whole as they are to be, or as they were made up before a change."""
    if group is None:
        return len(serving)
    return sum(
        _has_all(found, group.roles) or _has_all(found, group.otherwise.get(replica, group.roles))
        for replica, found in _roles_by_replica(group, serving).items()
    )


def missing_pods(workload: Workload | None, made: Sequence[Pod], replicas: int) -> int:
    """Return how many pods that many replicas lack; those too many of a role fill no other."""
    group = workload.group if workload else None
    if group is None:
        return max(0, replicas - len(made))
    roles = Counter(_role_of(pod, group) for pod in made)
    return sum(max(0, number * replicas - roles[role]) for role, number in group.roles.items())


def _has_all(found: Counter[str], roles: Mapping[str, int]) -> bool:
    return all(found[role] >= number for role, number in roles.items())


def _roles_by_replica(group: Group, pods: Iterable[Pod]) -> Mapping[str, Counter[str]]:
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for pod in pods:
        found[pod.labels.get(group.label) or ""][_role_of(pod, group)] += 1
    return found


def _role_of(pod: Pod, group: Group) -> str:
    return pod.labels.get(group.role_label) or ""

"""How a change replaces pods: what `auto` means on a cluster, and rolling updates in whole pods.

Pure arithmetic over a count that the caller took. Pods are counted as the Deployment controller
does: a surge in percent rounds up, unavailable pods in percent round down, and both at zero would
never move, so one pod may then be unavailable.
"""

import math
from dataclasses import dataclass

from providers.contract.capacity import Capacity
from providers.contract.manifest import Manifest
from providers.contract.request import Rollout
from providers.contract.template import Accelerator


@dataclass(frozen=True, kw_only=True, slots=True)
class RollingPods:
    """Pods of one rolling update: how many beyond the wanted number, how many short of it."""

    replicas: int
    surge: int
    unavailable: int

    @property
    def most(self) -> int:
        """Return the most pods at a time, those that still terminate not counted."""
        return self.replicas + self.surge

    @property
    def fewest_ready(self) -> int:
        """Return how many stay ready throughout."""
        return max(0, self.replicas - self.unavailable)


def resolve_rollout(
    strategy: str,
    *,
    accelerator: Accelerator,
    capacity: Capacity | None,
    quota_left: int | None = None,
) -> Rollout:
    """Return what a template's strategy means here and now; only `auto` depends on the cluster.

    `auto` is surge where some node has accelerators free for one pod more, or where nobody knows,
    else replace: a surge without a spare set would wait for ever for the pod it wants to replace.
    `quota_left` is what the tightest quota leaves of them, None where none counts them.
    """
    if strategy != "auto":
        return Rollout(strategy)
    bounds = (_free_for_one_pod(accelerator, capacity), quota_left)
    spare_is_missing = any(free is not None and free < accelerator.per_pod for free in bounds)
    return Rollout.REPLACE if spare_is_missing else Rollout.SURGE


def rolling_pods(
    replicas: int, *, max_surge: int | str = "25%", max_unavailable: int | str = "25%"
) -> RollingPods:
    """Return the whole pods of `maxSurge` and `maxUnavailable`, 25% each unless given.

    Raises ValueError for both at zero, which the API server refuses: such a rollout cannot move.
    """
    if not _share(max_surge, 100) and not _share(max_unavailable, 100):
        raise ValueError("maxSurge and maxUnavailable must not both be 0: no pod could be replaced")
    surge = math.ceil(_share(max_surge, replicas))
    unavailable = math.floor(_share(max_unavailable, replicas))
    if not surge and not unavailable:
        unavailable = 1
    return RollingPods(replicas=replicas, surge=surge, unavailable=unavailable)


def deployment_strategy(rollout: Rollout) -> Manifest:
    """Return the `strategy` of a Deployment, in whole pods whatever the number of replicas."""
    if rollout is Rollout.RECREATE:
        return {"type": "Recreate"}
    surge, unavailable = _whole_pods(rollout)
    rolling = {"maxSurge": surge, "maxUnavailable": unavailable}
    return {"type": "RollingUpdate", "rollingUpdate": rolling}


def replaced_pods(rollout: Rollout, replicas: int) -> RollingPods:
    """Return the pods of a change by that strategy as `deployment_strategy` renders it."""
    if rollout is Rollout.RECREATE:
        return RollingPods(replicas=replicas, surge=0, unavailable=replicas)
    surge, unavailable = _whole_pods(rollout)
    return rolling_pods(replicas, max_surge=surge, max_unavailable=unavailable)


def _whole_pods(rollout: Rollout) -> tuple[int, int]:
    """Return `maxSurge` and `maxUnavailable`."""
    return (1, 0) if rollout is Rollout.SURGE else (0, 1)


def _free_for_one_pod(accelerator: Accelerator, capacity: Capacity | None) -> int | None:
    if capacity is None or capacity.unknown_because or accelerator.is_cpu:
        return None
    counted = capacity.of_type(accelerator.type)
    return None if counted is None else counted.largest_free_on_one_node


def _share(value: int | str, replicas: int) -> float:
    """Return a number of pods, or a percentage of them; the division comes last to stay exact."""
    if isinstance(value, int):
        return value
    return int(value.removesuffix("%")) * replicas / 100 if value.endswith("%") else int(value)

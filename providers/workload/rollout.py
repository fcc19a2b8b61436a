"""Rolling updates in whole pods, as the Deployment controller counts them.

A surge in percent rounds up, unavailable pods in percent round down, and both at zero would never
move, so one pod may then be unavailable.
"""

import math
from dataclasses import dataclass

from providers.contract.manifest import Manifest
from providers.contract.request import Rollout


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


def rolling_pods(
    replicas: int, *, max_surge: int | str = "25%", max_unavailable: int | str = "25%"
) -> RollingPods:
    """Return the whole pods of `maxSurge` and `maxUnavailable`, 25% each unless given."""
    surge = math.ceil(_share(max_surge, replicas))
    unavailable = math.floor(_share(max_unavailable, replicas))
    if not surge and not unavailable:
        unavailable = 1
    return RollingPods(replicas=replicas, surge=surge, unavailable=unavailable)


def deployment_strategy(rollout: Rollout) -> Manifest:
    """Return the `strategy` of a Deployment, in whole pods whatever the number of replicas."""
    if rollout is Rollout.RECREATE:
        return {"type": "Recreate"}
    surge, unavailable = (1, 0) if rollout is Rollout.SURGE else (0, 1)
    rolling = {"maxSurge": surge, "maxUnavailable": unavailable}
    return {"type": "RollingUpdate", "rollingUpdate": rolling}


def _share(value: int | str, replicas: int) -> float:
    """Return a number of pods, or a percentage of them; the division comes last to stay exact."""
    if isinstance(value, int):
        return value
    return int(value.removesuffix("%")) * replicas / 100 if value.endswith("%") else int(value)

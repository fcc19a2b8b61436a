"""What a change of a deployment would do, told before it is confirmed.

Facts and whole numbers only: the sentence about them is for pages and API. Pure, like all here.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from providers.contract.manifest import ObjectKey
from providers.contract.request import Rollout
from providers.contract.status import Status


class Writes(StrEnum):
    """What a change writes: scaling alone is a number of replicas or the autoscaler."""

    NOTHING = "nothing"
    SCALING = "scaling"
    OBJECTS = "objects"


class Fit(StrEnum):
    """Whether a change finds the accelerators it needs; `unknown` where the count cannot tell."""

    FITS = "fits"
    SHORT = "short"
    UNKNOWN = "unknown"


@dataclass(frozen=True, kw_only=True, slots=True)
class Running:
    """What runs now: replicas that are wanted, and those among them of an earlier revision.

    `outdated` is above 0 only while a rollout is on its way: those it still has to replace.
    """

    replicas: int
    outdated: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class Spare:
    """Accelerators of one type that a change needs beside those that are in use now.

    `pods` must find a place while all that runs still holds its own, each of them `per_pod` on one
    node; `accelerators` is the most that the whole change takes beside what runs. `free` and
    `largest_free_on_one_node` are None where nobody has counted; `quota_left` is what the tightest
    quota of the namespace leaves, None where no quota counts them.
    """

    type: str
    per_pod: int
    pods: int
    accelerators: int
    free: int | None = None
    largest_free_on_one_node: int | None = None
    quota_left: int | None = None
    fit: Fit = Fit.UNKNOWN

    def as_dict(self) -> dict[str, str | int | None]:
        """Return the JSON form that the API answers."""
        return {
            "type": self.type,
            "per_pod": self.per_pod,
            "pods": self.pods,
            "accelerators": self.accelerators,
            "free": self.free,
            "largest_free_on_one_node": self.largest_free_on_one_node,
            "quota_left": self.quota_left,
            "fit": self.fit.value,
        }


@dataclass(frozen=True, kw_only=True, slots=True)
class Effects:
    """What a change does to what runs, all of it in whole pods.

    `objects` are written anew or made, `removed` are deleted. `replaces_pods` tells that new pods
    differ from those that run, even where none runs now; `restarts` counts running ones that are
    replaced. `surge` and `unavailable` are pods beyond and short of `replicas_after` meanwhile, as
    the runtime computes them; both are 0 where no pod is replaced, unless all are (`recreate`).
    `fewest_ready` is how many of the pods that are ready now or become so stay ready throughout.
    `spare` is empty where nothing more is asked for, and holds one entry for each type.
    """

    writes: Writes
    rollout: Rollout
    replicas_before: int
    replicas_after: int
    fewest_ready: int
    objects: tuple[ObjectKey, ...] = ()
    removed: tuple[ObjectKey, ...] = ()
    replaces_pods: bool = False
    restarts: int = 0
    surge: int = 0
    unavailable: int = 0
    spare: tuple[Spare, ...] = ()

    @property
    def has_downtime(self) -> bool:
        """Tell whether, of a deployment that goes on running, no replica is ready meanwhile."""
        return bool(self.restarts and self.replicas_after and not self.fewest_ready)

    @property
    def fit(self) -> Fit:
        """Return the worst of all types: short before unknown before fits."""
        found = {spare.fit for spare in self.spare}
        return next((fit for fit in (Fit.SHORT, Fit.UNKNOWN) if fit in found), Fit.FITS)

    def as_dict(self) -> Mapping[str, object]:
        """Return the JSON form that the API answers."""
        return {
            "writes": self.writes.value,
            "objects": [str(key) for key in self.objects],
            "removed": [str(key) for key in self.removed],
            "replaces_pods": self.replaces_pods,
            "restarts": self.restarts,
            "rollout": self.rollout.value,
            "surge": self.surge,
            "unavailable": self.unavailable,
            "replicas_before": self.replicas_before,
            "replicas_after": self.replicas_after,
            "fewest_ready": self.fewest_ready,
            "has_downtime": self.has_downtime,
            "fit": self.fit.value,
            "spare": [spare.as_dict() for spare in self.spare],
        }


def running_as_seen(status: Status | None) -> Running:
    """Return what runs by the last status: ready pods of an earlier revision are outdated."""
    if status is None:
        return Running(replicas=0)
    outdated = max(0, status.available_replicas - status.ready_replicas)
    return Running(replicas=status.desired_replicas, outdated=outdated)

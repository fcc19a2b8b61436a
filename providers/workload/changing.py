"""What a change does to what runs: two renderings compared, and pods counted meanwhile.

Pure. A kind says what of its objects is scaling and what its pods are made from; how pods are
counted on the way from one to the other is the same for all.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from providers.contract.capacity import Capacity
from providers.contract.changing import Effects, Running, Writes
from providers.contract.manifest import Manifest, ObjectKey, key_of
from providers.contract.overrides import Scaling
from providers.contract.request import DeployRequest
from providers.contract.target import ClusterTarget
from providers.workload.labels import (
    ANNOTATION_DIGEST,
    ANNOTATION_LAUNCH,
    ANNOTATION_REVISION,
    body_digest,
)
from providers.workload.rollout import RollingPods, replaced_pods
from providers.workload.spare import Needs, spare_for

_TOLD = frozenset({ANNOTATION_REVISION, ANNOTATION_DIGEST, ANNOTATION_LAUNCH})

Objects = Sequence[Manifest]


@dataclass(frozen=True, kw_only=True, slots=True)
class Change:
    """Two requests of one deployment, and what runs of the first."""

    before: DeployRequest
    after: DeployRequest
    running: Running

    @property
    def replicas_after(self) -> int:
        """Return how many replicas there are in the end, as long as no autoscaler moves them."""
        return replicas_from(
            self.running.replicas, self.after.scaling, resume_at=self.after.resume_at
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class Compared:
    """What differs between two renderings: objects to write, to remove, and pods to replace."""

    writes: Writes
    objects: tuple[ObjectKey, ...]
    removed: tuple[ObjectKey, ...]
    replaces_pods: bool


def replicas_from(running: int, scaling: Scaling, *, resume_at: int = 0) -> int:
    """Return where a change of scaling begins: what runs, brought within the wanted range.

    From 0 an autoscaled deployment starts with its fewest, or with `resume_at` where that is more.
    """
    if not scaling.has_autoscaler:
        return scaling.min_replicas
    return min(max(running or resume_at, scaling.min_replicas), scaling.max_replicas)


def compare(
    before: Objects,
    after: Objects,
    *,
    scaling_aside: Callable[[Manifest], Manifest],
    pods_of: Callable[[Manifest], object],
) -> Compared:
    """Compare two renderings, the workload first in each.

    `scaling_aside` returns what of an object is no scaling, nothing for an autoscaler; `pods_of`
    what a workload makes its pods from.
    """
    old, new = _by_key(before), _by_key(after)
    return Compared(
        writes=_writes(old, new, scaling_aside),
        objects=tuple(key for key, found in new.items() if _digest(found) != _digest(old.get(key))),
        removed=tuple(key for key in old if key not in new),
        replaces_pods=pods_of(before[0]) != pods_of(after[0]),
    )


def effects_of(
    compared: Compared, change: Change, target: ClusterTarget, *, capacity: Capacity | None
) -> Effects:
    """Return what a change does, in whole pods and whole accelerators."""
    running, wanted = change.running, change.replicas_after
    restarts = min(running.replicas if compared.replaces_pods else running.outdated, wanted)
    pods = replaced_pods(change.after.rollout, wanted) if restarts else _unreplaced(wanted)
    needs = Needs(before=change.before, after=change.after, held=running.replicas, pods=pods)
    return Effects(
        writes=compared.writes,
        objects=compared.objects,
        removed=compared.removed,
        replaces_pods=compared.replaces_pods,
        restarts=restarts,
        rollout=change.after.rollout,
        surge=pods.surge,
        unavailable=pods.unavailable,
        replicas_before=running.replicas,
        replicas_after=wanted,
        fewest_ready=min(running.replicas, pods.fewest_ready),
        spare=spare_for(needs, target, capacity=capacity),
    )


def _unreplaced(replicas: int) -> RollingPods:
    return RollingPods(replicas=replicas, surge=0, unavailable=0)


def _writes(
    old: Mapping[ObjectKey, Manifest],
    new: Mapping[ObjectKey, Manifest],
    scaling_aside: Callable[[Manifest], Manifest],
) -> Writes:
    bodies = [{key: _body(found) for key, found in side.items()} for side in (old, new)]
    if bodies[0] == bodies[1]:
        return Writes.NOTHING
    rests = [
        {key: rest for key, body in side.items() if (rest := scaling_aside(body))}
        for side in bodies
    ]
    return Writes.SCALING if rests[0] == rests[1] else Writes.OBJECTS


def _by_key(manifests: Objects) -> dict[ObjectKey, Manifest]:
    return {key_of(manifest): manifest for manifest in manifests}


def _body(manifest: Manifest) -> Manifest:
    """Return an object without what it only says of itself: nothing acts on that."""
    metadata = manifest["metadata"]
    annotations = metadata.get("annotations") or {}
    kept = {key: text for key, text in annotations.items() if key not in _TOLD}
    return {**manifest, "metadata": {**metadata, "annotations": kept}}


def _digest(manifest: Manifest | None) -> str:
    """Return what an object says of its own body, and says by it where it bears no digest."""
    if manifest is None:
        return ""
    annotations = manifest["metadata"].get("annotations") or {}
    return str(annotations.get(ANNOTATION_DIGEST) or body_digest(manifest))

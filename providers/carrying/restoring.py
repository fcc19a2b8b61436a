"""Puts back what others changed on a workload and what stands beside it.

What others added is made ours first, which changes nothing but who holds it. Then our manifest is
applied with force: that takes every field that it names, and drops those that it no longer names,
in one write, so that pods are replaced once. A number of replicas that an autoscaler holds is never
written; only one that was set to 0, which it leaves alone, is raised.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import partial

from providers.carrying.carrier import Carrier
from providers.carrying.comparing import Compared, Pair, drift_in, read_pairs
from providers.carrying.handover import claim_for_scaling
from providers.carrying.parts import owned_by, replicas_of, scale_stub
from providers.contract.drifting import DriftedField, DriftKind, PutBack
from providers.contract.errors import InvalidRequest, Rejected, Unavailable
from providers.contract.manifest import Manifest
from providers.contract.protocols import Deadline
from providers.contract.request import DeploymentRef
from providers.contract.target import ClusterTarget
from providers.kube.apply import (
    MANAGER,
    SCALE_MANAGER,
    apply_object,
    managers_of,
    rehearse_object,
)
from providers.kube.bounded import run_all
from providers.kube.client import KubeClient, client_for
from providers.kube.identity import require_same_cluster
from providers.kube.patching import patch_object
from providers.workload.drifting.claiming import claimed
from providers.workload.drifting.comparing import differences_of, unheld_beside
from providers.workload.drifting.paths import Path

_TRIES = 20  # every change of an object's status makes it newer, too: many in a rollout


@dataclass(frozen=True, kw_only=True, slots=True)
class Repair:
    """What is written on one object: its manifest, and what of it others added.

    `unheld` nobody holds, so that it is left alone unless ours is refused beside it. `least` is the
    number of replicas that an autoscaler begins with, 0 where there is none.
    """

    manifest: Manifest
    live: Manifest | None
    added: tuple[Path, ...] = ()
    unheld: tuple[Path, ...] = ()
    least: int = 0


def put_back(
    carrier: Carrier,
    manifests: Sequence[Manifest],
    ref: DeploymentRef,
    target: ClusterTarget,
    *,
    seen: Collection[str],
    deadline: Deadline,
) -> PutBack:
    """Write our values of all that can be put back."""
    client = client_for(target, deadline=deadline)
    require_same_cluster(client, target, deadline=deadline)
    done: dict[str, DriftedField] = {}
    for _ in range(_TRIES):
        compared = read_pairs(client, carrier, manifests, ref, deadline=deadline)
        found = drift_in(compared, ref).fields
        chosen = [one for one in found if one.can_be_put_back]
        _require_seen(chosen, seen)
        done |= {one.name: one for one in chosen}
        if _repair(client, _repairs(carrier, compared, chosen, ref), deadline):
            left = tuple(one for one in found if not one.can_be_put_back)
            return PutBack(fields=tuple(done.values()), left=left)
    raise Unavailable("the objects kept changing while they were put back", code="Busy")


def _require_seen(chosen: Sequence[DriftedField], seen: Collection[str]) -> None:
    unseen = [one for one in chosen if one.fingerprint not in seen]
    if unseen:
        raise Rejected(
            f"{unseen[0].key} {unseen[0].path} was changed since you looked; look again",
            code="DriftChanged",
        )


def _repairs(
    carrier: Carrier, compared: Compared, chosen: Sequence[DriftedField], ref: DeploymentRef
) -> list[Repair]:
    keys = {one.key for one in chosen}
    first, *companions = compared.pairs
    if first.live is None:
        return []
    repairs = [
        _repair_of(pair, owned_by(pair.manifest, first.live))
        for pair in companions
        if pair.key in keys
    ]
    if first.key not in keys:
        return repairs
    if not carrier.is_scaled:
        return [_repair_of(first, first.manifest), *repairs]
    return [_repair_of_scaled(first, first.live, compared, ref), *repairs]


def _repair_of(pair: Pair, manifest: Manifest, *, least: int = 0) -> Repair:
    """Return what is written on an object, and where others put something of their own."""
    if pair.live is None:
        return Repair(manifest=manifest, live=None)
    found = differences_of(pair.manifest, pair.live)
    return Repair(
        manifest=manifest,
        live=pair.live,
        added=tuple(one.path for one in found if one.kind is DriftKind.ADDED),
        unheld=unheld_beside(pair.manifest, pair.live),
        least=least,
    )


def _repair_of_scaled(pair: Pair, live: Manifest, compared: Compared, ref: DeploymentRef) -> Repair:
    """Return what is written on the workload, whose number of replicas others may hold."""
    spec = pair.manifest["spec"]
    if "replicas" not in spec:
        return _repair_of(pair, pair.manifest, least=ref.scaling.min_replicas)
    number = replicas_of(live) if compared.strays else spec["replicas"]
    return _repair_of(pair, {**pair.manifest, "spec": {**spec, "replicas": number}})


def _repair(client: KubeClient, repairs: Sequence[Repair], deadline: Deadline) -> bool:
    """Write every repair, and where ours is refused beside what nobody holds, without that."""
    try:
        return _repair_all(client, repairs, deadline)
    except InvalidRequest:
        if not any(one.unheld for one in repairs):
            raise
    wider = [replace(one, added=(*one.added, *one.unheld)) for one in repairs]
    return _repair_all(client, wider, deadline)


def _repair_all(client: KubeClient, repairs: Sequence[Repair], deadline: Deadline) -> bool:
    """Write every repair; False when an object was written by others since it was read.

    All is rehearsed, so that a refusal comes before the first write of a value: beside what others
    added one of ours may be refused, so there the rehearsal is of what drops it.
    """
    _rehearse(client, [one for one in repairs if not one.added], deadline)
    claims = [one for one in repairs if one.added]
    if not all(_claim(client, one, deadline) for one in claims):
        return False
    _rehearse(client, claims, deadline)
    for repair in repairs:
        _write(client, repair, deadline)
    return True


def _rehearse(client: KubeClient, repairs: Sequence[Repair], deadline: Deadline) -> None:
    run_all(
        client.threads,
        [partial(rehearse_object, client, one.manifest, deadline=deadline) for one in repairs],
    )


def _claim(client: KubeClient, repair: Repair, deadline: Deadline) -> bool:
    """Make ours what others added; False where the object is a newer one by now."""
    if repair.live is None:
        return True
    held = claimed(repair.live, repair.added, manager=MANAGER)
    if held == repair.live["metadata"].get("managedFields"):
        return True
    changes: Manifest = {"metadata": {"managedFields": held}}
    return patch_object(client, repair.live, changes, deadline=deadline)


def _write(client: KubeClient, repair: Repair, deadline: Deadline) -> None:
    if repair.least and repair.live is not None:
        _apply_autoscaled(client, repair, repair.live, deadline)
    else:
        apply_object(client, repair.manifest, deadline=deadline)


def _apply_autoscaled(
    client: KubeClient, repair: Repair, live: Manifest, deadline: Deadline
) -> None:
    """Apply without a number: the second manager holds it first where we alone do."""
    number = replicas_of(live)
    if number and MANAGER in managers_of(live, "spec", "replicas"):
        claim_for_scaling(client, live, number, deadline=deadline)
    apply_object(client, repair.manifest, deadline=deadline)
    if not number:
        stub = scale_stub(live, repair.least)
        apply_object(client, stub, manager=SCALE_MANAGER, deadline=deadline)

"""Who holds the number of replicas, and how it changes hands without a replica ever being dropped.

Server-side apply resets a field that its only holder leaves out (replicas to 1), and an autoscaler
that never wrote holds nothing. So the number is handed over through a second field manager,
`slipway-scale`, in an order that was measured on a real control plane:

fixed to autoscaled: slipway-scale takes the live number, slipway lets go, the autoscaler comes;
one kind of autoscaler to another: the first goes, slipway-scale takes the live number, the other
comes;
autoscaled to fixed: the autoscaler goes, slipway takes the live number, slipway-scale lets go, and
only then is the number changed, as a step of its own.

A way that is broken off between two steps is harmless: both hold the same number, or one does.
"""

from dataclasses import dataclass

from providers.carrying.parts import (
    Live,
    Parts,
    at_replicas,
    is_current,
    replicas_of,
    scale_stub,
    uid_of,
)
from providers.contract.errors import Unavailable
from providers.contract.manifest import Manifest, key_of
from providers.contract.protocols import Deadline
from providers.kube.apply import (
    MANAGER,
    SCALE_MANAGER,
    FieldConflict,
    Written,
    apply_object,
    delete_object,
    managers_of,
    offer_object,
    wait_until_gone,
)
from providers.kube.client import KubeClient
from providers.kube.lists import read_object
from providers.kube.resources import resource_of

_TRIES = 5
_REPLICAS = ".spec.replicas"


@dataclass(frozen=True, kw_only=True, slots=True)
class Handover:
    """One change of a workload that is there already."""

    client: KubeClient
    parts: Parts
    live: Live
    least: int
    deadline: Deadline


def bring_to(way: Handover) -> Manifest:
    """Bring an existing workload to what was rendered; returns it as it stands then."""
    if way.parts.autoscaler is not None:
        return _to_autoscaled(way)
    return _to_fixed(way)


def claim_for_scaling(
    client: KubeClient, workload: Manifest, replicas: int, *, deadline: Deadline
) -> Manifest:
    """Let the second manager hold the number of a workload that was made without one."""
    return offer_object(
        client, scale_stub(workload, replicas), manager=SCALE_MANAGER, deadline=deadline
    ).body


def _to_autoscaled(way: Handover) -> Manifest:
    live = _existing(way.live)
    if _has_another_kind(way):
        _remove_autoscaler(way)
        live = _hand_to_scale(way, _read_again(way))
    elif way.live.autoscaler is None or MANAGER in managers_of(live, "spec", "replicas"):
        live = _hand_to_scale(way, live)
    if not is_current(live, way.parts.workload):
        live = apply_object(way.client, way.parts.workload, deadline=way.deadline).body
    return _raise_to_least(way, live)


def _has_another_kind(way: Handover) -> bool:
    """Tell whether an autoscaler of another kind acts so far: beside it the new one would not."""
    found, wanted = way.live.autoscaler, way.parts.autoscaler
    return found is not None and wanted is not None and found["kind"] != wanted["kind"]


def _raise_to_least(way: Handover, live: Manifest) -> Manifest:
    """Start a stopped workload: an autoscaler leaves 0 alone, whoever set it."""
    present = replicas_of(live)
    if present >= way.least or (present and way.live.autoscaler is not None):
        return live
    stub = scale_stub(live, way.least)
    return apply_object(way.client, stub, manager=SCALE_MANAGER, deadline=way.deadline).body


def _hand_to_scale(way: Handover, live: Manifest) -> Manifest:
    for _ in range(_TRIES):
        try:
            return claim_for_scaling(way.client, live, replicas_of(live), deadline=way.deadline)
        except FieldConflict:
            live = _read_again(way)
    raise Unavailable("the number of replicas kept changing while it was handed over", code="Busy")


def _to_fixed(way: Handover) -> Manifest:
    live = _existing(way.live)
    if way.live.autoscaler is not None:
        _remove_autoscaler(way)
        live = _read_again(way)
    if MANAGER not in managers_of(live, "spec", "replicas"):
        live = _take_back(way, live)
    wanted = way.parts.workload
    if is_current(live, wanted) and replicas_of(live) == wanted["spec"]["replicas"]:
        return live
    return apply_object(way.client, wanted, deadline=way.deadline).body


def _remove_autoscaler(way: Handover) -> None:
    found = way.live.autoscaler
    if found is None:
        return
    key, uid = key_of(found), uid_of(found)
    delete_object(way.client, key, uid=uid, deadline=way.deadline, propagation="Background")
    wait_until_gone(way.client, resource_of(key), key, uid=uid, deadline=way.deadline)


def _take_back(way: Handover, live: Manifest) -> Manifest:
    for _ in range(_TRIES):
        step = at_replicas(way.parts.workload, replicas_of(live))
        try:
            shared = _share(way, step).body
        except FieldConflict:
            live = _read_again(way)
            continue
        return _without_scale_manager(way, shared)
    raise Unavailable("the number of replicas kept changing while it was taken back", code="Busy")


def _without_scale_manager(way: Handover, live: Manifest) -> Manifest:
    if SCALE_MANAGER not in managers_of(live, "spec", "replicas"):
        return live
    stub = scale_stub(live, None)
    return apply_object(way.client, stub, manager=SCALE_MANAGER, deadline=way.deadline).body


def _share(way: Handover, step: Manifest) -> Written:
    """Apply without force, so that a number that moved meanwhile is not overwritten.

    A conflict about anything else is somebody's change of what we render: that is taken back.
    """
    try:
        return offer_object(way.client, step, deadline=way.deadline)
    except FieldConflict as conflict:
        if not conflict.fields or _REPLICAS in conflict.fields:
            raise
    return apply_object(way.client, step, deadline=way.deadline)


def _read_again(way: Handover) -> Manifest:
    key = key_of(way.parts.workload)
    found = read_object(
        way.client, resource_of(key), key.name, key.namespace, deadline=way.deadline
    )
    if found is None:
        raise Unavailable(f"{key} was removed while it was being changed", code="Conflict")
    return found


def _existing(live: Live) -> Manifest:
    if live.workload is None:
        raise ValueError("a hand-over needs a workload that is there")
    return live.workload

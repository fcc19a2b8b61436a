"""Create and update: writes in the order that never drops a replica, undone when refused half-way.

Both come down to the same: read what is there, write what differs. A create that finds its own
half-done work finishes it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from providers.carrying.carrier import Carrier
from providers.carrying.handover import Handover, bring_to, claim_for_scaling
from providers.carrying.namespaces import ensure_namespace
from providers.carrying.parts import (
    Live,
    Parts,
    at_replicas,
    is_current,
    owned_by,
    parts_of,
    read_live,
    uid_of,
)
from providers.carrying.rivals import refuse_second_autoscaler
from providers.carrying.undoing import Made, undo, with_left_behind
from providers.contract.errors import InvalidRequest, NotInstalled, Rejected
from providers.contract.manifest import Manifest, digest_of, key_of
from providers.contract.protocols import Applied, Deadline
from providers.contract.request import DeployRequest
from providers.contract.target import ClusterTarget
from providers.kube.apply import Written, apply_object, rehearse_object
from providers.kube.bounded import run_all
from providers.kube.client import KubeClient, client_for
from providers.kube.identity import require_same_cluster
from providers.workload.changing import replicas_from


@dataclass(frozen=True, kw_only=True, slots=True)
class Order:
    """One create or update on its way; `made` grows with what this call creates."""

    client: KubeClient
    carrier: Carrier
    request: DeployRequest
    parts: Parts
    deadline: Deadline
    made: Made


def create(
    carrier: Carrier,
    manifests: Sequence[Manifest],
    request: DeployRequest,
    target: ClusterTarget,
    *,
    deadline: Deadline,
) -> Applied:
    """Apply everything, or undo what this call made and say why."""
    order = _order(carrier, manifests, request, target, deadline)
    try:
        order.made.namespace = ensure_namespace(order.client, request, target, deadline=deadline)
        live = read_live(order.client, carrier, order.parts, deadline=deadline)
        return _apply_all(order, live)
    except (Rejected, InvalidRequest, NotInstalled) as error:
        left = undo(order.client, order.made, deadline=deadline)
        if not left:
            raise
        raise with_left_behind(error, left) from error


def update(
    carrier: Carrier,
    manifests: Sequence[Manifest],
    request: DeployRequest,
    target: ClusterTarget,
    *,
    deadline: Deadline,
) -> Applied:
    """Bring what runs to the request; every write is rehearsed first, since none is undone.

    Raises Rejected where the workload is gone, or would get a second autoscaler.
    """
    order = _order(carrier, manifests, request, target, deadline)
    live = read_live(order.client, carrier, order.parts, deadline=deadline)
    _refuse_removed(order.parts, live)
    refuse_second_autoscaler(order.client, carrier, order.parts, live, deadline=deadline)
    _rehearse(order, live)
    return _apply_all(order, live)


def _refuse_removed(parts: Parts, live: Live) -> None:
    """Raise Rejected for what somebody has removed: whoever did may have meant it."""
    if live.workload is None:
        text = "was removed outside of Slipway; apply it again or close it"
        raise Rejected(f"{key_of(parts.workload)} {text}", code="RemovedOutside")


def _order(
    carrier: Carrier,
    manifests: Sequence[Manifest],
    request: DeployRequest,
    target: ClusterTarget,
    deadline: Deadline,
) -> Order:
    client = client_for(target, deadline=deadline)
    require_same_cluster(client, target, deadline=deadline)
    return Order(
        client=client,
        carrier=carrier,
        request=request,
        parts=parts_of(carrier, manifests),
        deadline=deadline,
        made=Made(kinds=(carrier.workload.resource,)),
    )


def _rehearse(order: Order, live: Live) -> None:
    changed = [manifest for manifest, _ in _pairs(order.parts, live)]
    run_all(
        order.client.threads,
        [partial(rehearse_object, order.client, m, deadline=order.deadline) for m in changed],
    )


def _pairs(parts: Parts, live: Live) -> list[tuple[Manifest, Manifest | None]]:
    """Return each rendered object that differs from what is there, beside that."""
    pairs = [(parts.workload, live.workload), *_companions(parts, live)]
    return [(wanted, found) for wanted, found in pairs if not is_current(found, wanted)]


def _companions(parts: Parts, live: Live) -> list[tuple[Manifest, Manifest | None]]:
    beside = ((parts.service, live.service), (parts.autoscaler, live.autoscaler))
    return [(wanted, found) for wanted, found in beside if wanted is not None]


def _apply_all(order: Order, live: Live) -> Applied:
    workload, warnings = _apply_workload(order, live)
    owned = [
        (owned_by(wanted, workload), found) for wanted, found in _companions(order.parts, live)
    ]
    stale = [wanted for wanted, found in owned if not is_current(found, wanted)]
    written = run_all(order.client.threads, [partial(_write, order, m) for m in stale])
    warnings += tuple(text for one in written for text in one.warnings)
    return Applied(
        workload_uid=uid_of(workload),
        pod_digest=_pod_digest(order),
        objects=order.parts.keys,
        warnings=tuple(dict.fromkeys(warnings)),
    )


def _pod_digest(order: Order) -> str:
    """Return a digest of the templates, each once: to have more pods of one makes none anew."""
    templates = order.carrier.templates_of(order.parts.workload)
    once = list({digest_of(one): one for one in templates}.values())
    return digest_of(once[0] if len(once) == 1 else once)


def _apply_workload(order: Order, live: Live) -> tuple[Manifest, tuple[str, ...]]:
    if live.workload is not None and order.carrier.is_scaled:
        return bring_to(_handover(order, live)), ()
    if live.workload is not None and is_current(live.workload, order.parts.workload):
        return live.workload, ()
    if order.parts.autoscaler is None or not order.carrier.is_scaled:
        written = _write(order, order.parts.workload)
        return written.body, written.warnings
    return _make_autoscaled(order)


def _make_autoscaled(order: Order) -> tuple[Manifest, tuple[str, ...]]:
    """Make a workload whose number the autoscaler will hold: until then the second manager does."""
    wanted, least = order.parts.workload, _least(order)
    written = _write(order, at_replicas(wanted, least) if order.carrier.needs_number else wanted)
    claimed = claim_for_scaling(order.client, written.body, least, deadline=order.deadline)
    if order.carrier.needs_number:
        claimed = apply_object(order.client, wanted, deadline=order.deadline).body
    return claimed, written.warnings


def _handover(order: Order, live: Live) -> Handover:
    return Handover(
        client=order.client,
        parts=order.parts,
        live=live,
        least=_least(order),
        deadline=order.deadline,
    )


def _least(order: Order) -> int:
    return replicas_from(0, order.request.scaling, resume_at=order.request.resume_at)


def _write(order: Order, manifest: Manifest) -> Written:
    return order.made.note(apply_object(order.client, manifest, deadline=order.deadline))

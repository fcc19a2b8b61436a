"""Create and update: writes in the order that never drops a replica, undone when refused half-way.

Both come down to the same: read what is there, write what differs. A create that finds its own
half-done work finishes it.
"""

from dataclasses import dataclass
from functools import partial

from providers.contract.errors import InvalidRequest, NotInstalled, Rejected
from providers.contract.manifest import Manifest, digest_of
from providers.contract.protocols import Applied, Deadline
from providers.contract.request import DeployRequest
from providers.contract.target import ClusterTarget
from providers.kube.apply import Written, apply_object, rehearse_object
from providers.kube.bounded import run_all
from providers.kube.client import KubeClient, client_for
from providers.kube.identity import require_same_cluster
from providers.kubernetes.handover import Handover, bring_to, claim_for_scaling
from providers.kubernetes.namespaces import ensure_namespace
from providers.kubernetes.parts import (
    Live,
    Parts,
    is_current,
    owned_by,
    parts_of,
    read_live,
    uid_of,
)
from providers.kubernetes.render import render
from providers.kubernetes.rivals import refuse_second_autoscaler
from providers.kubernetes.undoing import Made, undo, with_left_behind
from providers.workload.changing import replicas_from


@dataclass(frozen=True, kw_only=True, slots=True)
class Order:
    """One create or update on its way; `made` grows with what this call creates."""

    client: KubeClient
    request: DeployRequest
    parts: Parts
    deadline: Deadline
    made: Made


def create(request: DeployRequest, target: ClusterTarget, *, deadline: Deadline) -> Applied:
    """Apply everything, or undo what this call made and say why."""
    order = _order(request, target, deadline)
    try:
        order.made.namespace = ensure_namespace(order.client, request, target, deadline=deadline)
        live = read_live(order.client, order.parts, deadline=deadline)
        return _apply_all(order, live)
    except (Rejected, InvalidRequest, NotInstalled) as error:
        left = undo(order.client, order.made, deadline=deadline)
        if not left:
            raise
        raise with_left_behind(error, left) from error


def update(request: DeployRequest, target: ClusterTarget, *, deadline: Deadline) -> Applied:
    """Bring what runs to the request; every write is rehearsed first, since none is undone.

    Raises Rejected where that would set a second autoscaler on the Deployment.
    """
    order = _order(request, target, deadline)
    live = read_live(order.client, order.parts, deadline=deadline)
    refuse_second_autoscaler(order.client, order.parts, live, deadline=deadline)
    _rehearse(order, live)
    return _apply_all(order, live)


def _order(request: DeployRequest, target: ClusterTarget, deadline: Deadline) -> Order:
    client = client_for(target, deadline=deadline)
    require_same_cluster(client, target, deadline=deadline)
    parts = parts_of(render(request, target))
    return Order(client=client, request=request, parts=parts, deadline=deadline, made=Made())


def _rehearse(order: Order, live: Live) -> None:
    changed = [manifest for manifest, _ in _pairs(order.parts, live)]
    run_all(
        order.client.threads,
        [partial(rehearse_object, order.client, m, deadline=order.deadline) for m in changed],
    )


def _pairs(parts: Parts, live: Live) -> list[tuple[Manifest, Manifest | None]]:
    """Return each rendered object that differs from what is there, beside that."""
    pairs = [(parts.deployment, live.deployment), (parts.service, live.service)]
    if parts.autoscaler is not None:
        pairs.append((parts.autoscaler, live.autoscaler))
    return [(wanted, found) for wanted, found in pairs if not is_current(found, wanted)]


def _apply_all(order: Order, live: Live) -> Applied:
    deployment, warnings = _apply_deployment(order, live)
    companions = [(order.parts.service, live.service)]
    if order.parts.autoscaler is not None:
        companions.append((order.parts.autoscaler, live.autoscaler))
    owned = [(owned_by(wanted, deployment), found) for wanted, found in companions]
    stale = [wanted for wanted, found in owned if not is_current(found, wanted)]
    written = run_all(order.client.threads, [partial(_write, order, m) for m in stale])
    warnings += tuple(text for one in written for text in one.warnings)
    return Applied(
        workload_uid=uid_of(deployment),
        pod_digest=digest_of(order.parts.deployment["spec"]["template"]),
        objects=order.parts.keys,
        warnings=tuple(dict.fromkeys(warnings)),
    )


def _apply_deployment(order: Order, live: Live) -> tuple[Manifest, tuple[str, ...]]:
    if live.deployment is not None:
        return bring_to(_handover(order, live)), ()
    written = _write(order, order.parts.deployment)
    if order.parts.autoscaler is None:
        return written.body, written.warnings
    least = replicas_from(0, order.request.scaling, resume_at=order.request.resume_at)
    claimed = claim_for_scaling(order.client, written.body, least, deadline=order.deadline)
    return claimed, written.warnings


def _handover(order: Order, live: Live) -> Handover:
    return Handover(
        client=order.client,
        parts=order.parts,
        live=live,
        least=replicas_from(0, order.request.scaling, resume_at=order.request.resume_at),
        deadline=order.deadline,
    )


def _write(order: Order, manifest: Manifest) -> Written:
    return order.made.note(apply_object(order.client, manifest, deadline=order.deadline))

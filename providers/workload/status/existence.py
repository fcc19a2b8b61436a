"""Rows 1, 3, 4 and 5: is the cluster there, is the namespace, is the workload, should it be?"""

from collections.abc import Iterator

from providers.contract.request import Intent
from providers.contract.status import Phase
from providers.workload.holds import Hold, holds_of
from providers.workload.objects import Item, Namespace, present
from providers.workload.status.facts import Facts
from providers.workload.status.hits import Hit
from providers.workload.status.refusals import is_refusal
from providers.workload.status.wording import count_of, duration, joined, short

FINALIZER_NAMED_AFTER_SECONDS = 300


def find_unreachable(seen: Facts) -> Iterator[Hit]:
    """Row 1: nothing is known anew, so the last phase stays."""
    trouble = seen.bundle.trouble
    if trouble is not None:
        last = seen.known.last_status
        phase = last.phase if last else Phase.DEPLOYING
        yield Hit(row=1, phase=phase, reason=trouble.code, message=trouble.message)


def find_deletion(seen: Facts) -> Iterator[Hit]:
    """Row 3: a deletion was asked for; it is over when nothing is left of the deployment."""
    if seen.known.intent is not Intent.DELETED:
        return
    if _is_removed(seen):
        told = "nothing of it is left on the cluster"
        yield Hit(row=3, phase=Phase.DELETED, reason="Removed", message=told, closed=True)
        return
    yield _pending_finalizer(seen) or _waiting_for_pods(seen)


def _is_removed(seen: Facts) -> bool:
    bundle = seen.bundle
    if is_namespace_gone(seen):
        return True
    sees_all = bundle.knows(bundle.workload_kind)
    return sees_all and not any((bundle.workload, bundle.services, bundle.pods, _own_scalers(seen)))


def _own_scalers(seen: Facts) -> tuple[Item, ...]:
    """Return the autoscalers that went by our name: a foreign one outlives the deployment."""
    names = {seen.known.runtime_name, seen.scaled[1]}
    return tuple(scaler for scaler in seen.bundle.autoscalers if scaler.name in names)


def _pending_finalizer(seen: Facts) -> Hit | None:
    where, holds = _held(seen)
    if not holds:
        return None
    age = seen.age(seen.known.intent_since) or 0.0
    told = "; ".join(map(str, holds))
    if age > FINALIZER_NAMED_AFTER_SECONDS:
        waited = duration(FINALIZER_NAMED_AFTER_SECONDS)
        message = f"waiting for more than {waited} for {where}, held by the finalizer {told}"
    elif seen.bundle.pods:
        return None
    else:
        message = f"waiting for {where}, held by the finalizer {told}"
    return Hit(
        row=3, phase=Phase.DELETING, reason="PendingFinalizer", message=message, object=where
    )


def _held(seen: Facts) -> tuple[str, tuple[Hold, ...]]:
    """Return the first object on its way out that somebody's finalizer holds, and what holds it."""
    kinds: tuple[tuple[str, tuple[Item, ...]], ...] = (
        (seen.bundle.workload_kind, present([seen.bundle.workload_item])),
        ("Service", seen.bundle.services),
        ("HorizontalPodAutoscaler", _own_scalers(seen)),
        ("Pod", seen.bundle.pods),
    )
    for kind, items in kinds:
        for item in sorted(items, key=lambda one: one.name):
            holds = holds_of(item) if item.is_terminating else ()
            if holds:
                return f"{kind} {item.name}", holds
    return "", ()


def _waiting_for_pods(seen: Facts) -> Hit:
    bundle = seen.bundle
    left = [f"1 {bundle.workload_kind}"] if bundle.workload else []
    counted = (
        ("pod", len(bundle.pods)),
        ("Service", len(bundle.services)),
        ("autoscaler", len(_own_scalers(seen))),
    )
    left += [count_of(number, word) for word, number in counted if number]
    rest = f"still there: {joined(left)}" if left else _unseen(seen)
    message = f"deletion asked for; {rest}"
    return Hit(
        row=3, phase=Phase.DELETING, reason="WaitingForPods", message=message, object=seen.where
    )


def _unseen(seen: Facts) -> str:
    """Say why nobody can tell what is left."""
    reasons = [why for _, why in sorted(seen.bundle.unreadable.items())]
    return joined(["what is left cannot be seen", *map(short, reasons[:1])])


def is_namespace_gone(seen: Facts) -> bool:
    return seen.bundle.namespace is None and seen.bundle.knows("Namespace")


def find_namespace(seen: Facts) -> Iterator[Hit]:
    """Row 4: nothing can run in a namespace that is missing or going."""
    name = seen.known.namespace
    if is_namespace_gone(seen):
        message = f"namespace {name} does not exist; make it with: kubectl create namespace {name}"
        yield _failed(name, "NamespaceMissing", message)
    elif seen.bundle.namespace is not None and seen.bundle.namespace.is_ending:
        held = _held_namespace(seen.bundle.namespace)
        message = f"namespace {name} is being deleted{held}"
        yield _failed(name, "NamespaceTerminating", message)


def _failed(namespace: str, reason: str, message: str) -> Hit:
    where = f"Namespace {namespace}"
    return Hit(row=4, phase=Phase.FAILED, reason=reason, message=message, object=where)


def _held_namespace(namespace: Namespace) -> str:
    """Return what holds a namespace up, in the words of its conditions."""
    told = [c.message for c in namespace.conditions if c.is_true and c.message]
    return f": {joined(sorted(told))}" if told else ""


def find_missing_workload(seen: Facts) -> Iterator[Hit]:
    """Row 5: not applied yet, or gone although it was; it is never made again by itself."""
    bundle, known = seen.bundle, seen.known
    is_gone = bundle.workload is None and bundle.knows(bundle.workload_kind)
    if known.applied_revision and is_gone and bundle.refusal is None:
        message = f"{seen.where} was removed outside of Slipway; apply it again or close it"
        yield Hit(
            row=5, phase=Phase.DELETED, reason="RemovedOutside", message=message, object=seen.where
        )
    elif known.applied_revision and bundle.workload and bundle.workload.is_terminating:
        message = f"{seen.where} is being deleted outside of Slipway"
        yield Hit(
            row=5, phase=Phase.DELETING, reason="RemovedOutside", message=message, object=seen.where
        )
    elif known.revision != known.applied_revision and not is_refusal(known.last_apply.code):
        yield Hit(row=5, phase=Phase.DEPLOYING, reason="ApplyPending", message=_pending(seen))


def _pending(seen: Facts) -> str:
    told = seen.known.last_apply.message if seen.known.last_apply.code else ""
    return f"revision {seen.known.revision} is not applied yet{': ' + told if told else ''}"

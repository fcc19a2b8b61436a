"""What pods stand in and on: their namespace, and the claim that keeps their model."""

from providers.workload.objects import Namespace, condition_of, present
from providers.workload.objects.looked import ClaimSpec, ClaimStatus, VolumeClaim
from providers.workload.states.said import FAIL, OK, PROGRESS, Said, facts_of, leaving
from providers.workload.status.wording import joined, short


def say_namespace(namespace: Namespace) -> Said:
    """Return whether a namespace is there to stay, and what holds one that goes."""
    if not namespace.is_ending:
        return Said(state="Active", tone=OK)
    held = condition_of(namespace.conditions, "NamespaceFinalizersRemaining")
    rest = condition_of(namespace.conditions, "NamespaceContentRemaining")
    told = next((item.message for item in (held, rest) if item and item.is_true), None)
    message = short(told) or "everything in it goes too"
    return Said(state="Terminating", tone=FAIL, message=message)


def say_claim(claim: VolumeClaim) -> Said:
    """Return whether a claim has its volume."""
    spec, status = claim.spec or ClaimSpec(), claim.status or ClaimStatus()
    said = leaving(claim.finalizers) if claim.is_terminating else _claim(status)
    facts = facts_of(
        size=claim.capacity.get("storage") or "",
        access=joined(present(status.access_modes)),
        storage_class=spec.storage_class_name,
        volume=spec.volume_name,
    )
    return Said(state=said.state, tone=said.tone, message=said.message, facts=facts)


def _claim(status: ClaimStatus) -> Said:
    if status.phase == "Bound":
        return Said(state="Bound", tone=OK)
    if status.phase == "Lost":
        return Said(state="Lost", tone=FAIL, message="its volume is gone")
    message = "it has no volume yet; one may come with its first pod"
    return Said(state=status.phase or "Pending", tone=PROGRESS, message=message)

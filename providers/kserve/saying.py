"""An InferenceService in words: what its controller was told, and how far it says it has come."""

from providers.kserve.objects import InferenceService
from providers.kserve.refusing import refusal_of
from providers.workload.objects import condition_of
from providers.workload.states.said import FAIL, IDLE, OK, PROGRESS, Said, facts_of, leaving
from providers.workload.status.wording import short

_NO_PROOF = "its Ready says nothing of the latest change: see its pods"


def say_inference_service(found: InferenceService) -> Said:
    """Return how an InferenceService is, by its own account."""
    said = leaving(found.finalizers) if found.is_terminating else _inference_service(found)
    bounds = found.predictor
    facts = facts_of(
        least="" if bounds.min_replicas is None else bounds.min_replicas,
        most="" if bounds.max_replicas is None else bounds.max_replicas,
    )
    return Said(state=said.state, tone=said.tone, message=said.message, facts=facts)


def _inference_service(found: InferenceService) -> Said:
    if found.status is None:
        word = "was taken up, and nothing is said of it" if found.finalizers else "is not taken up"
        return Said(state="Waiting", tone=PROGRESS, message=f"it {word} by its controller yet")
    refusal = refusal_of(found, None, ())
    if refusal is not None:
        return Said(state="Refused", tone=FAIL, message=short(refusal.message))
    stopped, ready = (
        condition_of(found.conditions, kind) for kind in ("Stopped", "PredictorReady")
    )
    if found.is_to_stop:
        is_done = stopped is not None and stopped.is_true
        message = "no replica is wanted"
        return Said(state="Stopped" if is_done else "Stopping", tone=IDLE, message=message)
    if ready is not None and ready.is_true:
        return Said(state="Ready", tone=OK, message=_NO_PROOF)
    words = short((ready.message or ready.reason or "") if ready else "")
    return Said(state="Not ready", tone=PROGRESS, message=words.rstrip("."))

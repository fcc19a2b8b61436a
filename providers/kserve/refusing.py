"""What KServe's controller cannot do, and where it says so.

A condition has the cause of a failed reconcile; of a model only its status has it, and of some
faults nothing but an event has. None of this is about pods: those speak for themselves.
"""

from collections.abc import Iterator, Sequence

from providers.kserve.objects import InferenceService, ModelStatus
from providers.kube.resources import INFERENCE_SERVICES
from providers.workload.bundle import Mark, Trouble
from providers.workload.objects import Condition, Deployment, Event, Pod, condition_of

INVALID = "InvalidSpec"
_FAILED = "ReconcileFailed"
_TELLING = frozenset({"InternalError", "ServerlessModeRejected"})
# A write that met another one: it is tried again at once, and is there at each creation.
_NOISE = "the object has been modified"
_REASONS = {
    "RuntimeNotRecognized": "RuntimeMissing",
    "NoSupportingRuntime": "ModelFormatUnsupported",
}


def refusal_of(
    found: InferenceService, deployment: Deployment | None, events: Sequence[Event]
) -> Trouble | None:
    """Return why the controller does not do what is asked, None where it does."""
    if found.is_to_stop:
        return None
    told = newest_word(found, events)
    return _failed(found) or _invalid(found, told) or _unsaid(found, deployment, told)


def undownloaded_in(
    found: InferenceService, current: Mark | None, pods: Sequence[Pod]
) -> Trouble | None:
    """Return that pods were made without the download of their model, None where all have it.

    KServe adds it by its webhook for pods. Without that their folder is empty, and Ready all the
    same.
    """
    if current is None or not found.downloads:
        return None
    bare = [pod.name for pod in pods if current.is_on(pod) and not pod.wanted.init_containers]
    if not bare:
        return None
    message = (
        f"pod {min(bare)} was made without the download of its model, which KServe's webhook for "
        "pods adds: its folder is empty; see to the webhook, then ask for new pods"
    )
    return Trouble(code="WebhookUnavailable", message=message)


def newest_word(found: InferenceService, events: Sequence[Event]) -> str:
    """Return the last complaint about an InferenceService, empty for none."""
    words = [event for event in _about(found, events) if event.reason in _TELLING]
    newest = max(words, key=lambda one: one.at.timestamp() if one.at else 0.0, default=None)
    return (newest.message or "") if newest else ""


def _about(found: InferenceService, events: Sequence[Event]) -> Iterator[Event]:
    for event in events:
        about = event.about
        is_it = about.kind == INFERENCE_SERVICES.kind and about.name == found.name
        if is_it and _NOISE not in (event.message or ""):
            yield event


def _failed(found: InferenceService) -> Trouble | None:
    for kind in ("PredictorReady", "Ready"):
        condition = condition_of(found.conditions, kind)
        if condition is not None and condition.is_false and condition.reason == _FAILED:
            return Trouble(code=_FAILED, message=condition.message or "it does not say why")
    return None


def _invalid(found: InferenceService, told: str) -> Trouble | None:
    """Read the model's status, whose last failure counts only while it is one."""
    model = (found.status.model_status if found.status else None) or ModelStatus()
    failure = model.last_failure_info
    if model.transition_status != INVALID:
        return None
    reason = (failure.reason or "") if failure else ""
    message = told or ((failure.message or "") if failure else "") or "it does not say why"
    return Trouble(code=_REASONS.get(reason, INVALID), message=message)


def _unsaid(found: InferenceService, deployment: Deployment | None, told: str) -> Trouble | None:
    """Believe an event alone only where nothing was made and the conditions are at a loss."""
    ready = condition_of(found.conditions, "PredictorReady")
    if deployment is None and told and _is_unknown(ready):
        return Trouble(code=_FAILED, message=told)
    return None


def _is_unknown(condition: Condition | None) -> bool:
    return condition is not None and condition.status == "Unknown"

"""The stand-in for KServe's controller in raw mode: a Deployment, a Service and an HPA each.

What it says mirrors its Deployment, misleadingly as the real one does: `observedGeneration` is the
Deployment's, an old revision that serves is Ready, and causes are told nowhere.
"""

from collections.abc import Sequence

from providers.contract.manifest import Manifest
from providers.testing.controllers import predictor
from providers.testing.controllers.hand import (
    Hand,
    condition_of,
    has,
    is_ending,
    now_text,
    owned,
)

FINALIZER = "inferenceservice.finalizers"
STOP = "serving.kserve.io/stop"
CONTAINER = "kserve-container"
MOST_HOST = 63


def reconcile(
    hand: Hand, service: Manifest, children: Sequence[Manifest], runtimes: Sequence[Manifest]
) -> None:
    """Take the next step of an InferenceService."""
    if is_ending(service):
        hand.release(service, FINALIZER)
        return
    hand.hold(service, FINALIZER)
    mine = {one["kind"]: one for one in owned(children, service)}
    if predictor.annotations_of(service).get(STOP) == "true":
        for one in mine.values():
            hand.delete(one)
        hand.report(service, _stopped(service))
        return
    pod = predictor.pod_spec(service, runtimes)
    if pod is None:
        _refuse_model(hand, service)
        return
    if not pod["containers"] or pod["containers"][0].get("name") != CONTAINER:
        return  # the real one panics in a loop, without a word
    refusal = _host_refusal(service) or _bring(hand, service, pod, mine)
    if refusal:
        hand.tell(service, "InternalError", refusal, kind="Warning")
        hand.report(service, _failed(service, refusal))
        return
    status = _running(service, mine.get("Deployment"))
    _tell_readiness(hand, service, status)
    hand.report(service, status)


def _bring(hand: Hand, service: Manifest, pod: Manifest, mine: dict[str, Manifest]) -> str:
    """Make or change the children; returns why one was refused, or nothing."""
    for wanted in predictor.children(service, pod):
        live = mine.get(wanted["kind"])
        if live is None:
            refusal = hand.create(wanted)
        else:
            refusal = hand.merge(live, predictor.change(service, live, wanted))
        if refusal:
            return f"fails to reconcile predictor: {refusal}"
    autoscaler = mine.get("HorizontalPodAutoscaler")
    if autoscaler and not predictor.is_scaled(service):
        hand.delete(autoscaler)
    return ""


def _host_refusal(service: Manifest) -> str:
    """Return why the host name of the domain template cannot be, made or not."""
    host = f"{predictor.name_of(service)}-{service['metadata']['namespace']}"
    if len(host) <= MOST_HOST:
        return ""
    told = f'invalid domain name "{host}.example.com": url: Invalid value: "{host}"'
    return (
        "fails to create NewRawKubeReconciler for predictor: failed creating host name: "
        f"{told}: must be no more than {MOST_HOST} characters"
    )


def _refuse_model(hand: Hand, service: Manifest) -> None:
    """Say that there is no such runtime; what runs is left alone, and stays Ready."""
    runtime = service["spec"]["predictor"]["model"].get("runtime", "")
    told = f"No ServingRuntimes or ClusterServingRuntimes with the name: {runtime}"
    hand.tell(service, "InternalError", told, kind="Warning")
    old = service.get("status") or {}
    said = old.get("modelStatus") or {}
    model = {
        **said,
        "lastFailureInfo": {
            "reason": "RuntimeNotRecognized",
            "message": "Waiting for runtime to become available",
        },
        "states": {
            "activeModelState": (said.get("states") or {}).get("activeModelState", ""),
            "targetModelState": "FailedToLoad",
        },
        "transitionStatus": "InvalidSpec",
    }
    unknown = [_condition(service, kind, "Unknown") for kind in _READINESS]
    fresh = {"conditions": unknown, "deploymentMode": "Standard"}
    hand.report(service, {**(old or fresh), "modelStatus": model})


_READINESS = ("IngressReady", "PredictorReady", "Ready")


def _stopped(service: Manifest) -> Manifest:
    conditions = [
        _condition(service, "PredictorReady", "False", "Stopped"),
        _condition(service, "Ready", "False", "Stopped"),
        _condition(service, "Stopped", "True", severity="Info"),
    ]
    return {
        "conditions": conditions,
        "deploymentMode": "Standard",
        "modelStatus": {"transitionStatus": ""},
    }


def _failed(service: Manifest, why: str) -> Manifest:
    conditions = [
        _condition(service, "IngressReady", "Unknown"),
        _condition(service, "PredictorReady", "False", "ReconcileFailed", why),
        _condition(service, "Ready", "False", "ReconcileFailed", why),
    ]
    return {
        "components": {"predictor": {}},
        "conditions": conditions,
        "deploymentMode": "Standard",
        "modelStatus": {"transitionStatus": ""},
    }


def _running(service: Manifest, deployment: Manifest | None) -> Manifest:
    metadata, host = service["metadata"], predictor.name_of(service)
    status, reason, message = mirrored(deployment)
    is_ready = status == "True"
    why = () if is_ready else (reason, message)
    conditions = [
        _condition(service, "IngressReady", "True"),
        _condition(service, "PredictorReady", status, reason, message),
        _condition(service, "Ready", status, *why),
        _condition(service, "Stopped", "False", severity="Info"),
    ]
    old = ((service.get("status") or {}).get("components") or {}).get("predictor") or {}
    url = {"url": f"http://{host}-{metadata['namespace']}.example.com"}
    seen = (deployment or {}).get("status") or {}
    generation = seen.get("observedGeneration")
    return {
        "address": {"url": f"http://{host}.{metadata['namespace']}.svc.cluster.local"},
        "components": {"predictor": url if is_ready else old},
        "conditions": conditions,
        "deploymentMode": "Standard",
        "modelStatus": _model_status(service, seen, is_ready=is_ready),
        **({"observedGeneration": generation} if generation else {}),
        "url": f"http://{metadata['name']}-{metadata['namespace']}.example.com",
    }


def mirrored(deployment: Manifest | None) -> tuple[str, str, str]:
    """Return status, reason and message of PredictorReady; a later rule wins over an earlier."""
    said = deployment or {}
    available, progressing = (condition_of(said, kind) for kind in ("Available", "Progressing"))
    found: Manifest = {}
    status = "False"
    if has(said, "Available"):
        found, status = available, "True"
    if progressing.get("status") == "False":
        found, status = progressing, "False"
    if progressing.get("reason") == "NewReplicaSetAvailable":
        found, status = progressing, "True"
    if available.get("status") == "False":
        found, status = available, "False"
    if has(said, "ReplicaFailure"):
        found, status = condition_of(said, "ReplicaFailure"), "False"
    return status, found.get("reason", ""), found.get("message", "")


def _model_status(service: Manifest, seen: Manifest, *, is_ready: bool) -> Manifest:
    """Return what is said of the model: of whatever serves, the old revision's too."""
    old = ((service.get("status") or {}).get("modelStatus") or {}).get("states") or {}
    count = seen.get("readyReplicas", 0)
    is_loaded = is_ready and bool(service["spec"]["predictor"].get("minReplicas", 1))
    active = "Loaded" if is_loaded else old.get("activeModelState", "")
    return {
        "copies": {"failedCopies": 0, **({"totalCopies": count} if count else {})},
        "states": {
            "activeModelState": active,
            "targetModelState": "Loaded" if is_loaded else "Pending",
        },
        "transitionStatus": "UpToDate" if is_loaded else "InProgress",
    }


def _condition(
    service: Manifest,
    kind: str,
    status: str,
    reason: str = "",
    message: str = "",
    *,
    severity: str = "",
) -> Manifest:
    told = {"severity": severity, "reason": reason, "message": message}
    said = {"type": kind, "status": status, **{name: word for name, word in told.items() if word}}
    old = condition_of(service, kind)
    turned = old["lastTransitionTime"] if old.get("status") == status else now_text()
    return {**said, "lastTransitionTime": turned}


def _tell_readiness(hand: Hand, service: Manifest, status: Manifest) -> None:
    was, name = has(service, "Ready"), service["metadata"]["name"]
    if has({"status": status}, "Ready") and not was:
        hand.tell(service, "InferenceServiceReady", f"InferenceService [{name}] is Ready")
    elif was and not has({"status": status}, "Ready"):
        told = f"InferenceService [{name}] is no longer Ready because of: PredictorReady, Ready"
        hand.tell(service, "InferenceServiceNotReady", told, kind="Warning")

"""The stand-in for KServe's controller in raw mode: a Deployment, a Service and an HPA each.

What it says mirrors its Deployment, misleadingly as the real one does: `observedGeneration` is the
Deployment's, an old revision that serves is Ready, and causes are told nowhere.
"""

from collections.abc import Sequence

from providers.contract.manifest import Manifest
from providers.testing.controllers import models, predictor
from providers.testing.controllers.hand import Hand
from providers.testing.controllers.objects import condition_of, has, now_text, owned

FINALIZER = "inferenceservice.finalizers"
STOP = "serving.kserve.io/stop"
MOST_HOST = 63


def reconcile(
    hand: Hand,
    service: Manifest,
    children: Sequence[Manifest],
    pods: Sequence[Manifest],
    runtimes: Sequence[Manifest],
) -> bool:
    """Take the next step of an InferenceService; tells whether none is left to be tried again."""
    if not hand.keeps(service, (), FINALIZER):
        return True
    mine = {one["kind"]: one for one in owned(children, service)}
    if predictor.annotations_of(service).get(STOP, "").lower() == "true":
        for one in mine.values():
            hand.delete(one)
        no = ("False", "Stopped")
        _report(hand, service, _said(service, PredictorReady=no, Ready=no, Stopped=("True",)))
        return True
    runtime = models.runtime_for(service, runtimes)
    if isinstance(runtime, models.Refused):
        _refuse_model(hand, service, runtime)
        return False
    containers = predictor.pod_spec(service, runtime)["containers"]
    if not containers or containers[0].get("name") != models.CONTAINER:
        return True  # the real one panics in a loop, without a word
    there = _named_after(service, children)
    refusal = _host_refusal(service) or _bring(hand, service, runtime, there)
    if refusal:
        hand.tell(service, "InternalError", refusal)
        hand.report(service, _failed(service, refusal))
        return False
    _report(hand, service, running(service, mine.get("Deployment"), pods, runtime))
    return True


def _named_after(service: Manifest, children: Sequence[Manifest]) -> dict[str, Manifest]:
    """Return what bears the names of its children, whoever made it."""
    named = {"name": predictor.name_of(service), "namespace": service["metadata"]["namespace"]}
    return {one["kind"]: one for one in children if named.items() <= one["metadata"].items()}


def _bring(hand: Hand, service: Manifest, runtime: Manifest, there: dict[str, Manifest]) -> str:
    """Make or change the children; returns why one was refused, or nothing."""
    for wanted in predictor.children(service, runtime):
        live = there.get(wanted["kind"])
        if live is None:
            refusal = hand.create(wanted)
        else:
            refusal = hand.merge(live, predictor.change(service, live, wanted))
        if refusal:
            return f"fails to reconcile predictor: {refusal}"
    autoscaler = there.get("HorizontalPodAutoscaler")
    if autoscaler and not predictor.is_scaled(service) and owned([autoscaler], service):
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


def _refuse_model(hand: Hand, service: Manifest, refused: models.Refused) -> None:
    """Say why a model has no runtime; what runs is left alone, and stays Ready."""
    hand.tell(service, "InternalError", refused.told)
    old = service.get("status") or {}
    said = old.get("modelStatus") or {}
    active = (said.get("states") or {}).get("activeModelState", "")
    model = {
        **said,
        "lastFailureInfo": {"reason": refused.reason, "message": refused.message},
        "states": {"activeModelState": active, "targetModelState": "FailedToLoad"},
        "transitionStatus": "InvalidSpec",
    }
    no = ("Unknown",)
    fresh = _said(service, IngressReady=no, PredictorReady=no, Ready=no)
    hand.report(service, {**(old or fresh), "modelStatus": model})


def _failed(service: Manifest, why: str) -> Manifest:
    no = ("False", "ReconcileFailed", why)
    said = _said(service, IngressReady=("Unknown",), PredictorReady=no, Ready=no)
    return {"components": {"predictor": {}}, **said}


def running(
    service: Manifest, deployment: Manifest | None, pods: Sequence[Manifest], runtime: Manifest
) -> Manifest:
    """Return what is said of an InferenceService whose children stand."""
    metadata, host = service["metadata"], predictor.name_of(service)
    said = mirrored(deployment)
    is_ready = said[0] == "True"
    conditions = _said(
        service,
        IngressReady=("True",),
        PredictorReady=said,
        Ready=("True",) if is_ready else said,
        Stopped=("False",),
    )
    old = ((service.get("status") or {}).get("components") or {}).get("predictor") or {}
    url = {"url": f"http://{host}-{metadata['namespace']}.example.com"}
    generation = ((deployment or {}).get("status") or {}).get("observedGeneration")
    kind = runtime.get("kind", "")
    named = {f"{kind[:1].lower()}{kind[1:]}Name": runtime["metadata"]["name"]} if kind else {}
    return {
        **conditions,
        **named,
        "address": {"url": f"http://{host}.{metadata['namespace']}.svc.cluster.local"},
        "components": {"predictor": url if is_ready else old},
        "modelStatus": _model_status(service, deployment or {}, pods, is_ready=is_ready),
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


def _model_status(
    service: Manifest, deployment: Manifest, pods: Sequence[Manifest], *, is_ready: bool
) -> Manifest:
    """Return what is said of the model: of whatever serves, the old revision's too.

    A failure to load stays told after it is over. That of the engine itself is not seen before the
    Deployment says another word, which is at its deadline.
    """
    old = (service.get("status") or {}).get("modelStatus") or {}
    if not pods and (deployment.get("status") or {}).get("replicas"):
        return {"copies": {"failedCopies": 0}, "transitionStatus": ""}  # they are not seen yet
    count = sum(has(pod, "Ready") for pod in pods)
    is_late = condition_of(deployment, "Progressing").get("status") == "False"
    seen = (models.INITIALIZER, *([models.CONTAINER] if is_late else []))
    failure = models.load_failure(pods, of=seen)
    active = (old.get("states") or {}).get("activeModelState", "")
    target, transition = "Pending", "InProgress"
    if is_ready and service["spec"]["predictor"].get("minReplicas", 1):
        active = target = "Loaded"
        transition = "UpToDate"
    elif failure:
        target, transition = "FailedToLoad", "BlockedByFailedLoad"
    info = failure or old.get("lastFailureInfo")
    return {
        "copies": {"failedCopies": 0, **({"totalCopies": count} if count else {})},
        **({"lastFailureInfo": info} if info else {}),
        "states": {"activeModelState": active, "targetModelState": target},
        "transitionStatus": transition,
    }


def _said(service: Manifest, **said: Sequence[str]) -> Manifest:
    """Return a status with conditions: of each its status, then reason and message if any."""
    return {
        "conditions": [_condition(service, kind, *words) for kind, words in said.items()],
        "deploymentMode": "Standard",
        "modelStatus": {"transitionStatus": ""},
    }


def _condition(
    service: Manifest, kind: str, status: str, reason: str = "", message: str = ""
) -> Manifest:
    severity = "Info" if kind == "Stopped" else ""
    told = {"severity": severity, "reason": reason, "message": message}
    said = {"type": kind, "status": status, **{name: word for name, word in told.items() if word}}
    old = condition_of(service, kind)
    turned = old["lastTransitionTime"] if old.get("status") == status else now_text()
    return {**said, "lastTransitionTime": turned}


def _report(hand: Hand, service: Manifest, status: Manifest) -> None:
    """Write a status; an event tells when it turns, and what is False then."""
    was, name = has(service, "Ready"), service["metadata"]["name"]
    no = [one["type"] for one in status["conditions"] if one["status"] == "False"]
    if not was and has({"status": status}, "Ready"):
        told = f"InferenceService [{name}] is Ready"
        hand.tell(service, "InferenceServiceReady", told, kind="Normal")
    elif was and "Ready" in no:
        told = f"InferenceService [{name}] is no longer Ready because of: {', '.join(no)}"
        hand.tell(service, "InferenceServiceNotReady", told)
    hand.report(service, status)

"""What KServe's controller makes below an InferenceService: Service, Deployment, HPA of one name.

Pure: an InferenceService in, bodies and patches out.
"""

from collections.abc import Iterator

from providers.contract.manifest import Manifest
from providers.testing.controllers import models
from providers.testing.controllers.objects import below, holds

CLASS = "serving.kserve.io/autoscalerClass"
USUAL_PORT, USUAL_TARGET = 8080, 80
_OWN = {"containers", "model", "minReplicas", "maxReplicas", "scaleMetric", "scaleTarget"}
_NO_POD = _OWN | {"labels", "annotations", "deploymentStrategy", "scaleMetricType", "timeout"}
_NOT_COPIED = {"modelFormat", "kubectl.kubernetes.io/last-applied-configuration"}
_FILLED_IN = {
    "restartPolicy",
    "dnsPolicy",
    "schedulerName",
    "securityContext",
    "terminationGracePeriodSeconds",
}
_ROLLING = {"maxSurge": "25%", "maxUnavailable": "25%"}


def name_of(service: Manifest) -> str:
    """Return the name of everything below."""
    return f"{service['metadata']['name']}-predictor"


def annotations_of(service: Manifest) -> Manifest:
    """Return the annotations of the InferenceService itself."""
    return dict(service["metadata"].get("annotations") or {})


def is_scaled(service: Manifest) -> bool:
    """Tell whether an HPA of its own scales it."""
    return bool(annotations_of(service).get(CLASS, "hpa") == "hpa")


def pod_spec(service: Manifest, runtime: Manifest) -> Manifest:
    """Return the spec of its pods, of `runtime` where it serves a model."""
    wanted = service["spec"]["predictor"]
    spec = {name: value for name, value in wanted.items() if name not in _NO_POD}
    served = models.pod_of(service, runtime) if runtime else {}
    containers = served.get("containers") or wanted.get("containers") or ()
    added = {"name": "INFERENCE_SERVICE_NAME", "value": service["metadata"]["name"]}
    told = [{**one, "env": [*(one.get("env") or ()), added]} for one in containers]
    return {**_both(served, spec), "containers": told}


def _both(served: Manifest, spec: Manifest) -> Manifest:
    """Return one pod's spec of two; of volumes and init containers those of both, each once."""
    lists = {}
    for name in ("volumes", "initContainers"):
        ours = spec.get(name) or ()
        taken = {one["name"] for one in ours}
        theirs = [one for one in served.get(name) or () if one["name"] not in taken]
        if ours or theirs:
            lists[name] = [*theirs, *ours]
    return {**served, **spec, **lists}


def children(service: Manifest, runtime: Manifest) -> Iterator[Manifest]:
    """Yield Service, Deployment and, where it is scaled, HPA, in this order."""
    pod, told, name = pod_spec(service, runtime), _told(service, runtime), name_of(service)
    yield below(service, "Service", name, told, spec=_service_spec(service, pod))
    yield below(service, "Deployment", name, told, spec=_deployment_spec(service, told, pod))
    if is_scaled(service):
        spec = _autoscaler_spec(service)
        yield below(service, "HorizontalPodAutoscaler", name, told, spec=spec)


def change(service: Manifest, live: Manifest, wanted: Manifest) -> Manifest:
    """Return the patch that brings a child back to what is wanted, replicas left to an HPA.

    What bears its name and is somebody else's is taken over, as far as the API server lets it.
    """
    spec = dict(wanted["spec"])
    if wanted["kind"] != "Deployment":
        return _taking(live, wanted)
    if annotations_of(service).get(CLASS) != "none":
        del spec["replicas"]
    spec["strategy"] = _replacing(live["spec"].get("strategy"), spec["strategy"])
    told, old = spec["template"]["metadata"], live["spec"]["template"]
    words = ("labels", "annotations")
    spec["template"] = {
        "metadata": {word: _replacing(old["metadata"].get(word), told[word]) for word in words},
        "spec": {
            **dict.fromkeys(_lost(old["spec"], spec["template"]["spec"])),
            **spec["template"]["spec"],
        },
    }
    metadata = {word: wanted["metadata"][word] for word in ("labels", "annotations")}
    return {"metadata": metadata, "spec": spec}


def _taking(live: Manifest, wanted: Manifest) -> Manifest:
    """Return the patch that makes a Service or HPA one of its own, its selector replaced.

    What it says of itself is written anew only where its spec is.
    """
    old, new = live["spec"].get("selector"), wanted["spec"].get("selector")
    spec = {**wanted["spec"], **({"selector": _replacing(old, new)} if new else {})}
    return {"spec": spec} if holds(live["spec"], spec) else {**wanted, "spec": spec}


def _told(service: Manifest, runtime: Manifest) -> dict[str, Manifest]:
    """Return labels and annotations of everything below; those of the predictor win."""
    metadata, predictor = service["metadata"], service["spec"]["predictor"]
    spec = runtime.get("spec") or {}
    annotations = {
        **(spec.get("annotations") or {}),
        **annotations_of(service),
        **(predictor.get("annotations") or {}),
    }
    if uri := (predictor.get("model") or {}).get("storageUri"):
        annotations[models.SOURCE] = uri
    return {
        "labels": {
            **(spec.get("labels") or {}),
            **(metadata.get("labels") or {}),
            "app": f"isvc.{name_of(service)}",
            "component": "predictor",
            "serving.kserve.io/inferenceservice": metadata["name"],
            **(predictor.get("labels") or {}),
        },
        "annotations": {
            name: value for name, value in annotations.items() if name not in _NOT_COPIED
        },
    }


def _service_spec(service: Manifest, pod: Manifest) -> Manifest:
    ports = (pod["containers"] or [{}])[0].get("ports") or [{"containerPort": USUAL_PORT}]
    entries = [
        {
            "name": port.get("name") or name_of(service),
            "port": port["containerPort"] if index else USUAL_TARGET,
            "protocol": port.get("protocol", "TCP"),
            "targetPort": port["containerPort"],
        }
        for index, port in enumerate(ports)
    ]
    return {"ports": entries, "selector": {"app": f"isvc.{name_of(service)}"}}


def _deployment_spec(service: Manifest, told: Manifest, pod: Manifest) -> Manifest:
    wanted = service["spec"]["predictor"]
    rolling = {"type": "RollingUpdate", "rollingUpdate": dict(_ROLLING)}
    is_fixed = annotations_of(service).get(CLASS) == "none"
    return {
        "replicas": wanted.get("minReplicas", 1) if is_fixed else 1,
        "progressDeadlineSeconds": 600,
        "revisionHistoryLimit": 10,
        "strategy": wanted.get("deploymentStrategy") or rolling,
        "selector": {"matchLabels": {"app": f"isvc.{name_of(service)}"}},
        "template": {"metadata": told, "spec": pod},
    }


def _autoscaler_spec(service: Manifest) -> Manifest:
    wanted = service["spec"]["predictor"]
    least = max(1, wanted.get("minReplicas", 1))
    return {
        "minReplicas": least,
        "maxReplicas": max(least, wanted.get("maxReplicas", 0)),
        "metrics": [{"type": "Resource", "resource": _metric(wanted)}],
        "scaleTargetRef": {
            "apiVersion": "apps/v1",
            "kind": "Deployment",
            "name": name_of(service),
        },
    }


def _metric(wanted: Manifest) -> Manifest:
    """Return what is measured; what it does not know is silently 80 % of the CPU."""
    metric, target = wanted.get("scaleMetric", "cpu"), wanted.get("scaleTarget")
    if metric == "memory" and target:
        return {"name": "memory", "target": {"type": "Utilization", "averageUtilization": target}}
    share = target if metric == "cpu" and target else 80
    return {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": share}}


def _lost(old: Manifest, new: Manifest) -> Iterator[str]:
    """Yield the fields of a pod that are gone, of those that the API server does not fill in."""
    return (name for name in old if name not in new and name not in _FILLED_IN)


def _replacing(old: Manifest | None, new: Manifest) -> Manifest:
    return {**{name: None for name in old or {} if name not in new}, **new}

"""What KServe's controller makes below an InferenceService: Service, Deployment, HPA of one name.

Pure: an InferenceService in, bodies and patches out.
"""

from collections.abc import Iterator, Sequence

from providers.contract.manifest import Manifest
from providers.testing.controllers.hand import owner_reference

CLASS = "serving.kserve.io/autoscalerClass"
USUAL_PORT, USUAL_TARGET = 8080, 80
_OWN = {"containers", "model", "minReplicas", "maxReplicas", "scaleMetric", "scaleTarget"}
_NO_POD = _OWN | {"labels", "annotations", "deploymentStrategy", "scaleMetricType", "timeout"}
_NOT_COPIED = {"modelFormat", "kubectl.kubernetes.io/last-applied-configuration"}
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


def pod_spec(service: Manifest, runtimes: Sequence[Manifest]) -> Manifest | None:
    """Return the spec of its pods; None where the runtime of its model is missing."""
    wanted = service["spec"]["predictor"]
    spec = {name: value for name, value in wanted.items() if name not in _NO_POD}
    containers = wanted.get("containers") or ()
    if "model" in wanted:
        place = (service["metadata"]["namespace"], wanted["model"].get("runtime"))
        runtime = next((one for one in runtimes if _place(one) == place), None)
        if runtime is None:
            return None
        containers = [_joined(runtime["spec"]["containers"][0], wanted["model"])]
    added = {"name": "INFERENCE_SERVICE_NAME", "value": service["metadata"]["name"]}
    told = [{**one, "env": [*(one.get("env") or ()), added]} for one in containers]
    return {**spec, "containers": told}


def children(service: Manifest, pod: Manifest) -> Iterator[Manifest]:
    """Yield Service, Deployment and, where it is scaled, HPA, in this order."""
    yield _whole(service, "Service", _service_spec(service, pod))
    yield _whole(service, "Deployment", _deployment_spec(service, pod))
    if is_scaled(service):
        yield _whole(service, "HorizontalPodAutoscaler", _autoscaler_spec(service))


def change(service: Manifest, live: Manifest, wanted: Manifest) -> Manifest:
    """Return the patch that brings a child back to what is wanted, replicas left to an HPA."""
    spec = dict(wanted["spec"])
    if wanted["kind"] != "Deployment":
        return {"spec": spec}
    if annotations_of(service).get(CLASS) != "none":
        del spec["replicas"]
    told, old = spec["template"]["metadata"], live["spec"]["template"]["metadata"]
    spec["template"] = {
        "metadata": {
            word: _replacing(old.get(word), told[word]) for word in ("labels", "annotations")
        },
        "spec": spec["template"]["spec"],
    }
    metadata = {word: wanted["metadata"][word] for word in ("labels", "annotations")}
    return {"metadata": metadata, "spec": spec}


def _whole(service: Manifest, kind: str, spec: Manifest) -> Manifest:
    metadata = {
        "name": name_of(service),
        "namespace": service["metadata"]["namespace"],
        **_told(service),
        "ownerReferences": [owner_reference(service)],
    }
    return {"kind": kind, "metadata": metadata, "spec": spec}


def _told(service: Manifest) -> dict[str, Manifest]:
    """Return labels and annotations of everything below; those of the predictor win."""
    metadata, predictor = service["metadata"], service["spec"]["predictor"]
    annotations = {**annotations_of(service), **(predictor.get("annotations") or {})}
    return {
        "labels": {
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


def _deployment_spec(service: Manifest, pod: Manifest) -> Manifest:
    wanted = service["spec"]["predictor"]
    rolling = {"type": "RollingUpdate", "rollingUpdate": dict(_ROLLING)}
    is_fixed = annotations_of(service).get(CLASS) == "none"
    return {
        "replicas": wanted.get("minReplicas", 1) if is_fixed else 1,
        "progressDeadlineSeconds": 600,
        "revisionHistoryLimit": 10,
        "strategy": wanted.get("deploymentStrategy") or rolling,
        "selector": {"matchLabels": {"app": f"isvc.{name_of(service)}"}},
        "template": {"metadata": _told(service), "spec": pod},
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


def _joined(runtime: Manifest, model: Manifest) -> Manifest:
    """Return the container of a runtime with a model's own laid over it, its arguments last."""
    ours = {name: value for name, value in model.items() if name in {"image", "resources", "ports"}}
    names = {one["name"] for one in model.get("env") or ()}
    kept = [one for one in runtime.get("env") or () if one["name"] not in names]
    args = [*(runtime.get("args") or ()), *(model.get("args") or ())]
    return {**runtime, **ours, "args": args, "env": [*kept, *(model.get("env") or ())]}


def _place(runtime: Manifest) -> tuple[str, str]:
    return runtime["metadata"]["namespace"], runtime["metadata"]["name"]


def _replacing(old: Manifest | None, new: Manifest) -> Manifest:
    return {**{name: None for name in old or {} if name not in new}, **new}

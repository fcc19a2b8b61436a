"""The one object of a deployment as KServe carries it: an InferenceService in raw mode.

Pure. Its controller copies all labels and annotations to the pods, so whatever a revision changes
among them restarts every pod: revision, display name and provenance are left to our records. What
pods are made from is told by a digest of ours, in the place that reaches Deployment, ReplicaSet and
pods and nothing else. The number of replicas is always an autoscaler's, whose bounds are equal
where it may not move: turning it on or off would be one more label that restarts the pods.
"""

from collections.abc import Mapping

from providers.contract.manifest import Manifest, digest_of
from providers.contract.request import DeployRequest
from providers.contract.target import ClusterTarget
from providers.engines import render_launch
from providers.kserve.model import RUNTIME_PORT, container_of, model_of, without_claim
from providers.kserve.naming import CONTAINER, predictor_of
from providers.kserve.storage import storage_orders
from providers.workload.autoscaler import DEFAULT_TARGET
from providers.workload.pod import render_pod_template
from providers.workload.ports import container_port
from providers.workload.rollout import deployment_strategy

KIND = "kserve-inferenceservice"
WORKLOAD_API = "serving.kserve.io/v1beta1"
WORKLOAD_KIND = "InferenceService"

ANNOTATION_POD_DIGEST = "slipway.dev/pod-digest"
ANNOTATION_MODE = "serving.kserve.io/deploymentMode"
ANNOTATION_SCALER = "serving.kserve.io/autoscalerClass"
ANNOTATION_STOP = "serving.kserve.io/stop"
# The word that every version takes; newer ones store another for it.
RAW_MODE = "RawDeployment"
NATIVE_SCALER = "hpa"
STOPPED, RUNNING = "true", "false"

SCALING_FIELDS = frozenset({"minReplicas", "maxReplicas", "scaleMetric", "scaleTarget"})
"""Those of a predictor that change no pod."""
_NO_PART_OF_A_POD = SCALING_FIELDS | {"annotations", "labels", "deploymentStrategy", "model"}


def render(request: DeployRequest, target: ClusterTarget) -> tuple[Manifest, ...]:
    """Return the InferenceService: Deployment, Service and autoscaler are its controller's."""
    metadata, pod = _pods(request, target)
    service = {
        "apiVersion": WORKLOAD_API,
        "kind": WORKLOAD_KIND,
        "metadata": {
            "name": request.runtime_name,
            "namespace": request.namespace,
            "labels": metadata["labels"],
            "annotations": {**metadata["annotations"], **_orders(request)},
        },
        "spec": {
            "predictor": {
                "annotations": {ANNOTATION_POD_DIGEST: digest_of([metadata, pod])},
                **_scaling(request, target),
                "deploymentStrategy": deployment_strategy(request.rollout),
                **pod,
            }
        },
    }
    return (service,)


def templates_of(service: Manifest) -> tuple[Manifest, ...]:
    """Return the pod template that the controller makes of an InferenceService of ours.

    What a serving runtime and a download add to it is not known here.
    """
    metadata, predictor = service["metadata"], service["spec"]["predictor"]
    annotations: Mapping[str, str] = metadata.get("annotations") or {}
    kept = {name: text for name, text in annotations.items() if name != ANNOTATION_STOP}
    spec = {name: part for name, part in predictor.items() if name not in _NO_PART_OF_A_POD}
    if "model" in predictor:
        spec["containers"] = [container_of(predictor["model"])]
    template = {
        "metadata": {
            "labels": {**(metadata.get("labels") or {}), **(predictor.get("labels") or {})},
            "annotations": {**kept, **(predictor.get("annotations") or {})},
        },
        "spec": spec,
    }
    return (template,)


def replicas_of(service: Manifest) -> int:
    """Return the fewest replicas that an InferenceService asks for; unless told, it is one."""
    if is_to_stop(service["metadata"].get("annotations") or {}):
        return 0
    least = service["spec"]["predictor"].get("minReplicas")
    return 1 if least is None else int(least)


def is_to_stop(annotations: Mapping[str, str | None]) -> bool:
    """Tell whether the controller is told to stop, to whom capital letters are small ones."""
    return (annotations.get(ANNOTATION_STOP) or "").lower() == STOPPED


def least_of(request: DeployRequest) -> int:
    """Return the fewest replicas while it runs: the autoscaler takes none for one."""
    return max(1, request.scaling.min_replicas)


def scale_target(request: DeployRequest, target: ClusterTarget) -> int:
    """Return the percentage that the autoscaler is to keep: the template's, then the cluster's."""
    return request.scaling.metric.target or target.hpa_target or DEFAULT_TARGET


def _orders(request: DeployRequest) -> dict[str, str]:
    """Return what is told to the controller.

    Not to stop is told, too: an apply takes back only what it names of what others have written.
    """
    stop = RUNNING if request.scaling.min_replicas else STOPPED
    return {ANNOTATION_MODE: RAW_MODE, ANNOTATION_SCALER: NATIVE_SCALER, ANNOTATION_STOP: stop}


def _scaling(request: DeployRequest, target: ClusterTarget) -> Manifest:
    """Return the bounds, and the metric where there is room: any other word is silently cpu."""
    scaling, least = request.scaling, least_of(request)
    bounds = {"minReplicas": least, "maxReplicas": max(least, scaling.max_replicas)}
    if not scaling.has_autoscaler:
        return bounds
    return {
        **bounds,
        "scaleMetric": scaling.metric.type,
        "scaleTarget": scale_target(request, target),
    }


def _pods(request: DeployRequest, target: ClusterTarget) -> tuple[Manifest, Manifest]:
    """Return metadata and spec of the pods, the engine where the controller wants it."""
    runtime = request.spec.serving_runtime
    usual = RUNTIME_PORT if runtime else container_port(request, target)
    asked = without_claim(request) if runtime else request
    launch = render_launch(asked, port=request.spec.engine.port or usual)
    service = predictor_of(request.runtime_name)
    template = render_pod_template(asked, target, launch, implementation=KIND, service=service)
    metadata, spec = template["metadata"], dict(template["spec"])
    [engine] = spec.pop("containers")
    container = _container(engine)
    by_whom: Manifest = (
        {"model": model_of(request, runtime, container)} if runtime else {"containers": [container]}
    )
    told = {**metadata["annotations"], **storage_orders(request)}
    return {**metadata, "annotations": told}, {**by_whom, **spec}


def _container(engine: Manifest) -> Manifest:
    """Name it, since of any other name the controller breaks down, and limit cpu and memory.

    A webhook puts limits of its own where there are none, which would be below what is asked for.
    """
    resources = engine.get("resources") or {}
    asked = resources.get("requests") or {}
    given = {name: asked[name] for name in ("cpu", "memory") if name in asked}
    limits = {**given, **(resources.get("limits") or {})}
    return {**engine, "name": CONTAINER, "resources": {**resources, "limits": limits}}

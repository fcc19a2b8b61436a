"""The objects of one deployment as `k8s-deployment` makes them: Deployment, Service, autoscaler.

Pure: the same request and target give the same manifests. Owner references are no part of it; they
need the workload's uid, and are added when that is known.
"""

from providers.contract.manifest import Manifest
from providers.contract.request import DeployRequest
from providers.contract.target import ClusterTarget
from providers.engines import render_launch
from providers.engines.launch import Launch
from providers.workload.autoscaler import render_autoscaler
from providers.workload.labels import (
    annotations_for,
    labels_for,
    model_annotations,
    model_labels,
    selector_for,
    with_digest,
)
from providers.workload.pod import render_pod_template
from providers.workload.ports import container_port, service_port
from providers.workload.provenance import launch_annotations
from providers.workload.rollout import deployment_strategy
from providers.workload.service import render_service

KIND = "k8s-deployment"
WORKLOAD_API = "apps/v1"
WORKLOAD_KIND = "Deployment"
PULL_ALLOWANCE_SECONDS = 600  # for the image, beyond the engine's own start-up budget


def render(request: DeployRequest, target: ClusterTarget) -> tuple[Manifest, ...]:
    """Return the exact objects in the order of apply."""
    launch = render_launch(request, port=container_port(request, target))
    workload = render_deployment(request, target, launch)
    service = render_service(request, target, launch, implementation=KIND)
    autoscaler = render_autoscaler(
        request, target, api_version=WORKLOAD_API, kind=WORKLOAD_KIND, implementation=KIND
    )
    return (workload, service) if autoscaler is None else (workload, service, autoscaler)


def render_deployment(request: DeployRequest, target: ClusterTarget, launch: Launch) -> Manifest:
    """Return the Deployment; with an autoscaler it carries no number of replicas."""
    return with_digest(
        {
            "apiVersion": WORKLOAD_API,
            "kind": WORKLOAD_KIND,
            "metadata": _metadata(request, target),
            "spec": {
                **_replicas(request),
                "selector": {"matchLabels": selector_for(request)},
                "strategy": deployment_strategy(request.rollout),
                "progressDeadlineSeconds": (
                    request.spec.engine.ready_timeout_seconds + PULL_ALLOWANCE_SECONDS
                ),
                "revisionHistoryLimit": 1,
                "template": render_pod_template(request, target, launch, implementation=KIND),
            },
        }
    )


def _metadata(request: DeployRequest, target: ClusterTarget) -> Manifest:
    port = service_port(request, target)
    return {
        "name": request.runtime_name,
        "namespace": request.namespace,
        "labels": {**labels_for(request, KIND), **model_labels(request, port=port)},
        "annotations": {
            **annotations_for(request),
            **launch_annotations(request),
            **model_annotations(request, service=request.runtime_name),
        },
    }


def _replicas(request: DeployRequest) -> Manifest:
    """A replica count in an apply would take the number away from the autoscaler that holds it."""
    if request.scaling.has_autoscaler:
        return {}
    return {"replicas": request.scaling.min_replicas}

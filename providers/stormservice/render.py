"""The objects of one deployment as a StormService: itself, a Service, an autoscaler.

Pure. The controller takes the name of the StormService for a headless Service of its own, so ours
has another one. Pods get labels from their role alone, and among them a digest of the role's
template: it tells which pods are current, whatever revision the controller has put on them. It is
taken without the number of replicas, so that scaling restarts nothing.
"""

from dataclasses import replace

from providers.contract.manifest import Manifest, digest_of
from providers.contract.request import DeployRequest
from providers.contract.target import ClusterTarget
from providers.engines import render_launch
from providers.stormservice.autoscaling import render_pod_autoscaler
from providers.stormservice.naming import SERVICE_SUFFIX
from providers.stormservice.roles import RoleRequest, answering, roles_of
from providers.stormservice.rollout import update_strategy
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
from providers.workload.service import render_service

KIND = "stormservice"
WORKLOAD_API = "orchestration.aibrix.ai/v1alpha1"
WORKLOAD_KIND = "StormService"

LABEL_POD_DIGEST = "slipway.dev/pod-digest"


def render(request: DeployRequest, target: ClusterTarget) -> tuple[Manifest, ...]:
    """Return the exact objects in the order of apply."""
    launch = render_launch(request, port=container_port(request, target))
    service = render_service(
        request,
        target,
        launch,
        implementation=KIND,
        suffix=SERVICE_SUFFIX,
        answering=answering(request.spec),
    )
    autoscaler = _autoscaler(request, target)
    objects = (render_storm_service(request, target), service)
    return objects if autoscaler is None else (*objects, autoscaler)


def render_storm_service(request: DeployRequest, target: ClusterTarget) -> Manifest:
    """Return the StormService; with an autoscaler it carries no number of replicas."""
    return with_digest(
        {
            "apiVersion": WORKLOAD_API,
            "kind": WORKLOAD_KIND,
            "metadata": _metadata(request, target),
            "spec": {
                **_replicas(request),
                "selector": {"matchLabels": selector_for(request)},
                "updateStrategy": update_strategy(request.rollout),
                "template": {
                    # A RoleSet has these labels and no others of ours.
                    "metadata": {"labels": labels_for(request, KIND)},
                    "spec": {"roles": [_role(role, target) for role in roles_of(request)]},
                },
            },
        }
    )


def _autoscaler(request: DeployRequest, target: ClusterTarget) -> Manifest | None:
    """Kubernetes' own multiplies by pods: it is right only where a replica is one pod."""
    if request.spec.topology.roles:
        return render_pod_autoscaler(
            request, target, api_version=WORKLOAD_API, kind=WORKLOAD_KIND, implementation=KIND
        )
    return render_autoscaler(
        request, target, api_version=WORKLOAD_API, kind=WORKLOAD_KIND, implementation=KIND
    )


def _metadata(request: DeployRequest, target: ClusterTarget) -> Manifest:
    port = service_port(request, target)
    service = request.runtime_name + SERVICE_SUFFIX
    return {
        "name": request.runtime_name,
        "namespace": request.namespace,
        "labels": {**labels_for(request, KIND), **model_labels(request, port=port)},
        "annotations": {
            **annotations_for(request),
            **launch_annotations(request),
            **model_annotations(request, service=service),
        },
    }


def _replicas(request: DeployRequest) -> Manifest:
    """A replica count in an apply would take the number away from the autoscaler that holds it."""
    if request.scaling.has_autoscaler:
        return {}
    return {"replicas": request.scaling.min_replicas}


def _role(role: RoleRequest, target: ClusterTarget) -> Manifest:
    """Every role has its number, too: the controller does nothing for one without."""
    group = {"podGroupSize": role.nodes, "stateful": True} if role.nodes > 1 else {}
    return {
        "name": role.name,
        "replicas": role.replicas,
        **group,
        "template": _template(role, target),
    }


def _template(role: RoleRequest, target: ClusterTarget) -> Manifest:
    request = role.request
    launch = render_launch(request, port=container_port(request, target))
    template = render_pod_template(
        request,
        target,
        replace(launch, args=(*launch.args, *role.args)),
        implementation=KIND,
        service=request.runtime_name + SERVICE_SUFFIX,
    )
    metadata = template["metadata"]
    labels = {**metadata["labels"], LABEL_POD_DIGEST: digest_of(template)}
    return {**template, "metadata": {**metadata, "labels": labels}}

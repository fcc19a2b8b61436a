"""The objects of one deployment: a ReplicaSet and a Service. Pure."""

from providers.contract.manifest import Manifest, digest_of
from providers.contract.request import DeployRequest
from providers.contract.target import ClusterTarget
from providers.engines import render_launch
from providers.workload.labels import (
    annotations_for,
    labels_for,
    model_annotations,
    model_labels,
    selector_for,
    with_digest,
)
from providers.workload.objects import POD_TEMPLATE_HASH
from providers.workload.pod import render_pod_template
from providers.workload.ports import container_port, service_port
from providers.workload.provenance import launch_annotations
from providers.workload.service import render_service

KIND = "acme-replicas"
HASH_LENGTH = 10


def render(request: DeployRequest, target: ClusterTarget) -> tuple[Manifest, ...]:
    """Return the exact objects in the order of apply, the workload first."""
    launch = render_launch(request, port=container_port(request, target))
    template = render_pod_template(request, target, launch, implementation=KIND)
    mark = {POD_TEMPLATE_HASH: digest_of(template)[:HASH_LENGTH]}
    template["metadata"]["labels"] |= mark
    replica_set: Manifest = {
        "apiVersion": "apps/v1",
        "kind": "ReplicaSet",
        "metadata": _metadata(request, target, mark),
        "spec": {
            "replicas": request.scaling.min_replicas,
            "selector": {"matchLabels": selector_for(request)},
            "template": template,
        },
    }
    service = render_service(request, target, launch, implementation=KIND)
    return with_digest(replica_set), service


def _metadata(request: DeployRequest, target: ClusterTarget, mark: dict[str, str]) -> Manifest:
    port = service_port(request, target)
    return {
        "name": request.runtime_name,
        "namespace": request.namespace,
        "labels": {**labels_for(request, KIND), **model_labels(request, port=port), **mark},
        "annotations": {
            **annotations_for(request),
            **launch_annotations(request),
            **model_annotations(request, service=request.runtime_name),
        },
    }

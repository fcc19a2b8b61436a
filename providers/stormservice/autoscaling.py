"""AIBrix's own autoscaler, for replicas that are several pods.

It reads the metric from the pods themselves. One that it cannot read counts as 0, and it scales
down to the fewest: whoever asks for it is warned (see validate.py).
"""

from providers.contract.manifest import Manifest
from providers.contract.request import DeployRequest
from providers.contract.target import ClusterTarget
from providers.workload.labels import annotations_for, labels_for, with_digest
from providers.workload.ports import container_port

API, KIND = "autoscaling.aibrix.ai/v1alpha1", "PodAutoscaler"
STRATEGY = "APA"


def render_pod_autoscaler(
    request: DeployRequest,
    target: ClusterTarget,
    *,
    api_version: str,
    kind: str,
    implementation: str,
) -> Manifest | None:
    """Return the autoscaler of the workload object of `api_version` and `kind`, or None."""
    if not request.scaling.has_autoscaler:
        return None
    return with_digest(
        {
            "apiVersion": API,
            "kind": KIND,
            "metadata": {
                "name": request.runtime_name,
                "namespace": request.namespace,
                "labels": labels_for(request, implementation),
                "annotations": annotations_for(request),
            },
            "spec": {
                "scaleTargetRef": {
                    "apiVersion": api_version,
                    "kind": kind,
                    "name": request.runtime_name,
                },
                "scalingStrategy": STRATEGY,
                "minReplicas": request.scaling.min_replicas,
                "maxReplicas": request.scaling.max_replicas,
                "metricsSources": [_source(request, target)],
            },
        }
    )


def _source(request: DeployRequest, target: ClusterTarget) -> Manifest:
    metric = request.scaling.metric
    return {
        "metricSourceType": "pod",
        "protocolType": "http",
        "port": str(container_port(request, target)),
        "path": request.spec.engine.metrics_endpoint or "/metrics",
        "targetMetric": metric.name,
        "targetValue": str(metric.target),
    }

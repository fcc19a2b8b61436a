"""The HorizontalPodAutoscaler, where a deployment has room to scale.

Its target is the template's, then the cluster's, then 80. While it exists it owns the number of
replicas; who hands that over, and when, is the providers' matter.
"""

from providers.contract.bounds import Metric
from providers.contract.manifest import Manifest
from providers.contract.request import DeployRequest
from providers.contract.target import ClusterTarget
from providers.workload.labels import annotations_for, labels_for, with_digest

DEFAULT_TARGET = 80


def render_autoscaler(
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
    workload = {"apiVersion": api_version, "kind": kind, "name": request.runtime_name}
    return with_digest(
        {
            "apiVersion": "autoscaling/v2",
            "kind": "HorizontalPodAutoscaler",
            "metadata": {
                "name": request.runtime_name,
                "namespace": request.namespace,
                "labels": labels_for(request, implementation),
                "annotations": annotations_for(request),
            },
            "spec": {
                "scaleTargetRef": workload,
                "minReplicas": request.scaling.min_replicas,
                "maxReplicas": request.scaling.max_replicas,
                "metrics": [_metric(request.scaling.metric, target)],
            },
        }
    )


def _metric(metric: Metric, target: ClusterTarget) -> Manifest:
    wanted = metric.target or target.hpa_target or DEFAULT_TARGET
    if metric.type == "pods":
        average = {"type": "AverageValue", "averageValue": str(wanted)}
        return {"type": "Pods", "pods": {"metric": {"name": metric.name}, "target": average}}
    share = {"type": "Utilization", "averageUtilization": wanted}
    return {"type": "Resource", "resource": {"name": metric.type, "target": share}}

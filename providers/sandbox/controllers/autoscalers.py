"""HorizontalPodAutoscalers: minimum and maximum always, the metric where the cluster has one."""

from math import ceil

from providers.contract.manifest import Manifest
from providers.sandbox.desk import Desk
from providers.sandbox.events import tell
from providers.sandbox.ownership import apply

EVERY_SECONDS = 15.0
_DISABLED = "scaling is disabled since the replica count of the target is zero"
_UNREADABLE = (
    "the HPA was unable to compute the replica count: failed to get {name} utilization: unable to "
    "get metrics for resource {name}: unable to fetch metrics from resource metrics API: the "
    "server could not find the requested resource (get pods.metrics.k8s.io)"
)
# Replicas, and what the condition ScalingActive says: status, reason, message.
Verdict = tuple[int, str, tuple[str, str]]


def reconcile(desk: Desk, usage: int | None, item: Manifest) -> float:
    """Bring a Deployment within its bounds and to its metric; `usage` is of each pod in percent."""
    name, namespace = item["spec"]["scaleTargetRef"]["name"], item["metadata"]["namespace"]
    target = desk.store.get("deployments", name, namespace)
    if target is None:
        return EVERY_SECONDS
    wanted, status, why = _judge(item["spec"], target, usage)
    if wanted != target["spec"]["replicas"]:
        entry = desk.entry_of("kube-controller-manager", "Update", target["apiVersion"])
        scale = {"spec": {"replicas": wanted}}
        desk.write(apply(target, scale, entry | {"subresource": "scale"}, force=True))
        tell(desk, item, "SuccessfulRescale", f"New size: {wanted}")
    told = {
        "conditions": [desk.condition(item, "ScalingActive", status, why)],
        "currentReplicas": target["status"].get("replicas", 0),
        "desiredReplicas": wanted,
    }
    desk.write({**item, "status": item["status"] | told})
    return EVERY_SECONDS


def _judge(spec: Manifest, target: Manifest, usage: int | None) -> Verdict:
    present = target["spec"]["replicas"]
    if present == 0:
        return 0, "False", ("ScalingDisabled", _DISABLED)
    metric = spec["metrics"][0].get("resource") or {"name": "pods", "target": {}}
    asked, status, why = present, "False", ("FailedGetResourceMetric", _UNREADABLE)
    if usage is not None:
        share = usage / metric["target"].get("averageUtilization", 80)
        asked = ceil(target["status"].get("readyReplicas", 0) * share) or present
        text = "the HPA was able to successfully calculate a replica count from {name} utilization"
        status, why = "True", ("ValidMetricFound", text)
    wanted = min(max(asked, spec["minReplicas"]), spec["maxReplicas"])
    return wanted, status, (why[0], why[1].format(name=metric["name"]))

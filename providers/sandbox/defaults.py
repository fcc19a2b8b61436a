"""What the API server fills in where a body is silent, by kind.

Changes the object that it is given, which must not be a stored one.
"""

from collections.abc import Callable, Iterable, Mapping
from copy import deepcopy

from providers.contract.manifest import Manifest

_PROBES = ("livenessProbe", "readinessProbe", "startupProbe")
_PROBE = {"timeoutSeconds": 1, "periodSeconds": 10, "successThreshold": 1, "failureThreshold": 3}
_POD = {
    "restartPolicy": "Always",
    "terminationGracePeriodSeconds": 30,
    "dnsPolicy": "ClusterFirst",
    "securityContext": {},
    "schedulerName": "default-scheduler",
}
_CONTAINER = {
    "resources": {},
    "terminationMessagePath": "/dev/termination-log",
    "terminationMessagePolicy": "File",
}
_SERVICE = {
    "type": "ClusterIP",
    "sessionAffinity": "None",
    "ipFamilies": ["IPv4"],
    "ipFamilyPolicy": "SingleStack",
    "internalTrafficPolicy": "Cluster",
}
_TOLERATED = ("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable")


def fill_in(plural: str, item: Manifest) -> None:
    """Fill in what is missing; required but empty fields are sent too."""
    if plural in _BY_PLURAL:
        _BY_PLURAL[plural](item)


def _fill(item: Manifest, values: Mapping[str, object]) -> None:
    for name, value in values.items():
        item.setdefault(name, deepcopy(value))


def _namespace(item: Manifest) -> None:
    labels = item["metadata"].setdefault("labels", {})
    labels["kubernetes.io/metadata.name"] = item["metadata"]["name"]
    _fill(item, {"spec": {"finalizers": ["kubernetes"]}, "status": {"phase": "Active"}})


def _deployment(item: Manifest) -> None:
    spec = item.setdefault("spec", {})
    _fill(spec, {"replicas": 1, "strategy": {}})
    _fill(spec, {"revisionHistoryLimit": 10, "progressDeadlineSeconds": 600})
    strategy = spec["strategy"]
    strategy.setdefault("type", "RollingUpdate")
    if strategy["type"] == "RollingUpdate":
        rolling = strategy.setdefault("rollingUpdate", {})
        _fill(rolling, {"maxUnavailable": "25%", "maxSurge": "25%"})
    _pod_spec(spec.setdefault("template", {}).setdefault("spec", {}))
    item.setdefault("status", {})


def _replica_set(item: Manifest) -> None:
    spec = item.setdefault("spec", {})
    spec.setdefault("replicas", 1)
    _pod_spec(spec.setdefault("template", {}).setdefault("spec", {}))
    item.setdefault("status", {"replicas": 0})


def _pod(item: Manifest) -> None:
    spec = item.setdefault("spec", {})
    _pod_spec(spec)
    spec.setdefault("enableServiceLinks", True)
    spec.setdefault("serviceAccountName", "default")
    tolerations = spec.setdefault("tolerations", [])
    for key in _TOLERATED:
        if not any(toleration.get("key") == key for toleration in tolerations):
            tolerations.append(
                {
                    "key": key,
                    "operator": "Exists",
                    "effect": "NoExecute",
                    "tolerationSeconds": 300,
                }
            )
    item.setdefault("status", {"phase": "Pending", "qosClass": "Burstable"})


def _pod_spec(spec: Manifest) -> None:
    _fill(spec, _POD)
    for container in containers_of(spec):
        _container(container)


def _container(container: Manifest) -> None:
    latest = (container.get("image") or "").rpartition(":")[2] == "latest"
    container.setdefault("imagePullPolicy", "Always" if latest else "IfNotPresent")
    _fill(container, _CONTAINER)
    for port in container.get("ports") or ():
        port.setdefault("protocol", "TCP")
    limits = container["resources"].get("limits")
    if limits:
        _fill(container["resources"].setdefault("requests", {}), limits)
    for name in _PROBES:
        if container.get(name):
            _fill(container[name], _PROBE)
            if "httpGet" in container[name]:
                container[name]["httpGet"].setdefault("scheme", "HTTP")


def _service(item: Manifest) -> None:
    spec = item.setdefault("spec", {})
    _fill(spec, _SERVICE)
    for port in spec.get("ports") or ():
        port.setdefault("protocol", "TCP")
        port.setdefault("targetPort", port.get("port"))
    item.setdefault("status", {"loadBalancer": {}})


def _autoscaler(item: Manifest) -> None:
    item.setdefault("spec", {}).setdefault("minReplicas", 1)
    item.setdefault("status", {"desiredReplicas": 0, "currentMetrics": None})


def containers_of(spec: Manifest) -> Iterable[Manifest]:
    """Return a pod's containers, those that run first among them."""
    return [*(spec.get("initContainers") or ()), *(spec.get("containers") or ())]


_BY_PLURAL: Mapping[str, Callable[[Manifest], None]] = {
    "namespaces": _namespace,
    "deployments": _deployment,
    "replicasets": _replica_set,
    "pods": _pod,
    "services": _service,
    "horizontalpodautoscalers": _autoscaler,
    "resourcequotas": lambda item: _fill(item, {"status": {}}),
    "persistentvolumeclaims": lambda item: _fill(item, {"status": {"phase": "Bound"}}),
}

"""Where each kind lives on the API server: group, version, plural, and whether it has namespaces.

A table, so that no discovery is needed before a call; a provider adds the kinds that it brings
along when it is loaded. Knows no object.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import quote

from providers.contract.manifest import Manifest, ObjectKey, key_of


@dataclass(frozen=True, kw_only=True, slots=True)
class Resource:
    """One kind of object as the API server names it."""

    api_version: str
    kind: str
    plural: str
    namespaced: bool = True

    @property
    def group_path(self) -> str:
        """Return the path of its group and version, which answers discovery."""
        root = "apis" if "/" in self.api_version else "api"
        return f"/{root}/{self.api_version}"

    def collection(self, namespace: str = "") -> str:
        """Return the path of the list: of one namespace, or of all when none is given."""
        if namespace and self.namespaced:
            return f"{self.group_path}/namespaces/{quote(namespace, safe='')}/{self.plural}"
        return f"{self.group_path}/{self.plural}"

    def item(self, name: str, namespace: str = "") -> str:
        """Return the path of one object."""
        return f"{self.collection(namespace)}/{quote(name, safe='')}"

    def key(self, name: str, namespace: str = "") -> ObjectKey:
        """Return the key of one object of this kind."""
        return ObjectKey(
            api_version=self.api_version, kind=self.kind, name=name, namespace=namespace
        )


NAMESPACES = Resource(api_version="v1", kind="Namespace", plural="namespaces", namespaced=False)
NODES = Resource(api_version="v1", kind="Node", plural="nodes", namespaced=False)
PODS = Resource(api_version="v1", kind="Pod", plural="pods")
POD_METRICS = Resource(api_version="metrics.k8s.io/v1beta1", kind="PodMetrics", plural="pods")
EVENTS = Resource(api_version="v1", kind="Event", plural="events")
SERVICES = Resource(api_version="v1", kind="Service", plural="services")
SECRETS = Resource(api_version="v1", kind="Secret", plural="secrets")
SERVICE_ACCOUNTS = Resource(api_version="v1", kind="ServiceAccount", plural="serviceaccounts")
CLAIMS = Resource(api_version="v1", kind="PersistentVolumeClaim", plural="persistentvolumeclaims")
QUOTAS = Resource(api_version="v1", kind="ResourceQuota", plural="resourcequotas")
DEPLOYMENTS = Resource(api_version="apps/v1", kind="Deployment", plural="deployments")
REPLICA_SETS = Resource(api_version="apps/v1", kind="ReplicaSet", plural="replicasets")
AUTOSCALERS = Resource(
    api_version="autoscaling/v2",
    kind="HorizontalPodAutoscaler",
    plural="horizontalpodautoscalers",
)
ENDPOINT_SLICES = Resource(
    api_version="discovery.k8s.io/v1", kind="EndpointSlice", plural="endpointslices"
)
STORM_SERVICES = Resource(
    api_version="orchestration.aibrix.ai/v1alpha1", kind="StormService", plural="stormservices"
)
POD_AUTOSCALERS = Resource(
    api_version="autoscaling.aibrix.ai/v1alpha1", kind="PodAutoscaler", plural="podautoscalers"
)
SCALED_OBJECTS = Resource(
    api_version="keda.sh/v1alpha1", kind="ScaledObject", plural="scaledobjects"
)
INFERENCE_SERVICES = Resource(
    api_version="serving.kserve.io/v1beta1", kind="InferenceService", plural="inferenceservices"
)
SERVING_RUNTIMES = Resource(
    api_version="serving.kserve.io/v1alpha1", kind="ServingRuntime", plural="servingruntimes"
)
CLUSTER_SERVING_RUNTIMES = Resource(
    api_version="serving.kserve.io/v1alpha1",
    kind="ClusterServingRuntime",
    plural="clusterservingruntimes",
    namespaced=False,
)

_KNOWN: dict[tuple[str, str], Resource] = {
    (resource.api_version, resource.kind): resource
    for resource in list(globals().values())
    if isinstance(resource, Resource)
}

WORKLOADS: dict[str, Resource] = {
    "k8s-deployment": DEPLOYMENTS,
    "stormservice": STORM_SERVICES,
    "kserve-inferenceservice": INFERENCE_SERVICES,
}
"""The object whose presence tells that an implementation is installed."""


def know(implementation: str, workload: Resource, others: Iterable[Resource] = ()) -> None:
    """Add the kinds of an implementation; the first is the one that must be installed."""
    WORKLOADS[implementation] = workload
    for resource in (workload, *others):
        _KNOWN[resource.api_version, resource.kind] = resource


def resource_of(key: ObjectKey) -> Resource:
    """Return the resource of a key; raises LookupError for a kind that the table lacks."""
    try:
        return _KNOWN[key.api_version, key.kind]
    except KeyError:
        raise LookupError(f"{key.api_version} {key.kind} is not in the table of kinds") from None


def path_of(manifest: Manifest) -> str:
    """Return the path of the object that a manifest describes."""
    key = key_of(manifest)
    return resource_of(key).item(key.name, key.namespace)

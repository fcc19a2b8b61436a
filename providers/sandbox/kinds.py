"""The kinds that the simulated cluster knows, where they live, and how it presents itself."""

from collections.abc import Mapping
from dataclasses import dataclass

from providers.contract.manifest import Manifest

VERSION = "v1.36.3"
_VERBS = ["create", "delete", "get", "list", "patch"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Kind:
    """One kind of object; `counts_changes` are those whose spec has a generation."""

    name: str
    plural: str
    group: str = ""
    version: str = "v1"
    namespaced: bool = True
    counts_changes: bool = False

    @property
    def api_version(self) -> str:
        """Return what objects bear as apiVersion."""
        return f"{self.group}/{self.version}" if self.group else self.version

    @property
    def qualified(self) -> str:
        """Return the plural as messages name it: `deployments.apps`."""
        return f"{self.plural}.{self.group}" if self.group else self.plural

    @property
    def titled(self) -> str:
        """Return the kind as messages of validation name it: `Deployment.apps`."""
        return f"{self.name}.{self.group}" if self.group else self.name


KINDS = (
    Kind(name="Namespace", plural="namespaces", namespaced=False),
    Kind(name="Node", plural="nodes", namespaced=False),
    Kind(name="Pod", plural="pods", counts_changes=True),
    Kind(name="Service", plural="services"),
    Kind(name="Event", plural="events"),
    Kind(name="ResourceQuota", plural="resourcequotas"),
    Kind(name="Secret", plural="secrets"),
    Kind(name="ConfigMap", plural="configmaps"),
    Kind(name="ServiceAccount", plural="serviceaccounts"),
    Kind(name="PersistentVolumeClaim", plural="persistentvolumeclaims"),
    Kind(name="Deployment", plural="deployments", group="apps", counts_changes=True),
    Kind(name="ReplicaSet", plural="replicasets", group="apps", counts_changes=True),
    Kind(
        name="HorizontalPodAutoscaler",
        plural="horizontalpodautoscalers",
        group="autoscaling",
        version="v2",
    ),
    Kind(
        name="EndpointSlice",
        plural="endpointslices",
        group="discovery.k8s.io",
        counts_changes=True,
    ),
)
BY_PLURAL: Mapping[str, Kind] = {kind.plural: kind for kind in KINDS}
SCALABLE = frozenset({"deployments", "replicasets"})


def describe(path: str) -> Manifest | None:
    """Return what discovery answers at a path, None where there is nothing."""
    if path == "/version":
        major, minor, _ = VERSION.removeprefix("v").split(".")
        return {"major": major, "minor": minor, "gitVersion": VERSION, "platform": "linux/amd64"}
    if path == "/api":
        return {"kind": "APIVersions", "versions": ["v1"]}
    if path == "/apis":
        return {"kind": "APIGroupList", "apiVersion": "v1", "groups": _groups()}
    resources = [entry for kind in KINDS if path == _root(kind) for entry in _resources(kind)]
    if not resources:
        return None
    group_version = path.removeprefix("/apis/").removeprefix("/api/")
    return {
        "kind": "APIResourceList",
        "apiVersion": "v1",
        "groupVersion": group_version,
        "resources": resources,
    }


def _root(kind: Kind) -> str:
    return f"/{'apis' if kind.group else 'api'}/{kind.api_version}"


def _groups() -> list[Manifest]:
    found = {kind.group: kind for kind in KINDS if kind.group}
    groups = []
    for name, kind in found.items():
        version = {"groupVersion": kind.api_version, "version": kind.version}
        groups.append({"name": name, "versions": [version], "preferredVersion": version})
    return groups


def _resources(kind: Kind) -> list[Manifest]:
    entry = {
        "name": kind.plural,
        "singularName": kind.name.lower(),
        "namespaced": kind.namespaced,
        "kind": kind.name,
        "verbs": _VERBS,
    }
    if kind.plural not in SCALABLE:
        return [entry]
    scale = {"kind": "Scale", "group": "autoscaling", "version": "v1", "verbs": ["get", "patch"]}
    return [entry, entry | {"name": f"{kind.plural}/scale", "singularName": ""} | scale]

"""Where an order goes: the cluster by name or region, and a namespace that may be launched into."""

from deployments.exceptions import InvalidOrder, NoCluster
from deployments.models import Cluster
from deployments.services.clusters import synchronise_default_cluster
from deployments.services.orders import LaunchOrder

ANYWHERE = "global"


def choose_cluster(order: LaunchOrder) -> Cluster:
    """Return the cluster that is named, else the first enabled one of the region."""
    synchronise_default_cluster()
    region = order.resolved_overrides().region or ""
    if order.target.cluster:
        return _named_cluster(order.target.cluster, region)
    enabled = list(Cluster.objects.enabled().default_first())
    if not enabled:
        raise NoCluster(
            "no cluster is configured; ask an admin to add one or to set K8S_KUBECONFIG"
        )
    for cluster in enabled:
        if is_in_region(cluster, region):
            return cluster
    raise InvalidOrder.of(
        order.path_of("overrides.region"),
        f"no cluster is in the region {region}; use one of {_regions_of(enabled)}",
    )


def choose_namespace(order: LaunchOrder, cluster: Cluster) -> str:
    """Return the namespace of an order; raises InvalidOrder for one that is not opened."""
    wanted = order.target.namespace or cluster.default_namespace
    if wanted not in cluster.launch_namespaces:
        raise InvalidOrder.of(
            "target.namespace",
            f"{wanted} may not be launched into on {cluster.name}; "
            f"use one of {', '.join(cluster.launch_namespaces)}",
        )
    return wanted


def is_in_region(cluster: Cluster, region: str) -> bool:
    """Tell whether a cluster serves a region; GLOBAL or nothing asks for none in particular."""
    wanted = region.casefold()
    return wanted in {"", ANYWHERE} or cluster.region.casefold() in {wanted, ANYWHERE}


def _named_cluster(name: str, region: str) -> Cluster:
    cluster = Cluster.objects.named(name)
    if cluster is None or not cluster.enabled:
        fault = "is disabled" if cluster else "is not known"
        names = ", ".join(Cluster.objects.enabled().values_list("name", flat=True)) or "none"
        raise InvalidOrder.of("target.cluster", f"{name} {fault}; use one of {names}")
    if not is_in_region(cluster, region):
        raise InvalidOrder.of(
            "target.cluster",
            f"{name} is in the region {cluster.region or 'GLOBAL'}, not in {region}",
        )
    return cluster


def _regions_of(clusters: list[Cluster]) -> str:
    return ", ".join(
        sorted({cluster.region for cluster in clusters if cluster.region} | {"GLOBAL"})
    )

"""Cluster rows: the one that the environment names, and what a provider is told of any of them."""

from collections.abc import Mapping

from django.conf import settings
from django.db import IntegrityError

from deployments.models import Cluster
from deployments.models.cluster import DEFAULT_NAME
from providers.contract.target import AcceleratorMapping, ClusterTarget, Connection


def synchronise_default_cluster() -> None:
    """Bring the row `default` to what the environment says; without a cluster there, disable it."""
    environment = settings.K8S
    wanted = _columns() if environment.is_configured else {"enabled": False}
    row = Cluster.objects.filter(name=DEFAULT_NAME).values(*wanted).first()
    if row == wanted or (row is None and not environment.is_configured):
        return
    if Cluster.objects.filter(name=DEFAULT_NAME).update(**wanted):
        return
    try:
        Cluster.objects.create(name=DEFAULT_NAME, **wanted)
    except IntegrityError:
        # Another process made it at the same moment, from the same environment.
        return


def target_of(cluster: Cluster) -> ClusterTarget:
    """Return a cluster as a provider sees it; what the row leaves open the environment fills."""
    environment = settings.K8S
    return ClusterTarget(
        key=str(cluster.pk),
        name=cluster.name,
        connection=Connection(
            kubeconfig=cluster.kubeconfig, context=cluster.context, in_cluster=cluster.in_cluster
        ),
        default_namespace=cluster.default_namespace,
        namespaces=cluster.launch_namespaces,
        region=cluster.region,
        accelerators={name: _mapping(body) for name, body in cluster.accelerators.items()},
        image_pull_secrets=tuple(cluster.image_pull_secrets),
        service_account=cluster.service_account,
        run_as_user=cluster.run_as_user,
        pod_env=dict(cluster.pod_env),
        service_type=cluster.service_type or environment.service_type,
        container_port=cluster.container_port or environment.container_port,
        service_port=cluster.service_port or environment.service_port,
        hpa_target=cluster.hpa_target or environment.hpa_target_cpu_utilization,
        uid=cluster.uid,
        creatable_namespace=environment.namespace if cluster.is_from_environment else "",
    )


def _columns() -> dict[str, str | bool]:
    environment = settings.K8S
    return {
        "enabled": True,
        "kubeconfig": environment.kubeconfig,
        "context": environment.context,
        "in_cluster": environment.in_cluster,
        "default_namespace": environment.namespace or "default",
    }


def _mapping(body: Mapping[str, object]) -> AcceleratorMapping:
    default = AcceleratorMapping()
    selector, tolerations = body.get("node_selector"), body.get("tolerations")
    return AcceleratorMapping(
        resource=str(body.get("resource") or default.resource),
        node_selector=dict(selector) if isinstance(selector, Mapping) else {},
        tolerations=tuple(tolerations) if isinstance(tolerations, list) else (),
        runtime_class=str(body.get("runtime_class") or ""),
    )

"""Cluster rows: those that the environment names, and what a provider is told of any of them.

The environment names one of two: the cluster of the `K8S_*` variables (row `default`), else the
simulated one that was started along (row `sandbox`). The other row is disabled, and kept.
"""

from collections.abc import Iterable, Mapping

from django.conf import settings
from django.db import IntegrityError, transaction

from deployments.models import Cluster
from deployments.models.cluster import DEFAULT_NAME
from providers import registry
from providers.contract.target import AcceleratorMapping, ClusterTarget, Connection

SANDBOX_NAME = "sandbox"
# What the simulated cluster has, as an administrator would enter it; only written at first.
_SANDBOX: Mapping[str, object] = {
    "namespaces": ["models", "research", "playground"],
    "default_namespace": "models",
    "accelerators": {
        "H100": {"node_selector": {"nvidia.com/gpu.product": "NVIDIA-H100-80GB-HBM3"}},
        "L40S": {"node_selector": {"nvidia.com/gpu.product": "NVIDIA-L40S"}},
        "MI300X": {"resource": "amd.com/gpu"},
    },
}


def synchronise_default_cluster() -> None:
    """Bring the rows `default` and `sandbox` to what the environment says."""
    is_real, sandbox = settings.K8S.is_configured, settings.SANDBOX_KUBECONFIG
    _bring(DEFAULT_NAME, _columns() if is_real else None, {})
    is_simulated = bool(sandbox) and not is_real
    wanted = {"enabled": True, "kubeconfig": sandbox} if is_simulated else None
    _bring(SANDBOX_NAME, wanted, _SANDBOX)


def _bring(
    name: str, wanted: Mapping[str, str | bool] | None, at_first: Mapping[str, object]
) -> None:
    """Bring a row to the wanted columns, or disable it when there are none; write only changes."""
    columns = wanted or {"enabled": False}
    row = Cluster.objects.filter(name=name).values(*columns).first()
    if row == columns or (row is None and wanted is None):
        return
    if Cluster.objects.filter(name=name).update(**columns, next_try_at=None):
        return
    try:
        with transaction.atomic():
            Cluster.objects.create(name=name, **columns, **at_first)
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


def kinds_on(cluster: Cluster) -> Mapping[str, bool]:
    """Tell of every implementation that is named here whether a cluster has it, as last seen.

    One that nobody looked for yet is absent.
    """
    return {
        kind: bool(cluster.kinds[kind]) for kind in registry.providers() if kind in cluster.kinds
    }


def unseen_kinds(cluster: Cluster) -> tuple[str, ...]:
    """Return the implementations of which the last full pass could not tell whether it has them."""
    if cluster.last_pass_at is None:
        return ()
    asked = (one.kind for one in registry.providers().values() if one.door is not None)
    return tuple(kind for kind in asked if kind not in cluster.kinds)


def without_kind(clusters: Iterable[Cluster], kind: str) -> tuple[str, ...]:
    """Return the names of those clusters that were seen last not to have an implementation."""
    return tuple(one.name for one in clusters if kinds_on(one).get(kind) is False)


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

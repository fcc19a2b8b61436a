"""Where a deployment goes: one cluster as a provider sees it.

Built by the core from a cluster row and the settings; holds paths and names, never credentials.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from providers.contract.manifest import Manifest


@dataclass(frozen=True, kw_only=True, slots=True)
class Connection:
    """How to reach the API server: a kubeconfig path and context, or the pod's own account."""

    kubeconfig: str = ""
    context: str = ""
    in_cluster: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class AcceleratorMapping:
    """What an accelerator type is called on a cluster, and what its pods need besides."""

    resource: str = "nvidia.com/gpu"
    node_selector: Mapping[str, str] = field(default_factory=dict)
    tolerations: tuple[Manifest, ...] = ()
    runtime_class: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class ClusterTarget:
    """One cluster: `key` is stable and unique, `uid` that of its kube-system namespace or empty.

    `namespaces` may be launched into. `creatable_namespace` is the one namespace that a create
    may make when it is missing. Ports are numbers or None; `hpa_target` is a percentage or None;
    a template's own values come before these.
    """

    key: str
    name: str
    connection: Connection
    default_namespace: str
    namespaces: tuple[str, ...]
    region: str = ""
    accelerators: Mapping[str, AcceleratorMapping] = field(default_factory=dict)
    image_pull_secrets: tuple[str, ...] = ()
    service_account: str = ""
    run_as_user: int | None = None
    pod_env: Mapping[str, str] = field(default_factory=dict)
    service_type: str = "ClusterIP"
    container_port: int | None = None
    service_port: int | None = None
    hpa_target: int | None = None
    uid: str = ""
    creatable_namespace: str = ""

    def accelerator(self, accelerator_type: str) -> AcceleratorMapping | None:
        """Return the mapping of a type, whatever its case; None when the cluster has none."""
        wanted = accelerator_type.casefold()
        for name, mapping in self.accelerators.items():
            if name.casefold() == wanted:
                return mapping
        return None

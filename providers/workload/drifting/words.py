"""Who a field manager is, in words, and whether it writes again by itself.

Managers are named by the tools themselves: kubectl by its command, controllers by their own name.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from providers.workload.drifting.holders import Entry

UNKNOWN = "unknown manager"
_SOMEBODY = "somebody with"
_AUTOSCALER = "kube-controller-manager"


@dataclass(frozen=True, kw_only=True, slots=True)
class Tool:
    """A program that keeps objects as it was told; `where` to change what it was told."""

    name: str
    where: str


TOOLS: Mapping[str, Tool] = {
    "argocd-controller": Tool(name="Argo CD", where="its application"),
    "argocd-application-controller": Tool(name="Argo CD", where="its application"),
    "kustomize-controller": Tool(name="Flux", where="its Kustomization"),
    "helm-controller": Tool(name="Flux", where="its HelmRelease"),
    "fleetagent": Tool(name="Rancher Fleet", where="its bundle"),
    "config-sync": Tool(name="Config Sync", where="its repository"),
    "keda-operator": Tool(name="KEDA", where="its ScaledObject"),
}
"""Those that look again and again, and write what somebody else has changed."""

_ONCE: Mapping[str, str] = {
    "helm": "Helm",
    "HashiCorp": "Terraform",
    "Terraform": "Terraform",
    "pulumi-kubernetes": "Pulumi",
    "kubectl-client-side-apply": f"{_SOMEBODY} kubectl apply",
    "k9s": f"{_SOMEBODY} k9s",
    "rancher": f"{_SOMEBODY} Rancher",
    "vpa-updater": "the vertical autoscaler",
    "vpa-recommender": "the vertical autoscaler",
    "horizontal-pod-autoscaler": "an autoscaler",
}


def who_is(entry: Entry | None) -> str:
    """Return who wrote a field, for a sentence."""
    if entry is None or not entry.manager:
        return UNKNOWN
    tool = TOOLS.get(entry.manager)
    if tool is not None:
        return tool.name
    return _ONCE.get(entry.manager) or _spelt(entry)


def _spelt(entry: Entry) -> str:
    manager = entry.manager
    if manager == _AUTOSCALER:
        return "an autoscaler" if entry.subresource == "scale" else "a controller of the cluster"
    if manager == "kubectl":
        return f"{_SOMEBODY} {_plain_kubectl(entry)}"
    if manager.startswith("kubectl-"):
        return f"{_SOMEBODY} kubectl {manager.removeprefix('kubectl-')}"
    return manager


def _plain_kubectl(entry: Entry) -> str:
    if entry.subresource == "scale":
        return "kubectl scale"
    return "kubectl apply" if entry.operation == "Apply" else "kubectl"

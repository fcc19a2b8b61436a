"""What tests look at: one pod of a namespace, its container's state, its conditions and events."""

from collections.abc import Sequence

from providers.contract.manifest import Manifest
from tests.cluster.harness.api import Api, namespaced


def pod_of(api: Api, namespace: str, name: str = "engine") -> Manifest:
    """Return a pod."""
    return api.get(namespaced(namespace, "pods", name))


def container_of(pod: Manifest, kind: str = "containerStatuses") -> Manifest:
    """Return the status of the first container, empty before a kubelet wrote one."""
    statuses: Sequence[Manifest] = (pod.get("status") or {}).get(kind) or [{}]
    return statuses[0]


def waiting_of(pod: Manifest, kind: str = "containerStatuses") -> Manifest:
    """Return reason and message of a waiting container, empty when it does not wait."""
    waiting: Manifest = (container_of(pod, kind).get("state") or {}).get("waiting") or {}
    return waiting


def condition_of(pod: Manifest, kind: str) -> Manifest:
    """Return a condition, empty when the pod has none of this type."""
    conditions: Sequence[Manifest] = (pod.get("status") or {}).get("conditions") or []
    return next((entry for entry in conditions if entry["type"] == kind), {})


def events_of(api: Api, namespace: str, reason: str) -> Sequence[Manifest]:
    """Return the events with a reason."""
    listed = api.get(namespaced(namespace, "events"), fieldSelector=f"reason={reason}")
    items: Sequence[Manifest] = listed["items"]
    return items

"""The two objects of an in-memory deployment: a workload and the service before it."""

from collections.abc import Mapping

from providers.contract.manifest import Manifest, digest_of
from providers.contract.protocols import Endpoint
from providers.contract.request import DeployRequest
from providers.engines import render_launch
from providers.workload.labels import annotations_for, restart_annotations, with_digest
from providers.workload.provenance import launch_annotations

API_VERSION = "memory.slipway.dev/v1"
WORKLOAD, SERVICE, REPLICA = "MemoryWorkload", "MemoryService", "MemoryReplica"
PORT = 8000


def render(request: DeployRequest) -> tuple[Manifest, ...]:
    """Return workload and service; an autoscaler is a part of the workload here."""
    return _workload(request), _service(request)


def pod_digest(request: DeployRequest) -> str:
    """Return what changes exactly when pods would have to restart."""
    return digest_of(_pod(request))


def endpoint_of(name: str, namespace: str) -> Endpoint:
    """Return an address that nobody answers."""
    return Endpoint(url=f"http://{name}.{namespace}.svc.cluster.local:{PORT}")


def _workload(request: DeployRequest) -> Manifest:
    scaling = request.scaling
    return with_digest(
        {
            "apiVersion": API_VERSION,
            "kind": WORKLOAD,
            "metadata": _metadata(request, launch_annotations(request)),
            "spec": {
                "replicas": scaling.min_replicas,
                "max_replicas": scaling.max_replicas,
                "autoscaled": scaling.has_autoscaler,
                "pod": _pod(request),
            },
        }
    )


def _pod(request: DeployRequest) -> Manifest:
    launch = render_launch(request, port=PORT)
    return {
        "image": request.spec.engine.image,
        "command": list(launch.command),
        "args": list(launch.args),
        **restart_annotations(request),
    }


def _service(request: DeployRequest) -> Manifest:
    return with_digest(
        {
            "apiVersion": API_VERSION,
            "kind": SERVICE,
            "metadata": _metadata(request, {}),
            "spec": {"port": PORT},
        }
    )


def _metadata(request: DeployRequest, annotations: Mapping[str, str]) -> Manifest:
    return {
        "name": request.runtime_name,
        "namespace": request.namespace,
        "labels": {
            "app.kubernetes.io/managed-by": "slipway",
            "slipway.dev/id": request.id,
            "slipway.dev/implementation": "memory",
        },
        "annotations": {**annotations_for(request), **annotations},
    }

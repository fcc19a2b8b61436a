"""The Service in front of a model's pods."""

from collections.abc import Mapping

from providers.contract.manifest import Manifest
from providers.contract.request import DeployRequest
from providers.contract.target import ClusterTarget
from providers.engines.launch import Launch
from providers.workload.labels import (
    annotations_for,
    labels_for,
    model_annotations,
    model_labels,
    selector_for,
    with_digest,
)
from providers.workload.ports import PORT_NAME, service_port


def render_service(
    request: DeployRequest,
    target: ClusterTarget,
    launch: Launch,
    *,
    implementation: str,
    suffix: str = "",
    answering: Mapping[str, str] | None = None,
) -> Manifest:
    """Return the Service, of the type that the cluster's row asks for.

    It points at the port by number: a name would have to be the same in every kind of pod. `suffix`
    follows the runtime name; `answering` are labels of those pods that may answer, where not all.
    """
    name = request.runtime_name + suffix
    port = service_port(request, target)
    return with_digest(
        {
            "apiVersion": "v1",
            "kind": "Service",
            "metadata": _metadata(request, name, port=port, implementation=implementation),
            "spec": {
                "type": target.service_type,
                "selector": {**selector_for(request), **(answering or {})},
                "ports": [
                    {
                        "name": PORT_NAME,
                        "port": port,
                        "protocol": "TCP",
                        "targetPort": launch.port,
                    }
                ],
            },
        }
    )


def _metadata(request: DeployRequest, name: str, *, port: int, implementation: str) -> Manifest:
    return {
        "name": name,
        "namespace": request.namespace,
        "labels": {**labels_for(request, implementation), **model_labels(request, port=port)},
        "annotations": {
            **annotations_for(request),
            **model_annotations(request, service=name),
        },
    }

"""Where a model answers: the cluster's DNS always, an outside address when there is one.

Pure: from a name and a Service. Which address of a node is reachable cannot be told from here, so
a NodePort is given by its number beside the line that forwards a port.
"""

from collections.abc import Iterable

from providers.contract.protocols import Endpoint
from providers.contract.request import DeploymentRef, DeployRequest
from providers.contract.target import ClusterTarget
from providers.workload.objects import Ingress, Service, ServicePort, present
from providers.workload.ports import service_port


def endpoint(request: DeployRequest, target: ClusterTarget) -> Endpoint:
    """Return where the model will answer, as far as that is known without the cluster."""
    return _inside(
        request.runtime_name, request.namespace, service_port(request, target), taken=False
    )


def endpoint_of(ref: DeploymentRef, services: Iterable[Service]) -> Endpoint:
    """Return where the model answers, with the outside address that its Service has by now."""
    service = next((s for s in services if s.name == ref.runtime_name), None)
    port = _port_of(service)
    number = (port.port if port else None) or ref.port
    outside = _outside(service, number)
    inside = _inside(ref.runtime_name, ref.namespace, number, taken=bool(outside))
    return Endpoint(
        url=inside.url, external_url=outside, port_forward=inside.port_forward, port=number
    )


def _inside(name: str, namespace: str, port: int, *, taken: bool) -> Endpoint:
    forward = f"kubectl -n {namespace} port-forward service/{name} {port}:{port}"
    return Endpoint(
        url=f"http://{name}.{namespace}.svc.cluster.local:{port}",
        port_forward="" if taken else forward,
        port=port,
    )


def _port_of(service: Service | None) -> ServicePort | None:
    ports = present(service.spec.ports if service and service.spec else None)
    return next((port for port in ports if port.port), None)


def _outside(service: Service | None, port: int) -> str:
    balancer = service.status.load_balancer if service and service.status else None
    for ingress in present(balancer.ingress if balancer else None):
        host = _host_of(ingress)
        if host:
            return f"http://{host}:{port}"
    return ""


def _host_of(ingress: Ingress) -> str:
    address = ingress.ip or ""
    return ingress.hostname or (f"[{address}]" if ":" in address else address)

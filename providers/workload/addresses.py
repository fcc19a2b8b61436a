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


def endpoint(request: DeployRequest, target: ClusterTarget, *, suffix: str = "") -> Endpoint:
    """Return where the model will answer, as far as that is known without the cluster.

    The Service has the runtime name and `suffix`.
    """
    name, port = request.runtime_name + suffix, service_port(request, target)
    return _inside(name, request.namespace, port, taken=False)


def endpoint_of(ref: DeploymentRef, services: Iterable[Service], *, suffix: str = "") -> Endpoint:
    """Return where the model answers, with the outside address that its Service has by now."""
    name = ref.runtime_name + suffix
    service = next((s for s in services if s.name == name), None)
    port = _port_of(service)
    number = (port.port if port else None) or ref.port
    outside = _outside(service, number)
    inside = _inside(name, ref.namespace, number, taken=bool(outside))
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

"""Services and endpoint slices in words: is anything ready behind them, and where they answer."""

from collections.abc import Iterable

from providers.workload.objects import EndpointSlice, SliceEndpoint, present
from providers.workload.objects.looked import ServiceInFull, ServiceSpecInFull
from providers.workload.states.said import IDLE, OK, PROGRESS, WARN, Said, facts_of, leaving
from providers.workload.status.wording import count_of, joined

_NO_IP = frozenset({None, "", "None"})


def say_service(service: ServiceInFull, slices: Iterable[EndpointSlice]) -> Said:
    """Return whether a Service leads anywhere; `slices` are its own."""
    spec = service.spec or ServiceSpecInFull()
    said = leaving(service.finalizers) if service.is_terminating else _service(service, slices)
    facts = facts_of(
        type=spec.type,
        ports=joined(str(port.port) for port in present(spec.ports) if port.port),
        node_ports=joined(str(port.node_port) for port in present(spec.ports) if port.node_port),
        address="" if spec.cluster_ip in _NO_IP else spec.cluster_ip,
        outside=_outside(service),
    )
    return Said(state=said.state, tone=said.tone, message=said.message, facts=facts)


def _service(service: ServiceInFull, slices: Iterable[EndpointSlice]) -> Said:
    if service.spec and service.spec.type == "LoadBalancer" and not _outside(service):
        message = "the cluster has given it no outside address yet"
        return Said(state="No address", tone=WARN, message=message)
    said = _endpoints([end for item in slices for end in present(item.endpoints)])
    return Said(state="In place", tone=OK, message=said.message) if said.tone == OK else said


def _outside(service: ServiceInFull) -> str:
    balancer = service.status.load_balancer if service.status else None
    entries = present(balancer.ingress if balancer else None)
    return joined(entry.hostname or entry.ip or "?" for entry in entries)


def say_slice(item: EndpointSlice) -> Said:
    """Return how many of its endpoints are ready."""
    endpoints = present(item.endpoints)
    said = leaving(item.finalizers) if item.is_terminating else _endpoints(endpoints)
    ready = sum(endpoint.is_ready for endpoint in endpoints)
    facts = facts_of(ready=ready, not_ready=len(endpoints) - ready)
    return Said(state=said.state, tone=said.tone, message=said.message, facts=facts)


def _endpoints(endpoints: Iterable[SliceEndpoint]) -> Said:
    each = [endpoint.is_ready for endpoint in endpoints]
    ready = sum(each)
    if not each:
        return Said(state="Empty", tone=IDLE, message="no pod stands behind it")
    told = f"{ready} of {count_of(len(each), 'endpoint')} ready"
    if not ready:
        return Said(state="None ready", tone=PROGRESS, message=told)
    state = "Ready" if ready == len(each) else "Partly ready"
    return Said(state=state, tone=OK, message=told)

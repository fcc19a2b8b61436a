"""Services and endpoint slices: where a model answers and which pods stand behind it."""

from msgspec import field

from providers.workload.objects.events import ObjectReference
from providers.workload.objects.meta import Amount, Item, Part


class ServicePort(Part, kw_only=True, frozen=True):
    name: str | None = None
    port: int | None = None
    target_port: Amount = None
    node_port: int | None = None


class ServiceSpec(Part, kw_only=True, frozen=True):
    type: str | None = None
    cluster_ip: str | None = field(name="clusterIP", default=None)
    selector: dict[str, str | None] | None = None
    ports: list[ServicePort | None] | None = None


class Ingress(Part, kw_only=True, frozen=True):
    ip: str | None = None
    hostname: str | None = None


class LoadBalancer(Part, kw_only=True, frozen=True):
    ingress: list[Ingress | None] | None = None


class ServiceStatus(Part, kw_only=True, frozen=True):
    load_balancer: LoadBalancer | None = None


class Service(Item, kw_only=True, frozen=True):
    spec: ServiceSpec | None = None
    status: ServiceStatus | None = None


class EndpointConditions(Part, kw_only=True, frozen=True):
    ready: bool | None = None
    serving: bool | None = None
    terminating: bool | None = None


class SliceEndpoint(Part, kw_only=True, frozen=True):
    """One backend; an absent `ready` means yes, says the API."""

    addresses: list[str | None] | None = None
    conditions: EndpointConditions | None = None
    target_ref: ObjectReference | None = None

    @property
    def is_ready(self) -> bool:
        return self.conditions is None or self.conditions.ready is not False


class EndpointSlice(Item, kw_only=True, frozen=True):
    endpoints: list[SliceEndpoint | None] | None = None

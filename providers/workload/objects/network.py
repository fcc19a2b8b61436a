"""Services and endpoint slices: where a model answers and which pods stand behind it."""

from providers.workload.objects.meta import Item, Part


class ServicePort(Part, kw_only=True, frozen=True):
    port: int | None = None


class ServiceSpec(Part, kw_only=True, frozen=True):
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


class SliceEndpoint(Part, kw_only=True, frozen=True):
    """One backend; an absent `ready` means yes, says the API."""

    conditions: EndpointConditions | None = None

    @property
    def is_ready(self) -> bool:
        return self.conditions is None or self.conditions.ready is not False


class EndpointSlice(Item, kw_only=True, frozen=True):
    endpoints: list[SliceEndpoint | None] | None = None

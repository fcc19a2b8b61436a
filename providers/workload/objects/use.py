"""What metrics.k8s.io says of a pod, and where a pod's containers listen."""

from decimal import Decimal

from providers.contract.quantity import lenient_quantity
from providers.workload.objects.meta import Amount, Item, Part, present
from providers.workload.objects.pods import Container, Pod, PodSpec


class ContainerUse(Part, kw_only=True, frozen=True):
    """One container's use now, by resource."""

    usage: dict[str, Amount] | None = None


class PodMetrics(Item, kw_only=True, frozen=True):
    """One pod's use now, container by container."""

    containers: list[ContainerUse | None] | None = None

    def total(self, resource: str) -> Decimal:
        """Return how much of a resource its containers use together."""
        found = ((one.usage or {}).get(resource) for one in present(self.containers))
        amounts = (lenient_quantity(str(amount)) for amount in found if amount is not None)
        return sum(amounts, Decimal(0))


class ContainerPort(Part, kw_only=True, frozen=True):
    container_port: int | None = None


class ListeningContainer(Container, kw_only=True, frozen=True):
    ports: list[ContainerPort | None] | None = None


class ListeningPodSpec(PodSpec, kw_only=True, frozen=True):
    containers: list[ListeningContainer | None] | None = None  # type: ignore[assignment]  # of the same, with more


class ListeningPod(Pod, kw_only=True, frozen=True):
    """A pod with the ports of its containers."""

    spec: ListeningPodSpec | None = None

    @property
    def port(self) -> int:
        """Return the first port that any container names, 0 where none does."""
        containers = present(self.spec.containers) if self.spec else ()
        ports = (one.container_port for each in containers for one in present(each.ports))
        return next((port for port in ports if port), 0)

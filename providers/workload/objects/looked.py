"""What is read of an object only where somebody looks at it: counts, addresses, metrics, tellers.

A pass over a whole cluster leaves these fields out, since of 10,000 pods each would be felt.
"""

from collections.abc import Mapping

from msgspec import field

from providers.workload.objects.events import Event
from providers.workload.objects.limits import (
    AutoscalerSpec,
    AutoscalerStatus,
    HorizontalPodAutoscaler,
)
from providers.workload.objects.meta import Amount, Item, ObjectMeta, Part
from providers.workload.objects.network import Service, ServicePort, ServiceSpec
from providers.workload.objects.pods import Pod, PodStatus
from providers.workload.objects.workloads import (
    Deployment,
    DeploymentStatus,
    ReplicaSet,
    ReplicaSetStatus,
)

# More than any counter of 64 bits has.
_DIGITS = 21


class DeploymentStatusInFull(DeploymentStatus, kw_only=True, frozen=True):
    ready_replicas: int | None = None


class DeploymentInFull(Deployment, kw_only=True, frozen=True):
    status: DeploymentStatusInFull | None = None


class ReplicaSetSpec(Part, kw_only=True, frozen=True):
    replicas: int | None = None


class ReplicaSetStatusInFull(ReplicaSetStatus, kw_only=True, frozen=True):
    replicas: int | None = None
    ready_replicas: int | None = None


class ReplicaSetInFull(ReplicaSet, kw_only=True, frozen=True):
    spec: ReplicaSetSpec | None = None
    status: ReplicaSetStatusInFull | None = None


class ServicePortInFull(ServicePort, kw_only=True, frozen=True):
    node_port: int | None = None


class ServiceSpecInFull(ServiceSpec, kw_only=True, frozen=True):
    type: str | None = None
    cluster_ip: str | None = field(name="clusterIP", default=None)
    ports: list[ServicePortInFull | None] | None = None  # type: ignore[assignment]  # of the same, with more


class ServiceInFull(Service, kw_only=True, frozen=True):
    spec: ServiceSpecInFull | None = None


class PodStatusInFull(PodStatus, kw_only=True, frozen=True):
    pod_ip: str | None = field(name="podIP", default=None)


class PodInFull(Pod, kw_only=True, frozen=True):
    status: PodStatusInFull | None = None

    @property
    def address(self) -> str:
        return (self.status.pod_ip if self.status else None) or ""


class MetricName(Part, kw_only=True, frozen=True):
    name: str | None = None


class MetricValue(Part, kw_only=True, frozen=True):
    """A value or its mean over pods, as it is wanted or as it is."""

    average_utilization: int | None = None
    average_value: Amount = None
    value: Amount = None


class MetricSource(Part, kw_only=True, frozen=True):
    """One metric: of a resource by `name`, else by the name in `metric`."""

    name: str | None = None
    metric: MetricName | None = None
    target: MetricValue | None = None
    current: MetricValue | None = None


class Metric(Part, kw_only=True, frozen=True):
    """One of an autoscaler's metrics; the member that its type names is the one that is there."""

    type: str | None = None
    resource: MetricSource | None = None
    container_resource: MetricSource | None = None
    pods: MetricSource | None = None
    object: MetricSource | None = None
    external: MetricSource | None = None

    @property
    def source(self) -> MetricSource:
        given = (self.resource, self.container_resource, self.pods, self.object, self.external)
        return next((source for source in given if source is not None), MetricSource())

    @property
    def name(self) -> str:
        source = self.source
        return source.name or (source.metric.name if source.metric else None) or self.type or "?"


class AutoscalerSpecInFull(AutoscalerSpec, kw_only=True, frozen=True):
    metrics: list[Metric | None] | None = None


class AutoscalerStatusInFull(AutoscalerStatus, kw_only=True, frozen=True):
    current_replicas: int | None = None
    desired_replicas: int | None = None
    current_metrics: list[Metric | None] | None = None


class AutoscalerInFull(HorizontalPodAutoscaler, kw_only=True, frozen=True):
    """An autoscaler with what it looks at."""

    spec: AutoscalerSpecInFull | None = None
    status: AutoscalerStatusInFull | None = None


class ClaimSpec(Part, kw_only=True, frozen=True):
    storage_class_name: str | None = None
    volume_name: str | None = None


class ClaimStatus(Part, kw_only=True, frozen=True):
    phase: str | None = None
    access_modes: list[str | None] | None = None
    capacity: dict[str, Amount] | None = None


class VolumeClaim(Item, kw_only=True, frozen=True):
    spec: ClaimSpec | None = None
    status: ClaimStatus | None = None

    @property
    def capacity(self) -> Mapping[str, Amount]:
        return (self.status.capacity if self.status else None) or {}


class EventSource(Part, kw_only=True, frozen=True):
    component: str | None = None


class VersionedMeta(ObjectMeta, kw_only=True, frozen=True):
    resource_version: str | None = None


class ToldEvent(Event, kw_only=True, frozen=True):
    """An event with who told it: old recorders name a source, new ones a reporting component."""

    metadata: VersionedMeta | None = None
    source: EventSource | None = None
    reporting_component: str | None = None

    @property
    def version(self) -> int:
        """Return which write of the whole cluster it was: what second it was is not fine enough."""
        text = (self.metadata.resource_version if self.metadata else None) or ""
        return int(text) if text.isascii() and text.isdigit() and len(text) < _DIGITS else 0

    @property
    def teller(self) -> str:
        source = self.source.component if self.source else None
        return self.reporting_component or source or ""

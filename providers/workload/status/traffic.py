"""Row 24: ready replicas that no request can reach."""

from collections.abc import Iterator
from datetime import datetime

from providers.contract.status import Phase
from providers.workload.objects import Pod, Service, condition_of, moment, present
from providers.workload.status.facts import Facts
from providers.workload.status.hits import Hit
from providers.workload.status.wording import joined

# Endpoints follow readiness by a moment.
ENDPOINTS_FOLLOW_WITHIN_SECONDS = 10


def find_unreachable_replicas(seen: Facts) -> Iterator[Hit]:
    """Row 24: the Service is missing, or stands before no ready pod."""
    if not seen.is_full or not seen.bundle.knows("Service"):
        return
    if not seen.bundle.services:
        message = "the Service is missing, so that nobody can reach the model; deploy it again"
        yield _hit("ServiceMissing", message, f"Service {seen.known.runtime_name}")
        return
    service = min(seen.bundle.services, key=lambda item: item.name)
    cause = _why_empty(seen, service)
    if cause:
        yield _hit("NoEndpoints", cause, f"Service {service.name}")


def _hit(reason: str, message: str, where: str) -> Hit:
    return Hit(row=24, phase=Phase.DEGRADED, reason=reason, message=message, object=where)


def _why_empty(seen: Facts, service: Service) -> str:
    selector = (service.spec.selector if service.spec else None) or {}
    if selector and not any(_selects(selector, pod) for pod in seen.current):
        wanted = joined(f"{key}={value}" for key, value in sorted(selector.items()))
        return f"Service {service.name} selects no pod: none has the labels {wanted}"
    if not seen.bundle.knows("EndpointSlice") or _has_endpoints(seen):
        return ""
    ready_since = min((at for pod in seen.current if (at := _ready_at(pod))), default=None)
    if not seen.is_older(ready_since, ENDPOINTS_FOLLOW_WITHIN_SECONDS):
        return ""
    return f"Service {service.name} has no ready endpoint"


def _selects(selector: dict[str, str | None], pod: Pod) -> bool:
    return all(pod.labels.get(key) == value for key, value in selector.items())


def _has_endpoints(seen: Facts) -> bool:
    return any(
        endpoint.is_ready
        for item in seen.bundle.endpoint_slices
        for endpoint in present(item.endpoints)
    )


def _ready_at(pod: Pod) -> datetime | None:
    ready = condition_of(pod.seen.conditions, "Ready")
    return moment(ready.last_transition_time) if ready and pod.is_ready else None

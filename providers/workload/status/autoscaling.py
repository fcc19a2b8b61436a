"""Row 25 and its notes: an autoscaler that is missing, blind or not alone."""

from collections.abc import Iterator

from providers.contract.status import Evidence, Phase
from providers.workload.objects import HorizontalPodAutoscaler, condition_of, moment
from providers.workload.status.facts import Facts
from providers.workload.status.hits import Hit
from providers.workload.status.scale import autoscalers_of, lowest_of
from providers.workload.status.wording import joined, short

# Metrics come late at every start of a pod.
METRICS_COME_WITHIN_SECONDS = 180


def find_autoscaler_faults(seen: Facts) -> Iterator[Hit]:
    """Row 25."""
    if seen.workload is None or not seen.bundle.knows("HorizontalPodAutoscaler"):
        return
    scalers = autoscalers_of(seen)
    if not scalers:
        if seen.known.scaling.has_autoscaler:
            message = "the autoscaler is missing, so that the number of replicas stands still"
            yield _hit("AutoscalerMissing", message, seen.where)
        return
    conflict = _conflict(scalers)
    if conflict:
        yield _hit("AutoscalerConflict", conflict, f"HorizontalPodAutoscaler {scalers[0].name}")
    for scaler in _moving(seen, scalers):
        blind = _why_blind(seen, scaler)
        if blind:
            yield _hit("AutoscalerNoMetrics", blind, f"HorizontalPodAutoscaler {scaler.name}")


def _hit(reason: str, message: str, where: str) -> Hit:
    return Hit(row=25, phase=Phase.DEGRADED, reason=reason, message=message, object=where)


def _conflict(scalers: tuple[HorizontalPodAutoscaler, ...]) -> str:
    if len(scalers) > 1:
        names = joined(scaler.name for scaler in scalers)
        return f"{len(scalers)} autoscalers act on one target ({names}); remove all but one"
    active = condition_of(scalers[0].conditions, "ScalingActive")
    if active is not None and active.reason == "AmbiguousSelector":
        return short(active.message) or "another autoscaler counts the same pods"
    return ""


def _moving(
    seen: Facts, scalers: tuple[HorizontalPodAutoscaler, ...]
) -> Iterator[HorizontalPodAutoscaler]:
    """Yield those that are to move the number: of a fixed one it is no matter what it sees."""
    for scaler in scalers:
        most = scaler.spec.max_replicas if scaler.spec else None
        if seen.known.scaling.has_autoscaler or most is None or lowest_of(scaler) < most:
            yield scaler


def _why_blind(seen: Facts, scaler: HorizontalPodAutoscaler) -> str:
    active = condition_of(scaler.conditions, "ScalingActive")
    if active is None or not active.is_false or "Metric" not in (active.reason or ""):
        return ""
    if not seen.is_older(moment(active.last_transition_time), METRICS_COME_WITHIN_SECONDS):
        return ""
    return f"autoscaler {scaler.name} cannot read its metric: {short(active.message)}"


def note_limit(seen: Facts) -> Iterator[Evidence]:
    """Tell that the autoscaler would want more than it may have."""
    for scaler in _moving(seen, autoscalers_of(seen)):
        limited = condition_of(scaler.conditions, "ScalingLimited")
        if limited and limited.is_true and limited.reason == "TooManyReplicas":
            highest = scaler.spec.max_replicas if scaler.spec else None
            message = f"the autoscaler wants more than its maximum of {highest} replicas"
            where = f"HorizontalPodAutoscaler {scaler.name}"
            yield Evidence(reason="AtMaxReplicas", message=message, object=where, row=26)

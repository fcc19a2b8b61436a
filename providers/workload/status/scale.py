"""Rows 7, 22 and 23: how many replicas there are, beside how many are wanted."""

from collections.abc import Iterator

from providers.contract.request import Intent
from providers.contract.status import Phase
from providers.workload.objects import HorizontalPodAutoscaler, Layer, Pod, moment
from providers.workload.status.facts import Facts
from providers.workload.status.hits import Hit
from providers.workload.status.replicas import missing_pods
from providers.workload.status.wording import count_of

# A pod is gone by its deletion timestamp, which has the grace period in it; a little more is usual.
STOPS_WITHIN_SECONDS = 30


def autoscalers_of(seen: Facts) -> tuple[HorizontalPodAutoscaler, ...]:
    """Return the autoscalers that point at what the workload scales by, by name."""
    kind, name = seen.scaled
    pointing = [
        scaler
        for scaler in seen.bundle.autoscalers
        if scaler.target.kind in {None, kind} and scaler.target.name == name
    ]
    is_alone = len(pointing) == 1  # as nearly all are
    return tuple(pointing if is_alone else sorted(pointing, key=_name_of))


def _name_of(scaler: HorizontalPodAutoscaler) -> str:
    return scaler.name


def find_stopped(seen: Facts) -> Iterator[Hit]:
    """Row 7: nobody wants a replica; an autoscaler that does is out of action at 0.

    Where a stop was ordered, it is in nobody's way: a controller may be yet to take it off.
    """
    workload = seen.workload
    if workload is None or seen.desired != 0:
        return
    scaler = next((item for item in autoscalers_of(seen) if lowest_of(item) >= 1), None)
    left = (*seen.current, *seen.old, *seen.leaving)
    is_ordered = seen.known.intent is Intent.STOPPED or bool(order_to_stop(seen))
    if scaler is not None and not is_ordered:
        message = (
            f"scaled to 0, where autoscaler {scaler.name} (min {lowest_of(scaler)}) cannot act; "
            "start the deployment again"
        )
        yield _hit(seen, 7, Phase.DEGRADED, "AutoscalerDisabled", message)
    elif left:
        message = f"stopping, {count_of(len(left), 'pod')} left"
        yield _hit(seen, 7, Phase.SCALING, "ScalingDown", message)
    else:
        yield _hit(seen, 7, Phase.STOPPED, "ScaledToZero", "stopped, 0 replicas wanted")


def order_to_stop(seen: Facts) -> str:
    """Return what on the workload orders it to stop beside its number, empty for nothing."""
    item = seen.bundle.workload_item
    return item.stopped_by if isinstance(item, Layer) else ""


def lowest_of(scaler: HorizontalPodAutoscaler) -> int:
    """Return the fewest replicas that an autoscaler keeps; the API's default is 1."""
    lowest = scaler.spec.min_replicas if scaler.spec else None
    return 1 if lowest is None else lowest


def missing_in(seen: Facts) -> int:
    """Return how many pods are not made yet."""
    return missing_pods(seen.workload, seen.current, seen.desired_replicas)


def find_scaling(seen: Facts) -> Iterator[Hit]:
    """Row 22: pods are still being made or still stopping, once the revision was full."""
    if not seen.was_full or not seen.is_watched or seen.desired == 0:
        return
    missing = missing_in(seen)
    stopping = [pod for pod in seen.leaving if _is_stopping(seen, pod)]
    more = len(seen.current) - seen.desired + len(stopping)
    if missing:
        message = f"{count_of(missing, 'pod')} not made yet"
        yield _hit(seen, 22, Phase.SCALING, "ScalingUp", message)
    elif more:
        yield _hit(seen, 22, Phase.SCALING, "ScalingDown", f"{count_of(more, 'pod')} to stop")


def _is_stopping(seen: Facts, pod: Pod) -> bool:
    """Tell whether a current pod is stopping in good time; one that hangs is nobody's scaling."""
    mark = seen.bundle.current
    if mark is None or not mark.is_on(pod):
        return False
    return not seen.is_older(moment(pod.meta.deletion_timestamp), STOPS_WITHIN_SECONDS)


def find_partly_ready(seen: Facts) -> Iterator[Hit]:
    """Row 23: fewer ready than wanted though all were before, and nothing above says why."""
    if seen.was_full and seen.is_watched and seen.ready_replicas < seen.desired_replicas:
        lacking = count_of(seen.desired_replicas - seen.ready_replicas, "replica")
        yield _hit(seen, 23, Phase.DEGRADED, "PartlyReady", f"{lacking} not ready")


def _hit(seen: Facts, row: int, phase: Phase, reason: str, message: str) -> Hit:
    return Hit(row=row, phase=phase, reason=reason, message=message, object=seen.where)

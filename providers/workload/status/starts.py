"""First starts of pods, so that others can be told how long one usually takes: pure, and cheap.

Asked of every deployment in every pass, so it looks at no pod where nothing has come up since.
"""

from collections.abc import Iterator
from datetime import datetime

from providers.contract.request import DeploymentRef
from providers.contract.starts import PodStart
from providers.contract.status import Status
from providers.workload.bundle import Bundle
from providers.workload.objects import Pod, condition_of, moment, present
from providers.workload.status.facts import PULL_ALLOWANCE_SECONDS


def starts_of(bundle: Bundle, known: DeploymentRef, status: Status) -> tuple[PodStart, ...]:
    """Return the starts of the current revision's pods while some are on their way, and once more
    when they have come up.

    One that restarted has no first start any more. One that is ready later than it was allowed was
    ready before and stopped to be: nothing is learnt from when it was again.
    """
    last = known.last_status
    has_risen = last is None or status.ready_replicas > last.ready_replicas
    if not has_risen and status.ready_replicas >= status.desired_replicas:
        return ()
    most = known.startup_budget_seconds + PULL_ALLOWANCE_SECONDS
    return tuple(start for start in _starts(bundle) if (start.seconds or 0) <= most)


def _starts(bundle: Bundle) -> Iterator[PodStart]:
    for pod in bundle.pods:
        if bundle.current is None or not bundle.current.is_on(pod) or not _is_first(pod):
            continue
        scheduled_at = _turned(pod, "PodScheduled")
        ready_at = _turned(pod, "Ready")
        if scheduled_at is not None:
            yield PodStart(pod_uid=pod.uid, scheduled_at=scheduled_at, ready_at=ready_at)


def _is_first(pod: Pod) -> bool:
    statuses = (*(pod.seen.init_container_statuses or ()), *(pod.seen.container_statuses or ()))
    is_live = bool(pod.uid) and not pod.is_finished and not pod.is_terminating
    return is_live and not any(status.restart_count for status in present(statuses))


def _turned(pod: Pod, kind: str) -> datetime | None:
    """Return when a condition became true, None where it is not."""
    condition = condition_of(pod.seen.conditions, kind)
    return moment(condition.last_transition_time) if condition and condition.is_true else None

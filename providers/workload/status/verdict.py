"""The status table itself: its rows in order, the verdict, the notes and the message.

The first hit is the verdict, every hit is kept as evidence. This module knows the order and the
sentence; what each row looks for stands with the row.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from providers.contract.request import DeploymentRef, Intent
from providers.contract.status import Evidence, Phase, Status
from providers.workload.bundle import Bundle
from providers.workload.status.autoscaling import find_autoscaler_faults, note_limit
from providers.workload.status.containers import find_container_faults
from providers.workload.status.crashes import find_crashes, find_out_of_memory, note_healed
from providers.workload.status.evictions import find_taken_pods, note_taken
from providers.workload.status.existence import (
    find_deletion,
    find_missing_workload,
    find_namespace,
    find_unreachable,
)
from providers.workload.status.facts import Facts, gather_facts
from providers.workload.status.hits import Hit
from providers.workload.status.images import find_image_faults
from providers.workload.status.loading import find_loading, find_never_ready
from providers.workload.status.log_causes import with_causes
from providers.workload.status.refusals import (
    find_refused_apply,
    find_refused_pods,
    find_unobserved,
)
from providers.workload.status.rollout import find_paused, find_rollout, find_timeout
from providers.workload.status.scale import (
    find_partly_ready,
    find_scaling,
    find_stopped,
    order_to_stop,
)
from providers.workload.status.scheduling import find_gated, find_unscheduled
from providers.workload.status.traffic import find_unreachable_replicas
from providers.workload.status.unread import find_unjudged, note_unreadable
from providers.workload.status.wording import count_of

Rule = Callable[[Facts], Iterable[Hit]]
NoteRule = Callable[[Facts], Iterable[Evidence]]

# A hundred pods with one fault are one finding.
MOST_EVIDENCE = 20
# Verdicts above this row are not about pods: only what serves all the same is counted with them.
_FIRST_COUNTED_ROW = 8
_UNCOUNTED_ROWS = frozenset({1, 2, 3, 7})
_WAITING_ROWS, _TAKEN_ROW = frozenset({10, 11}), 16
# Nothing was counted anew where the last phase stays.
_UNSEEN_ROWS = frozenset({1, 2})


def find_available(seen: Facts) -> Iterator[Hit]:
    """Row 26: everything that is wanted is ready."""
    if seen.is_full:
        message = _ready_words(seen)
        yield Hit(row=26, phase=Phase.READY, reason="Available", message=message, object=seen.where)


RULES: tuple[Rule, ...] = (
    find_unreachable,
    find_deletion,
    find_namespace,
    find_missing_workload,
    find_refused_apply,
    find_stopped,
    find_unobserved,
    find_refused_pods,
    find_unscheduled,
    find_gated,
    find_image_faults,
    find_container_faults,
    find_out_of_memory,
    find_crashes,
    find_taken_pods,
    find_paused,
    find_loading,
    find_never_ready,
    find_timeout,
    find_rollout,
    find_scaling,
    find_partly_ready,
    find_unreachable_replicas,
    find_autoscaler_faults,
    find_available,
)

# Rows about what is missing, too much or on its way: none of them can be where all is as wanted.
OF_UNSETTLED = frozenset(
    {
        find_stopped,
        find_unobserved,
        find_taken_pods,
        find_paused,
        find_loading,
        find_never_ready,
        find_timeout,
        find_rollout,
        find_scaling,
        find_partly_ready,
    }
)


def note_changes(seen: Facts) -> Iterator[Evidence]:
    """Tell what somebody else changed or replaced; what an autoscaler may set is not among it."""
    workload, known_uid = seen.workload, seen.known.workload_uid
    if workload and workload.uid and known_uid and workload.uid != known_uid:
        message = f"{seen.where} was replaced by another one outside of Slipway"
        yield Evidence(reason="ChangedOutside", message=message, object=seen.where, row=26)
    yield from _stopped_outside(seen)
    # An autoscaler sets any number but none.
    meant = {"spec.replicas"} if seen.known.scaling.has_autoscaler and seen.desired else set()
    for path in sorted({*seen.bundle.changed_outside} - meant):
        message = f"{path} was changed outside of Slipway"
        yield Evidence(reason="ChangedOutside", message=message, object=seen.where, row=26)


def _stopped_outside(seen: Facts) -> Iterator[Evidence]:
    """Tell of an order to stop that was not ours; one of ours stands until a start is written."""
    known, order = seen.known, order_to_stop(seen)
    is_written = known.revision == known.applied_revision
    if order and is_written and known.intent is Intent.RUNNING:
        message = f"stopped by somebody else's hand: {order} was set outside of Slipway"
        yield Evidence(reason="ChangedOutside", message=message, object=seen.where, row=26)


NOTES: tuple[NoteRule, ...] = (note_unreadable, note_changes, note_taken, note_healed, note_limit)


def derive_status(bundle: Bundle, known: DeploymentRef, now: datetime) -> Status:
    """Return what is going on with a deployment: one verdict, its evidence and notes."""
    seen = gather_facts(bundle, known, now)
    hits = _folded(hit for rule in _rules_for(seen) for hit in rule(seen))
    hits = list(with_causes(seen, hits)) or [find_unjudged(seen)]
    status = _status(seen, hits)
    return _with_last_counts(seen, status) if hits[0].row in _UNSEEN_ROWS else status


def _rules_for(seen: Facts) -> Sequence[Rule]:
    """Return the rows that can tell anything: faults of what is to be deleted are no news."""
    if seen.bundle.trouble is not None:
        return (find_unreachable,)
    if seen.known.intent is Intent.DELETED:
        return (find_deletion,)
    if seen.is_settled:
        return [rule for rule in RULES if rule not in OF_UNSETTLED]
    return RULES


def _status(seen: Facts, hits: list[Hit]) -> Status:
    verdict = hits[0]
    notes = (note for rule in NOTES for note in rule(seen))
    return Status(
        phase=verdict.phase,
        reason=verdict.reason,
        message=_sentence(seen, verdict) + _before_that(seen, hits),
        desired_replicas=seen.desired_replicas,
        ready_replicas=seen.ready_replicas,
        available_replicas=seen.serving_replicas,
        observed_at=seen.now,
        evidence=tuple(hit.as_evidence() for hit in hits[:MOST_EVIDENCE]),
        notes=tuple(dict.fromkeys(notes))[:MOST_EVIDENCE],
        once_full=seen.known.once_full or seen.is_full,
        closed=verdict.closed,
    )


def _with_last_counts(seen: Facts, status: Status) -> Status:
    """Return the status with the counts of the last look: nobody could look now."""
    last = seen.known.last_status
    if last is None:
        return status
    return replace(
        status,
        desired_replicas=last.desired_replicas,
        ready_replicas=last.ready_replicas,
        available_replicas=last.available_replicas,
    )


def _folded(hits: Iterable[Hit]) -> list[Hit]:
    """Return the hits in order, each sentence once."""
    first: dict[tuple[int, str, str], Hit] = {}
    for hit in hits:
        first.setdefault((hit.row, hit.reason, hit.message), hit)
    return list(first.values())


def _sentence(seen: Facts, verdict: Hit) -> str:
    if verdict.row in _UNCOUNTED_ROWS or verdict.reason == "Available" or not seen.sees_pods:
        return verdict.message
    if verdict.row < _FIRST_COUNTED_ROW:
        serving = f"{count_of(seen.serving_replicas, 'replica')} serving; " if seen.serving else ""
        return f"{serving}{verdict.message}"
    ready = _ready_words(seen)
    if seen.old_serving:
        ready += f", {seen.old_serving} of the old revision serving"
    return f"{ready}; {verdict.message}"


def _ready_words(seen: Facts) -> str:
    """Count replicas; where several pods make up one and some are not there, these as well."""
    told = f"{seen.ready_replicas} of {seen.desired_replicas} replicas ready"
    if seen.desired == seen.desired_replicas or seen.ready >= seen.desired:
        return told
    return f"{told} ({seen.ready} of {count_of(seen.desired, 'pod')})"


def _before_that(seen: Facts, hits: list[Hit]) -> str:
    """Say what a pod without a node came from: the cluster took one that ran, or all ran once."""
    if hits[0].row not in _WAITING_ROWS or seen.serving:
        return ""
    taken = next((hit.message for hit in hits if hit.row == _TAKEN_ROW), "")
    told = taken or ("every replica was ready" if seen.was_full else "")
    return f"; before that {told}" if told else ""

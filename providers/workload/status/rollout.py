"""Rows 17, 20 and 21: a change on its way from one revision to the next."""

from collections.abc import Iterator

from providers.contract.status import Phase
from providers.workload.status.facts import Facts
from providers.workload.status.hits import Hit
from providers.workload.status.wording import count_of, duration, short


def find_paused(seen: Facts) -> Iterator[Hit]:
    """Row 17: somebody paused the rollout before it was out.

    A paused controller makes no pods of the new revision, so the newest that it made looks whole:
    its own count of updated replicas tells.
    """
    workload = seen.workload
    if workload is None or not workload.paused:
        return
    if seen.old or not seen.is_full:
        message = f"the rollout of {seen.where} is paused outside of Slipway"
        yield Hit(
            row=17,
            phase=Phase.DEPLOYING,
            reason="RolloutPaused",
            message=message,
            object=seen.where,
        )


def find_timeout(seen: Facts) -> Iterator[Hit]:
    """Row 20: the controller gave up on the change, or our own deadline passed before the end."""
    workload = seen.workload
    if workload is None or (seen.is_full and not seen.old):
        return
    if workload.timed_out:
        yield _timed_out(seen, short(workload.timed_out))
        return
    age = seen.age(seen.moved_at)
    unfinished = bool(seen.old) or (not seen.known.once_full and not seen.is_full)
    if unfinished and age is not None and age > seen.deadline_seconds and seen.is_watched:
        yield _timed_out(seen, f"the rollout is not out after {duration(seen.deadline_seconds)}")


def _timed_out(seen: Facts, words: str) -> Hit:
    return seen.fault(20, "RolloutTimedOut", words, seen.where)


def find_rollout(seen: Facts) -> Iterator[Hit]:
    """Row 21: old pods remain beside the new, or the new ones are not to be seen yet."""
    if not seen.is_watched:
        return
    unseen = seen.is_behind and seen.ready >= seen.desired
    if not seen.old and not unseen:
        return
    left = f"{count_of(len(seen.old), 'pod')} of the old revision left"
    yield Hit(
        row=21,
        phase=Phase.DEPLOYING,
        reason="RolloutInProgress",
        message=left if seen.old else "the pods of the new revision are not there yet",
        object=seen.where,
    )

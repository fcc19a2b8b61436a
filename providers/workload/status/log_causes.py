"""What logs add to a verdict: whose log is worth reading, and the cause that was found in it.

Phase and reason stay those of the table. The cause goes into the sentence, with what to do, and
into the evidence, with the line that tells. Where a log was not read this time, the last verdict's
cause stands as long as its pod does.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from providers.contract.status import Phase, Status
from providers.engines.signatures import BY_CODE, Signature
from providers.workload.bundle import Bundle
from providers.workload.objects import ContainerStatus, Pod, present
from providers.workload.status.facts import Facts
from providers.workload.status.hits import Hit
from providers.workload.status.wording import LOG_SAYS_WHY

_FAULTS = frozenset({Phase.FAILED, Phase.DEGRADED})
_OUT_OF_MEMORY, _LOADING = 14, 18
# Rows about containers that began to run, or should be done with loading.
_ROWS = frozenset({13, _OUT_OF_MEMORY, 15, _LOADING, 19})
_POD, _SAYS = "Pod ", "the log says: "


@dataclass(frozen=True, kw_only=True, slots=True)
class LogWish:
    """A log that may tell why its pod fails: of one run, counted by `restarts`.

    `ended` tells that this run is over, `has_previous` that an earlier one left a log as well.
    """

    namespace: str
    pod: str
    uid: str
    container: str
    restarts: int
    ended: bool
    has_previous: bool


def log_wishes(bundle: Bundle, status: Status) -> tuple[LogWish, ...]:
    """Return the logs that may explain a verdict, one for each pod that its evidence names."""
    if status.phase not in _FAULTS:
        return ()
    named = {
        item.object.removeprefix(_POD)
        for item in status.evidence
        if item.row in _ROWS and (item.row != _LOADING or item.reason == status.reason)
    }
    return tuple(wish for pod in bundle.pods if pod.name in named for wish in _wish_of(pod))


def _wish_of(pod: Pod) -> Iterator[LogWish]:
    """Yield the log of one container that has begun: one that is not well first, or has ended."""
    seats = [*present(pod.seen.init_container_statuses), *present(pod.seen.container_statuses)]
    begun = [status for status in seats if status.name and _has_begun(status)]
    doubtful = [status for status in begun if not _is_done(status)]
    chosen = min(
        doubtful, key=lambda status: (bool(status.ready), not _has_ended(status)), default=None
    )
    if chosen is not None:
        yield LogWish(
            namespace=pod.namespace,
            pod=pod.name,
            uid=pod.uid,
            container=chosen.name or "",
            restarts=chosen.restart_count or 0,
            ended=chosen.now.running is None,
            has_previous=chosen.now.waiting is None and chosen.before.terminated is not None,
        )


def _has_begun(status: ContainerStatus) -> bool:
    return bool(status.now.running or _has_ended(status))


def _has_ended(status: ContainerStatus) -> bool:
    return bool(status.now.terminated or status.before.terminated)


def _is_done(status: ContainerStatus) -> bool:
    """Tell whether it ended as it should: an init container that did its work."""
    ended = status.now.terminated
    return ended is not None and not ended.exit_code


def with_causes(seen: Facts, hits: Iterable[Hit]) -> Iterator[Hit]:
    """Yield the hits, each fault that a log explains in fuller words and followed by that cause."""
    for hit in hits:
        cause = _cause_of(seen, hit)
        if cause is None:
            yield hit
        else:
            yield replace(hit, message=_explained(hit, BY_CODE[cause.reason]))
            yield cause


def _cause_of(seen: Facts, hit: Hit) -> Hit | None:
    if hit.row not in _ROWS or hit.phase not in _FAULTS or not hit.object.startswith(_POD):
        return None
    pod = hit.object.removeprefix(_POD)
    if pod not in seen.bundle.log_causes:
        return _remembered(seen, hit)
    found = seen.bundle.log_causes[pod]
    if found is None or found.code == hit.reason:
        return None
    return replace(hit, reason=found.code, message=f"{_SAYS}{found.line}")


def _remembered(seen: Facts, hit: Hit) -> Hit | None:
    last = seen.known.last_status
    for item in last.evidence if last else ():
        is_ours = item.reason in BY_CODE and item.message.startswith(_SAYS)
        if is_ours and (item.object, item.row) == (hit.object, hit.row):
            return replace(hit, reason=item.reason, message=item.message)
    return None


def _explained(hit: Hit, cause: Signature) -> str:
    """Return a fault with its cause and, in brackets, what to do about that."""
    if hit.row == _OUT_OF_MEMORY:  # what the kernel did is cause enough
        return hit.message
    told = f"{cause.says} ({cause.advice})"
    if hit.message.endswith(LOG_SAYS_WHY):
        return f"{hit.message.removesuffix(LOG_SAYS_WHY)}: {told}"
    return f"{hit.message}; its log says that {told}"

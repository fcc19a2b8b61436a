"""Row 13: a container that cannot be configured, mounted or started, or cannot fetch the model."""

import re
from collections.abc import Iterator

from providers.workload.objects import Pod, Terminated, condition_of
from providers.workload.status.facts import Facts, Seat, scheduled_at
from providers.workload.status.hits import Hit
from providers.workload.status.wording import LOG_SAYS_WHY, count_of, exit_code, short

# A mount or a sandbox that fails once often succeeds at the next try.
RETRIES_HELP_FOR_SECONDS = 30

_CANNOT_START = frozenset(
    {"CreateContainerError", "RunContainerError", "StartError", "PreCreateHookError"}
)
_START_ERRORS = frozenset({"StartError", "ContainerCannotRun"})
_SECRET = re.compile(
    r'secrets? "(?P<name>[^"]+)" not found|find key (?P<key>\S+) in Secret (?P<of>\S+)',
    re.IGNORECASE,
)
_CONFIG = re.compile(
    r'configmaps? "(?P<name>[^"]+)" not found|find key (?P<key>\S+) in ConfigMap (?P<of>\S+)',
    re.IGNORECASE,
)
# What fetches models is called so; any other init container that ends in error is a crash.
_FETCHES = re.compile(r"storage-initializer|download|fetch|model|pull", re.IGNORECASE)
_EVENTS = {
    "FailedMount": "MountFailed",
    "FailedAttachVolume": "MountFailed",
    "FailedMapVolume": "MountFailed",
    "FailedCreatePodSandBox": "ContainerCannotStart",
}


def find_container_faults(seen: Facts) -> Iterator[Hit]:
    """Row 13, from what containers say of themselves, then from events about their pods."""
    for seat in seen.seats:
        hit = _configuration(seen, seat) or _start(seen, seat) or _download(seen, seat)
        if hit is not None:
            yield hit
    for pod in seen.current:
        if _is_held_up(pod):
            yield from _mounts(seen, pod)


def _configuration(seen: Facts, seat: Seat) -> Hit | None:
    if seat.waits_for != "CreateContainerConfigError":
        return None
    waiting = seat.status.now.waiting
    told = (waiting.message or "") if waiting else ""
    reason, message = _missing(told) or (
        "ContainerCannotStart",
        f"{seat.title} cannot be configured: {short(told) or 'no reason given'}",
    )
    return seen.fault(13, reason, message, seat.where)


def _missing(told: str) -> tuple[str, str] | None:
    """Return which Secret or ConfigMap, or which key of it, is missing."""
    for reason, kind, expression in (
        ("SecretMissing", "Secret", _SECRET),
        ("ConfigMissing", "ConfigMap", _CONFIG),
    ):
        found = expression.search(told)
        if found is None:
            continue
        if found["key"]:
            owner = found["of"].rpartition("/")[2]
            return reason, f"{kind} {owner} has no key {found['key']}; add it to the {kind}"
        return reason, f"{kind} {found['name']} does not exist in the namespace; create it"
    return None


def _start(seen: Facts, seat: Seat) -> Hit | None:
    waiting = seat.status.now.waiting
    ended = _start_error(seat)
    if seat.waits_for not in _CANNOT_START and ended is None:
        return None
    told = ended.message if ended else waiting.message if waiting else ""
    reason, message = _missing(told or "") or (
        "ContainerCannotStart",
        f"{seat.title} cannot start: {short(told) or seat.waits_for}; check engine.command",
    )
    return seen.fault(13, reason, message, seat.where)


def _start_error(seat: Seat) -> Terminated | None:
    if seat.status.ready or seat.status.now.running:
        return None
    ends = (seat.status.now.terminated, seat.status.before.terminated)
    return next((end for end in ends if end and end.reason in _START_ERRORS), None)


def _download(seen: Facts, seat: Seat) -> Hit | None:
    if not seat.is_init or seat.is_well or not _FETCHES.search(seat.name):
        return None
    ends = (seat.status.now.terminated, seat.status.before.terminated)
    ended = next((end for end in ends if end is not None), None)
    if ended is None or not ended.exit_code or ended.reason == "OOMKilled":
        return None
    code = exit_code(ended.exit_code, ended.signal)
    restarts = count_of(seat.status.restart_count or 0, "restart")
    message = (
        f"{seat.title} cannot fetch the model: it ended with {code} ({restarts}){LOG_SAYS_WHY}"
    )
    return seen.fault(13, "ModelDownloadFailed", message, seat.where)


def _is_held_up(pod: Pod) -> bool:
    """Tell whether a pod has its node and yet none of its containers has ever run."""
    if pod.phase not in {"Pending", ""} or not pod.node_name:
        return False
    statuses = (*(pod.seen.container_statuses or ()), *(pod.seen.init_container_statuses or ()))
    began = any(
        status is not None and (status.now.running or status.now.terminated or status.restart_count)
        for status in statuses
    )
    sandbox = condition_of(pod.seen.conditions, "PodReadyToStartContainers")
    mounted = sandbox is not None and sandbox.is_true
    return not (began or mounted)


def _mounts(seen: Facts, pod: Pod) -> Iterator[Hit]:
    told = [event for event in seen.events_of(pod) if event.reason in _EVENTS]
    if not told:
        return
    last = told[-1]
    named = next(
        (found for event in reversed(told) if (found := _missing(event.message or ""))), None
    )
    where = f"Pod {pod.name}"
    if named is not None:
        yield seen.fault(13, named[0], named[1], where)
    elif seen.is_older(scheduled_at(pod), RETRIES_HELP_FOR_SECONDS):
        reason = _EVENTS[last.reason or ""]
        yield seen.fault(13, reason, f"{last.reason}: {short(last.message)}", where)

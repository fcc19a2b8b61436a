"""Rows 2 and 27: what may not be read, and what no rule knows.

Without pods or without the workload nobody can judge: then the sentence names the right to ask for,
and a revision that was whole before keeps the phase it had, as it does while a cluster is away.
"""

import re
from collections.abc import Iterator

from providers.contract.status import Evidence, Phase, Status
from providers.workload.status.facts import Facts
from providers.workload.status.hits import Hit
from providers.workload.status.wording import count_of, joined, short

_FORBIDDEN = re.compile(r"forbidden|cannot|may not|not allowed|403", re.IGNORECASE)
_STANDING = frozenset({Phase.READY, Phase.SCALING, Phase.DEGRADED, Phase.FAILED})


def note_unreadable(seen: Facts) -> Iterator[Evidence]:
    """Row 2: what could not be read is said, and the rest is judged without it."""
    for kind, why in sorted(seen.bundle.unreadable.items()):
        message = f"{kind} could not be read: {why}"
        reason = "Forbidden" if _is_refusal(why) else "Unreadable"
        yield Evidence(reason=reason, message=message, object=kind, row=2)


def find_unjudged(seen: Facts) -> Hit:
    """Return the verdict where no rule has one: the last phase, or row 27."""
    last = seen.known.last_status
    if last is None or last.phase not in _STANDING or not seen.known.once_full:
        return _unknown(seen)
    return _still(seen, last) if _refused_kinds(seen) else _unknown(seen)


def _still(seen: Facts, last: Status) -> Hit:
    """Row 2: the right to look was lost, so the last phase stays."""
    counted = f"{last.ready_replicas} of {last.desired_replicas} replicas ready"
    message = f"{joined(_troubles(seen))}; the last look that could saw {counted}"
    return Hit(row=2, phase=last.phase, reason="Forbidden", message=message, object=seen.where)


def _unknown(seen: Facts) -> Hit:
    """Row 27: no rule knows this; say what was seen, and what could not be."""
    counted = (
        ("current pod", seen.current),
        ("old pod", seen.old),
        ("terminating pod", seen.leaving),
        ("finished pod", seen.finished),
    )
    parts = [count_of(len(pods), word) for word, pods in counted if pods]
    troubles = _troubles(seen)
    if troubles:
        message = joined([*troubles, *(f"{part} seen" for part in parts)])
    else:
        message = f"no rule knows what this is; seen: {', '.join(parts) or 'no pod'}"
    return Hit(row=27, phase=Phase.DEPLOYING, reason="Unknown", message=message, object=seen.where)


def _troubles(seen: Facts) -> list[str]:
    """Return why nobody can judge, and what to do about it: rights first."""
    refused = _refused_kinds(seen)
    told = [_missing_right(seen, refused)] if refused else []
    hidden = [kind for kind in _hidden_kinds(seen) if kind not in refused]
    for kind in hidden:
        why = seen.bundle.unreadable.get(kind)
        told.append(f"{_plural(kind)} could not be read{': ' + short(why) if why else ''}")
    return told


def _missing_right(seen: Facts, kinds: list[str]) -> str:
    named = " and ".join(_plural(kind) for kind in kinds)
    return (
        f"{named} cannot be read: ask an admin of the cluster for the right to get and list "
        f"{named} in namespace {seen.known.namespace}"
    )


def _hidden_kinds(seen: Facts) -> list[str]:
    """Return what a verdict needs and was not seen."""
    kind = seen.bundle.workload_kind
    hidden = [] if seen.workload or seen.bundle.knows(kind) else [kind]
    return hidden if seen.sees_pods else [*hidden, "Pod"]


def _refused_kinds(seen: Facts) -> list[str]:
    unreadable = seen.bundle.unreadable
    return [kind for kind in _hidden_kinds(seen) if _is_refusal(unreadable.get(kind, ""))]


def _is_refusal(why: str) -> bool:
    return _FORBIDDEN.search(why) is not None


def _plural(kind: str) -> str:
    """Return a kind as a role names it: its resource."""
    return f"{kind.lower()}s"

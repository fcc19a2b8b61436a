"""Rows 6, 8 and 9: what the cluster or a controller refuses to do, and why.

Also reads the API server's refusals, which say in one sentence what a quota holds.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from providers.contract.status import Phase
from providers.workload.objects import ReplicaSet, condition_of
from providers.workload.status.facts import Facts
from providers.workload.status.hits import Hit
from providers.workload.status.wording import joined, short

CONTROLLER_ANSWERS_WITHIN_SECONDS = 30

# A write that ended so is tried again by itself, so it is not refused.
_TRIED_AGAIN = frozenset(
    {"", "ApplyPending", "ClusterUnreachable", "CredentialsRefused", "ClusterChanged"}
)
# Reasons that a refused write may bear as they are; any other code becomes ApplyRejected.
_OWN_WORDS = frozenset(
    {
        "ProviderNotInstalled",
        "WebhookUnavailable",
        "ApplyRejected",
        "ReconcileFailed",
        "RuntimeMissing",
        "ModelFormatUnsupported",
        "InvalidSpec",
        "QuotaExceeded",
        "AdmissionDenied",
        "ServiceAccountMissing",
        "NamespaceMissing",
        "NamespaceTerminating",
        "SecretMissing",
        "Forbidden",
    }
)

_QUOTA = re.compile(
    r"exceeded quota: (?P<quota>[^,]+), requested: (?P<asked>.+?), used: (?P<used>.+?), "
    r"limited: (?P<hard>.+)",
    re.DOTALL,
)
_SERVICE_ACCOUNT = re.compile(r'serviceaccounts? "(?P<name>[^"]+)" not found')


@dataclass(frozen=True, kw_only=True, slots=True)
class Refusal:
    """Why the API server makes no pod: a reason of the table and a sentence."""

    reason: str
    message: str


def is_refusal(code: str) -> bool:
    """Tell whether a write that ended with this code waits for a person."""
    return code not in _TRIED_AGAIN


def find_refused_apply(seen: Facts) -> Iterator[Hit]:
    """Row 6: the kind is not there, the last write was refused, or the controller cannot do it."""
    refusal = seen.bundle.refusal
    if refusal is not None:
        yield seen.fault(6, refusal.code, short(refusal.message), seen.where)
    last = seen.known.last_apply
    if is_refusal(last.code):
        reason = last.code if last.code in _OWN_WORDS else "ApplyRejected"
        message = f"revision {seen.known.revision} was refused: {short(last.message)}"
        yield seen.fault(6, reason, message, seen.where)


def find_unobserved(seen: Facts) -> Iterator[Hit]:
    """Row 8: the controller has not seen the latest change.

    It counts as dead only when two looks in a row found it so: a change by an autoscaler is always
    unobserved for a moment, however long ago the last write of ours was.
    """
    workload = seen.workload
    if workload is None or workload.observed:
        return
    last = seen.known.last_status
    waited = last is None or last.reason in {"WaitingForController", "ControllerNotResponding"}
    if waited and seen.is_older(seen.begun_at, CONTROLLER_ANSWERS_WITHIN_SECONDS):
        reason = "ControllerNotResponding"
        told = workload.silence or "does not answer; is it running?"
        message = f"the controller of {seen.where} {told}"
    else:
        reason = "WaitingForController"
        message = f"waiting for the controller of {seen.where} to see the change"
    yield Hit(row=8, phase=Phase.DEPLOYING, reason=reason, message=message, object=seen.where)


def find_refused_pods(seen: Facts) -> Iterator[Hit]:
    """Row 9: pods of the current revision cannot be made."""
    where, words = _refused_pods(seen)
    if words:
        refusal = read_refusal(words)
        yield seen.fault(9, refusal.reason, refusal.message, where)


def _refused_pods(seen: Facts) -> tuple[str, str]:
    """Return where pods are refused and why; the workload speaks where it has no ReplicaSet."""
    mark = seen.bundle.current
    own = [item for item in seen.bundle.replica_sets if mark is None or mark.is_on(item)]
    if not own:
        workload = seen.workload
        return (seen.where, workload.refused) if workload else ("", "")
    told = ((f"ReplicaSet {item.name}", _failure_of(item)) for item in own)
    return min((pair for pair in told if pair[1]), default=("", ""))


def _failure_of(replica_set: ReplicaSet) -> str:
    failure = condition_of(replica_set.conditions, "ReplicaFailure")
    return (failure.message or failure.reason or "") if failure and failure.is_true else ""


def read_refusal(words: str) -> Refusal:
    """Return what a refusal of the API server means, from its own words."""
    quota = _QUOTA.search(words)
    if quota is not None:
        return Refusal(reason="QuotaExceeded", message=_quota_sentence(quota))
    account = _SERVICE_ACCOUNT.search(words)
    if account is not None:
        message = f"service account {account['name']} does not exist in the namespace"
        return Refusal(reason="ServiceAccountMissing", message=message)
    if "failed calling webhook" in words:
        return Refusal(reason="WebhookUnavailable", message=short(words))
    _, _, denied = words.partition(" is forbidden: ")
    message = f"the cluster refuses to make pods: {short(denied or words)}"
    return Refusal(reason="AdmissionDenied", message=message)


def _quota_sentence(found: re.Match[str]) -> str:
    asked, used, hard = (_amounts(found[name]) for name in ("asked", "used", "hard"))
    parts = [
        f"{resource} asks for {amount}, {used.get(resource, '?')} of {hard.get(resource, '?')} used"
        for resource, amount in asked.items()
    ]
    return f"quota {found['quota']} is exceeded: {joined(parts)}"


def _amounts(text: str) -> dict[str, str]:
    pairs = (part.partition("=") for part in text.split(","))
    return {name.strip(): amount.strip() for name, _, amount in pairs if name.strip()}

"""The conditions of a pod, as kubelet 1.36 derives them from its containers
(pkg/kubelet/status/generate.go).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from providers.contract.manifest import Manifest


@dataclass(frozen=True, kw_only=True, slots=True)
class Condition:
    """One condition before it has a time."""

    type: str
    holds: bool
    reason: str = ""
    message: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Readiness:
    """The names of containers that keep a pod from being initialized or ready."""

    incomplete: Sequence[str] = ()
    unready: Sequence[str] = ()
    sandbox: bool = True


def timestamp(moment: datetime) -> str:
    """Return a time as Kubernetes writes it, in whole seconds."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def live_conditions(readiness: Readiness) -> tuple[Condition, ...]:
    """Return the conditions of a pod that has not ended."""
    return (
        Condition(type="PodReadyToStartContainers", holds=readiness.sandbox),
        _all_well("Initialized", "ContainersNotInitialized", "incomplete", readiness.incomplete),
        _all_well("Ready", "ContainersNotReady", "unready", readiness.unready),
        _all_well("ContainersReady", "ContainersNotReady", "unready", readiness.unready),
        Condition(type="PodScheduled", holds=True),
    )


def ended_conditions(reason: str) -> tuple[Condition, ...]:
    """Return the conditions of a pod that ended: `PodFailed` or `PodCompleted`."""
    return (
        Condition(type="PodReadyToStartContainers", holds=False),
        Condition(
            type="Initialized",
            holds=True,
            reason="PodCompleted" if reason == "PodCompleted" else "",
        ),
        Condition(type="Ready", holds=False, reason=reason),
        Condition(type="ContainersReady", holds=False, reason=reason),
        Condition(type="PodScheduled", holds=True),
    )


def _all_well(kind: str, reason: str, adjective: str, names: Sequence[str]) -> Condition:
    if not names:
        return Condition(type=kind, holds=True)
    message = f"containers with {adjective} status: [{' '.join(names)}]"
    return Condition(type=kind, holds=False, reason=reason, message=message)


def write_conditions(
    conditions: Iterable[Condition], *, pod: Manifest, now: datetime
) -> list[Manifest]:
    """Return manifests; what did not turn keeps its time, foreign conditions are kept."""
    old = {entry["type"]: entry for entry in (pod.get("status") or {}).get("conditions") or []}
    written = [_write(condition, old.pop(condition.type, {}), pod, now) for condition in conditions]
    return [*written, *old.values()]


def _write(condition: Condition, old: Manifest, pod: Manifest, now: datetime) -> Manifest:
    status = "True" if condition.holds else "False"
    entry: Manifest = {
        "type": condition.type,
        "status": status,
        "observedGeneration": pod["metadata"].get("generation") or 1,
        "lastProbeTime": None,
        "lastTransitionTime": old["lastTransitionTime"]
        if old.get("status") == status
        else timestamp(now),
    }
    told = {"reason": condition.reason, "message": condition.message}
    return entry | {name: text for name, text in told.items() if text}

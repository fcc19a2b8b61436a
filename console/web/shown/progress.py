"""How far a launch has come, in five steps, from the reason of its verdict alone: pure.

A step is called done only where the reason leaves no doubt; a reason that fits nowhere shows none.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from providers.contract.status import PHASES, Phase, PhaseLook, Status

STEPS = ("Sent", "Placed", "Started", "Loaded", "Answers")
_SENT, _PLACED, _STARTED, _LOADED = range(4)

_AT: Mapping[str, int] = {
    **dict.fromkeys(
        (
            "ApplyPending",
            "WaitingForController",
            "ControllerNotResponding",
            "NamespaceMissing",
            "NamespaceTerminating",
            "ProviderNotInstalled",
            "WebhookUnavailable",
            "ApplyRejected",
            "InvalidSpec",
            "ReconcileFailed",
            "QuotaExceeded",
            "AdmissionDenied",
            "ServiceAccountMissing",
        ),
        _SENT,
    ),
    **dict.fromkeys(
        (
            "Starting",
            "InsufficientAccelerator",
            "InsufficientCpu",
            "InsufficientMemory",
            "UntoleratedTaint",
            "NodeSelectorMismatch",
            "VolumeUnbound",
            "Unschedulable",
            "RolloutNeedsSpareAccelerator",
            "SchedulingGated",
        ),
        _PLACED,
    ),
    **dict.fromkeys(
        (
            "Pulling",
            "ImageNotFound",
            "ImageUnauthorized",
            "ImageInvalid",
            "ImagePullFailed",
            "SecretMissing",
            "ConfigMissing",
            "MountFailed",
            "ContainerCannotStart",
        ),
        _STARTED,
    ),
    **dict.fromkeys(
        (
            "LoadingModel",
            "ModelDownloadFailed",
            "OutOfMemory",
            "KilledWhileLoading",
            "CrashLoop",
            "ReadinessFailing",
        ),
        _LOADED,
    ),
}


@dataclass(frozen=True, kw_only=True, slots=True)
class ProgressStep:
    """One step: `state` is `done`, `current` or `ahead`; the current one has a look."""

    label: str
    state: str
    look: PhaseLook | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Loading:
    """Seconds spent loading the model, of the seconds that are allowed."""

    spent: int
    allowed: int

    @property
    def allowed_text(self) -> str:
        """Say how long is allowed, as in "15 min"."""
        minutes = self.allowed // 60
        return f"{minutes} min" if minutes > 1 else f"{self.allowed} s"


def steps_of(status: Status) -> tuple[ProgressStep, ...]:
    """Return the way of a launch that has not answered yet; empty for any other."""
    here = _AT.get(status.reason)
    if here is None or status.once_full or status.phase not in {Phase.DEPLOYING, Phase.FAILED}:
        return ()
    return tuple(_step(label, at - here, status.phase) for at, label in enumerate(STEPS))


def loading_of(
    status: Status, *, since: datetime | None, allowed: int, now: datetime
) -> Loading | None:
    """Return how long the model has been loading, None where it is not."""
    if status.reason != "LoadingModel" or status.once_full or since is None or not allowed:
        return None
    return Loading(spent=max(0, int((now - since).total_seconds())), allowed=allowed)


def _step(label: str, distance: int, phase: Phase) -> ProgressStep:
    if distance < 0:
        return ProgressStep(label=label, state="done")
    if distance > 0:
        return ProgressStep(label=label, state="ahead")
    return ProgressStep(label=label, state="current", look=PHASES[phase])

"""What KServe's own controller left on a cluster gets the verdict that its notes ask for."""

import dataclasses

import pytest
from msgspec.structs import replace

from providers.contract.request import Intent
from providers.contract.status import Phase
from tests.beside import beside
from tests.unit.kserve.recorded import recorded
from tests.unit.recordings import Recorded

D, F, G, R, S = Phase.DEPLOYING, Phase.FAILED, Phase.DEGRADED, Phase.READY, Phase.SCALING

# Case, whether the revision was whole before, seconds after the recording: verdict, ready, wanted.
VERDICTS = [
    ("custom-ready", True, 0, R, "Available", 2, 2),
    ("model-hf-ready", True, 0, R, "Available", 1, 1),
    ("autoscaler-none-ready", True, 0, R, "Available", 3, 3),
    ("autoscaler-none-zero", True, 0, Phase.STOPPED, "ScaledToZero", 0, 0),
    ("stopped", True, 0, Phase.STOPPED, "ScaledToZero", 0, 0),
    ("stopping", True, 0, S, "ScalingDown", 0, 0),
    ("custom-starting", False, 0, D, "Starting", 0, 2),
    ("deployment-deleted", True, 0, S, "ScalingUp", 0, 3),
    ("rollout-in-progress", False, 0, D, "LoadingModel", 0, 1),
    ("slow-start-deadline", False, 0, D, "LoadingModel", 0, 1),
    ("ready-without-pods", False, 0, D, "LoadingModel", 0, 1),
    ("image-not-found-create", False, 0, F, "ImageNotFound", 0, 1),
    ("image-not-found-deadline", False, 0, F, "ImageNotFound", 0, 1),
    ("image-not-found-update", False, 0, G, "ImageNotFound", 0, 1),
    ("image-not-found-update-deadline", False, 0, G, "ImageNotFound", 0, 1),
    ("crashloop-create", False, 0, F, "CrashLoop", 0, 1),
    ("crashloop-deadline", False, 0, F, "CrashLoop", 0, 1),
    ("one-of-two-crashing", True, 0, G, "CrashLoop", 1, 2),
    ("oom-after-ready", True, 0, F, "OutOfMemory", 0, 1),
    ("insufficient-gpu-create", False, 60, D, "InsufficientAccelerator", 0, 1),
    ("insufficient-gpu-update", False, 60, G, "RolloutNeedsSpareAccelerator", 0, 1),
    ("quota-create", False, 0, F, "QuotaExceeded", 0, 1),
    ("quota-update", False, 0, G, "QuotaExceeded", 0, 1),
    ("webhook-down-pod-refused", True, 0, F, "WebhookUnavailable", 0, 1),
    ("storage-initializer-crashloop", False, 0, F, "ModelDownloadFailed", 0, 1),
    ("model-pvc-missing", False, 60, D, "VolumeUnbound", 0, 1),
    ("runtime-missing", False, 0, F, "RuntimeMissing", 0, 1),
    ("model-format-unsupported", False, 0, F, "ModelFormatUnsupported", 0, 1),
    ("invalid-spec-update", False, 0, G, "ModelFormatUnsupported", 0, 1),
    ("name-too-long", False, 0, F, "ReconcileFailed", 0, 1),
    ("resource-default-invalid", False, 0, F, "ReconcileFailed", 0, 1),
    ("controller-down-created", False, 0, D, "WaitingForController", 0, 1),
    ("controller-down-spec-changed", False, 0, D, "WaitingForController", 0, 1),
]
# What is asked for while it is being deleted: the deletion by us, and one by somebody else.
DELETING = [
    ("deleting-foreground", "WaitingForPods"),
    ("deleting-controller-down", "PendingFinalizer"),
]


@pytest.mark.parametrize(
    ("case", "full", "after", "phase", "reason", "ready", "wanted"),
    VERDICTS,
    ids=[row[0] for row in VERDICTS],
)
def test_a_recording_gets_its_verdict(
    case: str, *, full: bool, after: float, phase: Phase, reason: str, ready: int, wanted: int
) -> None:
    status = recorded(case, once_full=full).status(after=after)
    assert (status.phase, status.reason) == (phase, reason)
    assert (status.ready_replicas, status.desired_replicas) == (ready, wanted)


@pytest.mark.parametrize(("case", "reason"), DELETING)
def test_a_deletion_says_what_it_waits_for_whatever_its_ready_says(case: str, reason: str) -> None:
    status = recorded(case, once_full=True, intent=Intent.DELETED).status()
    assert (status.phase, status.reason) == (Phase.DELETING, reason)


@pytest.mark.parametrize("case", [row[0] for row in DELETING])
def test_a_deletion_that_nobody_here_asked_for_is_told(case: str) -> None:
    assert recorded(case, once_full=True).status().reason == "RemovedOutside"


def test_no_recording_is_without_its_verdict() -> None:
    found = {path.stem for path in (beside("recorded") / "kserve").glob("*.yaml")}
    assert found == {row[0] for row in [*VERDICTS, *DELETING]}


@pytest.mark.parametrize("case", ["controller-down-created", "controller-down-spec-changed"])
def test_a_controller_that_is_away_is_told_after_two_looks(case: str) -> None:
    found = recorded(case)
    status = found.status(after=60, last=found.status(after=30))
    assert status.reason == "ControllerNotResponding"
    assert "is the controller of KServe running?" in status.message


@pytest.mark.parametrize(
    "case", ["rollout-in-progress", "image-not-found-update", "controller-down-spec-changed"]
)
def test_an_old_revision_that_serves_is_counted_as_such_though_it_is_called_ready(
    case: str,
) -> None:
    status = recorded(case).status()
    assert status.available_replicas == 1
    assert "1 of the old revision serving" in status.message


def without_download(found: Recorded) -> Recorded:
    """Return a recording as it were without KServe's webhook for pods."""
    pods = [
        replace(pod, spec=replace(pod.wanted, init_containers=None)) for pod in found.objects.pods
    ]
    return dataclasses.replace(found, objects=dataclasses.replace(found.objects, pods=pods))


def test_a_model_that_nobody_downloaded_is_not_ready_whatever_its_pods_say() -> None:
    status = without_download(recorded("model-hf-ready", once_full=True)).status()
    assert (status.phase, status.reason) == (G, "WebhookUnavailable")
    assert "without the download of its model" in status.message
    assert status.ready_replicas == 1


@pytest.mark.parametrize("case", ["model-pvc-missing", "custom-ready"])
def test_what_needs_no_download_is_not_missed(case: str) -> None:
    found = recorded(case, once_full=True)
    assert without_download(found).status() == found.status()


def test_a_refusal_is_told_in_the_words_of_its_event() -> None:
    message = recorded("runtime-missing").status().message
    assert message == "No ServingRuntimes or ClusterServingRuntimes with the name: no-such-runtime"


def test_the_600_seconds_of_its_deployment_are_no_deadline_of_ours() -> None:
    status = recorded("slow-start-deadline").status()
    assert "RolloutTimedOut" not in {item.reason for item in status.evidence}


def test_an_autoscaler_that_somebody_removed_is_told_where_it_may_move() -> None:
    found = recorded("custom-ready", once_full=True)
    objects = dataclasses.replace(found.objects, autoscalers=())
    status = dataclasses.replace(found, objects=objects).status()
    assert (status.phase, status.reason) == (G, "AutoscalerMissing")


@pytest.mark.parametrize("case", ["crashloop-deadline", "slow-start-deadline"])
def test_an_autoscaler_without_room_to_move_needs_no_metric(case: str) -> None:
    status = recorded(case).status(after=600)
    assert "AutoscalerNoMetrics" not in {item.reason for item in status.evidence}

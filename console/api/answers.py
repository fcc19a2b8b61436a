"""Writes what the services return as the API's answers."""

from collections.abc import Mapping
from typing import Any

from console.api.rows import answer_record, time_text
from console.api.serializers.deployments import PreviewAnswer
from deployments.models import Deployment
from deployments.selectors import snapshot_of
from deployments.services.launching import Preview
from deployments.services.reading import Reading
from providers.contract.status import Status


def answer_deployment(reading: Reading) -> Mapping[str, Any]:
    """Return a deployment with what was just read of it."""
    detail = _detail(reading.status, stale=reading.stale, because=reading.cause)
    return _answer(reading.deployment, detail)


def answer_snapshot(deployment: Deployment) -> Mapping[str, Any]:
    """Return a deployment as its record has it."""
    return _answer(deployment, _detail(snapshot_of(deployment), stale=False, because=""))


def answer_preview(preview: Preview) -> Mapping[str, Any]:
    """Return what a launch would do."""
    answer: Mapping[str, Any] = PreviewAnswer(preview).data
    return answer


def _answer(deployment: Deployment, detail: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what `DeploymentAnswer` describes, written plainly as rows of a list are."""
    record = answer_record(deployment)
    return {**record, "status_detail": detail, "checks": deployment.checks}


def _detail(status: Status, *, stale: bool, because: str) -> Mapping[str, Any]:
    return {
        "phase": status.phase.value,
        "reason": status.reason,
        "message": status.message,
        "desired_replicas": status.desired_replicas,
        "ready_replicas": status.ready_replicas,
        "available_replicas": status.available_replicas,
        "observed_at": time_text(status.observed_at),
        "evidence": [evidence.as_dict() for evidence in status.evidence],
        "notes": [note.as_dict() for note in status.notes],
        "stale": stale,
        "stale_because": because,
    }

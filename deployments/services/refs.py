"""From rows to the contract: what a provider is told of a deployment, and of one revision of it."""

from collections.abc import Mapping

from django.utils.dateparse import parse_datetime

from deployments.models import Deployment, PassedRow, Revision
from deployments.selectors import snapshot_of
from providers.contract.bounds import Metric
from providers.contract.overrides import Scaling
from providers.contract.request import (
    ApplyResult,
    DeploymentRef,
    DeployRequest,
    Intent,
    Provenance,
    Rollout,
)
from providers.contract.template import ModelSource, parse_spec


def ref_of(deployment: Deployment | PassedRow) -> DeploymentRef:
    """Return what is remembered of a deployment."""
    return DeploymentRef(
        id=str(deployment.pk),
        runtime_name=deployment.runtime_name,
        namespace=deployment.namespace,
        serving_name=deployment.serving_name,
        intent=Intent(deployment.intent),
        intent_since=deployment.intent_since,
        revision=deployment.revision,
        applied_revision=deployment.applied_revision,
        scaling=scaling_from(deployment.scaling),
        startup_budget_seconds=deployment.startup_budget_seconds,
        workload_uid=deployment.workload_uid,
        pod_digest=deployment.pod_digest,
        port=deployment.port,
        once_full=deployment.once_full,
        last_status=snapshot_of(deployment),
        last_apply=apply_result_from(deployment.last_apply),
    )


def request_of(deployment: Deployment, revision: Revision) -> DeployRequest:
    """Return a stored revision as the request it was, without a look at what changed since."""
    source = revision.source
    return DeployRequest(
        id=str(deployment.pk),
        name=deployment.name,
        runtime_name=deployment.runtime_name,
        namespace=deployment.namespace,
        spec=parse_spec(revision.spec),
        source=None if source is None else ModelSource.model_validate(source),
        serving_name=revision.serving_name,
        scaling=scaling_from(revision.scaling),
        rollout=Rollout(revision.rollout),
        engine_args=revision.engine_args,
        enable_multi_lora=revision.enable_multi_lora,
        revision=revision.number,
        provenance=Provenance(
            model=deployment.model_id,
            template=revision.template.name,
            template_version=revision.template_version,
            overrides=revision.overrides,
            created_by=deployment.created_by_name,
            stopped=revision.stopped,
            restart=revision.restart,
        ),
        restart=revision.restart,
        resume_at=revision.resume_at,
    )


def scaling_document(scaling: Scaling) -> Mapping[str, object]:
    """Return the JSON form of a scaling."""
    return {
        "min_replicas": scaling.min_replicas,
        "max_replicas": scaling.max_replicas,
        "autoscaled": scaling.autoscaled,
        "metric": scaling.metric.model_dump(mode="json", exclude_unset=True),
    }


def scaling_from(document: Mapping[str, object]) -> Scaling:
    """Read a stored scaling back."""
    return Scaling(
        min_replicas=_whole(document.get("min_replicas")),
        max_replicas=_whole(document.get("max_replicas")),
        autoscaled=bool(document.get("autoscaled")),
        metric=Metric.model_validate(document.get("metric") or {}),
    )


def apply_result_document(result: ApplyResult) -> Mapping[str, object]:
    """Return the JSON form of how a write ended."""
    at = result.at.isoformat() if result.at else ""
    return {"code": result.code, "message": result.message, "at": at}


def apply_result_from(document: Mapping[str, object]) -> ApplyResult:
    """Read a stored result of a write back."""
    at = document.get("at")
    return ApplyResult(
        code=str(document.get("code") or ""),
        message=str(document.get("message") or ""),
        at=parse_datetime(at) if isinstance(at, str) and at else None,
    )


def _whole(value: object) -> int:
    return value if isinstance(value, int) else 0

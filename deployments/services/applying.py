"""Carries a stored launch to the cluster and keeps how that ended; whoever holds the lease may.

Applying is idempotent, so that what one process began another may finish. Nothing here holds a
transaction while the cluster works.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from deployments.models import Deployment, DeploymentQuerySet, Operation
from deployments.models.history import RevisionOutcome
from deployments.models.operations import OperationState
from deployments.selectors import snapshot_of
from deployments.services.auditing import Outcome, record_end
from deployments.services.calling import calling_cluster
from deployments.services.leasing import Lease, held
from deployments.services.refs import apply_result_document
from deployments.services.snapshots import own_verdict, status_columns, write_verdict
from providers.contract.checks import Check, Result
from providers.contract.errors import InvalidRequest, NotInstalled, ProviderError, Rejected
from providers.contract.protocols import Applied, Deadline, Provider
from providers.contract.request import ApplyResult, DeployRequest, Intent
from providers.contract.status import Phase
from providers.contract.target import ClusterTarget

# What the cluster will answer again if asked again; everything else may pass by itself.
FINAL = (InvalidRequest, Rejected, NotInstalled)

# Reasons that a status may show as they are while a launch is tried again.
TOLD_WHILE_PENDING = frozenset(
    {"ClusterUnreachable", "CredentialsRefused", "ClusterChanged", "WebhookUnavailable"}
)

APPLIED = "Applied; waiting for the cluster to act on it"


@dataclass(frozen=True, kw_only=True, slots=True)
class Task:
    """One promise, and the right to work on it."""

    deployment: Deployment
    operation: Operation
    lease: Lease

    @property
    def rows(self) -> DeploymentQuerySet:
        """Return the deployment's row as long as the lease stands."""
        return held(Deployment.objects.open(), self.lease)


def apply_creation(
    task: Task,
    request: DeployRequest,
    *,
    provider: Provider,
    target: ClusterTarget,
    deadline: Deadline,
) -> ProviderError | None:
    """Apply a launch and keep the outcome; return a final refusal for the caller to settle."""
    try:
        with calling_cluster(target.name, provider.kind, "create"):
            applied = provider.create(request, target, deadline=deadline)
    except FINAL as refusal:
        return refusal
    except ProviderError as error:
        settle_pending(task, error)
        return None
    settle_applied(task, applied, request.revision)
    return None


def settle_applied(task: Task, applied: Applied, revision: int) -> None:
    """Keep that a revision is on the cluster; a deletion asked for meanwhile keeps its verdict."""
    deployment = task.deployment
    columns = {
        "applied_revision": revision,
        "workload_uid": applied.workload_uid,
        "pod_digest": applied.pod_digest,
        "last_apply": apply_result_document(ApplyResult(at=timezone.now())),
        "checks": [*deployment.checks, *_warnings(applied, told=deployment.checks)],
        "lease_owner": "",
        "lease_until": None,
    }
    verdict = own_verdict(deployment, Phase.DEPLOYING, "WaitingForController", APPLIED)
    shown = {**columns, **status_columns(verdict, None)}
    with transaction.atomic():
        running = task.rows.exclude(intent=Intent.DELETED)
        if not write_verdict(running, deployment, shown) and not write_verdict(
            task.rows, deployment, columns
        ):
            return
        deployment.revisions.filter(number=revision).record_outcome(RevisionOutcome.APPLIED)
        finish(task, OperationState.DONE, Outcome.SUCCEEDED)


def settle_pending(task: Task, error: ProviderError) -> None:
    """Keep why it could not be finished now, and leave the promise open.

    Once the cluster has been seen, its observations tell how it is, and no verdict of ours.
    """
    deployment = task.deployment
    code = error.code if error.code in TOLD_WHILE_PENDING else "ApplyPending"
    result = ApplyResult(code=code, message=error.message, at=timezone.now())
    columns = {
        "last_apply": apply_result_document(result),
        "lease_owner": "",
        "lease_until": None,
    }
    verdict = own_verdict(
        deployment,
        Phase.DEPLOYING,
        "ApplyPending",
        f"Not applied yet: {error.message}; the console tries again by itself.",
    )
    is_news = deployment.observed_at is None and not verdict.says_the_same(snapshot_of(deployment))
    shown = {**columns, **status_columns(verdict, None)} if is_news else columns
    running = task.rows.exclude(intent=Intent.DELETED)
    if write_verdict(running, deployment, shown) or write_verdict(task.rows, deployment, columns):
        note_failure(task.operation, error.message)


def note_failure(operation: Operation, error: str) -> None:
    """Keep why an operation is not done yet."""
    if operation.last_error != error:
        operation.last_error = error
        operation.save(update_fields=["last_error"])


def finish(task: Task, state: OperationState, outcome: Outcome, message: str = "") -> None:
    """Keep a promise as done or refused, in the caller's transaction, unless it was overtaken."""
    columns = {"state": state, "last_error": message, "finished_at": timezone.now()}
    if Operation.objects.unfinished().filter(pk=task.operation.pk).update(**columns):
        record_end(task.deployment, task.operation, outcome=outcome, message=message)
    task.operation.refresh_from_db()


def _warnings(applied: Applied, *, told: Iterable[Mapping[str, str]]) -> list[dict[str, str]]:
    """Return what the cluster warned of and the checks before the launch have not told yet."""
    known = [check["message"] for check in told]
    return [
        Check(code="ClusterWarning", result=Result.WARN, message=text).as_dict()
        for text in dict.fromkeys(applied.warnings)
        if not any(message.endswith(text) for message in known)
    ]

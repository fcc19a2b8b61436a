"""Carries a stored launch or change to the cluster and keeps how that ended, under the lease on it.

Applying is idempotent, so that what one process began another may finish. Nothing here holds a
transaction while the cluster works.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from django.db import transaction
from django.utils import timezone

from deployments.models import Deployment, DeploymentQuerySet, Operation
from deployments.models.history import RevisionOutcome
from deployments.models.operations import OperationState
from deployments.selectors import current_revision, snapshot_of
from deployments.services.answers import answer_of
from deployments.services.auditing import Outcome, record_end
from deployments.services.calling import calling, calling_cluster, provider_of
from deployments.services.clusters import target_of
from deployments.services.leasing import Lease, held
from deployments.services.refs import apply_result_document, ref_of, request_of
from deployments.services.snapshots import own_verdict, status_columns, write_verdict
from providers.contract.checks import Check, Result
from providers.contract.errors import InvalidRequest, NotInstalled, ProviderError, Rejected
from providers.contract.protocols import Applied, Deadline, Provider
from providers.contract.request import ApplyResult, DeployRequest, Intent
from providers.contract.status import Phase, Status
from providers.contract.target import ClusterTarget

# What the cluster will answer again if asked again; everything else may pass by itself.
FINAL = (InvalidRequest, Rejected, NotInstalled)

# Refusals of the connection, not of what was asked for: they end when an admin has put it right.
NOT_ABOUT_THE_ORDER = frozenset({"CredentialsRefused", "ClusterChanged"})

# Reasons that a status may show as they are while a launch is tried again.
TOLD_WHILE_PENDING = frozenset(
    {"ClusterUnreachable", "CredentialsRefused", "ClusterChanged", "WebhookUnavailable"}
)

PENDING = "ApplyPending"
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


def apply_wanted(task: Task, *, deadline: Deadline) -> ProviderError | None:
    """Apply the revision that a record wants, from what is stored of it; as `apply_revision`."""
    deployment = task.deployment
    provider = provider_of(deployment.kind)
    with calling(provider.kind, "read a stored revision"):
        request = request_of(deployment, current_revision(deployment))
    target = target_of(deployment.cluster)
    return apply_revision(task, request, provider=provider, target=target, deadline=deadline)


def apply_revision(
    task: Task,
    request: DeployRequest,
    *,
    provider: Provider,
    target: ClusterTarget,
    deadline: Deadline,
) -> ProviderError | None:
    """Apply what is wanted and keep the outcome; return a final refusal for the caller to settle.

    What was never applied is created, so that a refusal leaves nothing of it behind.
    """
    is_there = bool(task.deployment.applied_revision)
    try:
        with calling_cluster(target.name, provider.kind, "update" if is_there else "create"):
            answer = (
                provider.update(request, ref_of(task.deployment), target, deadline=deadline)
                if is_there
                else provider.create(request, target, deadline=deadline)
            )
            applied = answer_of(Applied, answer)
    except FINAL as refusal:
        return refusal
    except ProviderError as error:
        settle_pending(task, error)
        return None
    settle_applied(task, applied, request.revision)
    return None


def settle_applied(task: Task, applied: Applied, revision: int) -> None:
    """Keep that a revision is on the cluster.

    A deletion or another change that was asked for meanwhile keeps its verdict.
    """
    deployment = task.deployment
    columns = {
        "applied_revision": revision,
        "workload_uid": applied.workload_uid,
        "pod_digest": applied.pod_digest,
        "last_apply": apply_result_document(ApplyResult(at=timezone.now())),
        "lease_owner": "",
        "lease_until": None,
    }
    checks = [*deployment.checks, *_warnings(applied, told=deployment.checks)]
    verdict = _applied_verdict(deployment, applied)
    shown = {**columns, "checks": checks, **status_columns(verdict, None)}
    with transaction.atomic():
        running = task.rows.exclude(intent=Intent.DELETED).filter(revision=revision)
        if not write_verdict(running, deployment, shown) and not write_verdict(
            task.rows, deployment, columns
        ):
            return
        deployment.revisions.filter(number=revision).record_outcome(RevisionOutcome.APPLIED)
        finish(task, OperationState.DONE, Outcome.SUCCEEDED)


def _applied_verdict(deployment: Deployment, applied: Applied) -> Status:
    """Return what holds until the cluster is looked at: pods of another kind were never full."""
    same_pods = bool(deployment.pod_digest) and applied.pod_digest == deployment.pod_digest
    phase = Phase.SCALING if same_pods and deployment.once_full else Phase.DEPLOYING
    verdict = own_verdict(deployment, phase, "WaitingForController", APPLIED)
    return verdict if same_pods else replace(verdict, once_full=False)


def settle_pending(task: Task, error: ProviderError) -> None:
    """Keep why it could not be finished now, and leave the promise open.

    Once the cluster has been seen, its observations tell how it is, and no verdict of ours; but
    that a change is pending is ours to tell until it was looked at.
    """
    deployment = task.deployment
    code = error.code if error.code in TOLD_WHILE_PENDING else PENDING
    result = ApplyResult(code=code, message=error.message, at=timezone.now())
    columns = {
        "last_apply": apply_result_document(result),
        "lease_owner": "",
        "lease_until": None,
    }
    verdict = own_verdict(
        deployment,
        Phase.DEPLOYING,
        PENDING,
        f"Not applied yet: {error.message}; the console tries again by itself.",
    )
    is_ours = deployment.observed_at is None or deployment.reason == PENDING
    is_news = is_ours and not verdict.says_the_same(snapshot_of(deployment))
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

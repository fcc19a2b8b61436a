"""Removes a deployment: the wish is stored first, then the cluster is asked until nothing is left.

Deleting what is gone already succeeds. While the cluster is silent the record says so and stays;
the next pass goes on.
"""

from collections.abc import Mapping

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from deployments.access import require_change
from deployments.models import Deployment, Operation
from deployments.models.operations import Verb
from deployments.services.answers import deletion_of
from deployments.services.applying import note_failure
from deployments.services.auditing import Act, Origin, Outcome, record_audit
from deployments.services.backing_off import note_answer
from deployments.services.calling import calling_cluster, provider_of
from deployments.services.closing import close_deployment
from deployments.services.clusters import target_of
from deployments.services.deadlines import CREATE_SECONDS, deadline_in
from deployments.services.leasing import LeaseLost, fenced, release_lease, take_lease
from deployments.services.refs import ref_of
from deployments.services.snapshots import own_verdict, status_columns, write_verdict
from deployments.services.storing import LEASE_SECONDS, audited
from deployments.services.superseding import supersede_changes
from providers.contract.errors import ProviderError, Rejected
from providers.contract.protocols import Deadline, Deletion
from providers.contract.request import Intent
from providers.contract.status import Evidence, Phase, Status

ASKED = "Deletion was asked for; the console goes on with it by itself"


def delete_deployment(
    deployment: Deployment, *, user: User, reason: str = "", origin: Origin | None = None
) -> Deployment:
    """Ask for the deletion of a deployment; closed when nothing is left of it, else `Deleting`.

    Raises NotAllowed when it is not this person's to delete.
    """
    require_change(user, deployment)
    if deployment.is_closed:
        return deployment
    _store_wish(deployment, user, reason, origin or Origin())
    operation = deployment.operations.unfinished().filter(verb=Verb.DELETE).first()
    if operation is not None:
        remove_objects(deployment, operation, deadline=deadline_in(CREATE_SECONDS))
    return deployment


def remove_objects(deployment: Deployment, operation: Operation, *, deadline: Deadline) -> bool:
    """Ask the cluster to remove everything; close the record when nothing is left.

    Does nothing while somebody else works on the deployment. Returns whether it was closed.
    """
    rows = Deployment.objects.open()
    lease = take_lease(rows, deployment.pk, seconds=LEASE_SECONDS)
    if lease is None:
        return False
    outcome = _ask(deployment, deadline)
    try:
        with fenced(rows, lease, seconds=LEASE_SECONDS):
            return _keep(deployment, operation, outcome)
    except LeaseLost:
        return False
    finally:
        release_lease(rows, lease)


def _keep(deployment: Deployment, operation: Operation, outcome: Deletion | ProviderError) -> bool:
    """Keep what the cluster said of a deletion; tell whether the record was closed."""
    if isinstance(outcome, ProviderError):
        _tell_failure(deployment, operation, outcome)
    elif outcome.gone:
        return close_deployment(deployment)
    else:
        _tell_waiting(deployment, operation, outcome)
    return False


def _store_wish(deployment: Deployment, user: User, reason: str, origin: Origin) -> None:
    now, before = timezone.now(), audited(deployment)
    verdict = own_verdict(deployment, Phase.DELETING, "DeletionRequested", ASKED)
    columns = {
        **status_columns(verdict, None),
        "intent": Intent.DELETED.value,
        "intent_since": now,
    }
    with transaction.atomic():
        running = Deployment.objects.open().exclude(intent=Intent.DELETED)
        if not write_verdict(running, deployment, columns):
            deployment.refresh_from_db()
            return
        supersede_changes(deployment)
        operation = Operation.objects.create(
            deployment=deployment,
            verb=Verb.DELETE,
            revision=deployment.revision,
            actor_name=user.get_username(),
            created_at=now,
        )
        act = Act(
            action="deployment.delete",
            object_type="deployment",
            object_id=str(deployment.pk),
            object_name=deployment.name,
            outcome=Outcome.ACCEPTED,
            before=before,
            after=audited(deployment),
            reason=reason,
            operation_id=str(operation.pk),
            origin=origin,
        )
        record_audit(act, actor=user)


def _ask(deployment: Deployment, deadline: Deadline) -> Deletion | ProviderError:
    cluster = deployment.cluster
    try:
        provider = provider_of(deployment.kind)
        with calling_cluster(cluster.name, provider.kind, "delete"):
            answer = provider.delete(ref_of(deployment), target_of(cluster), deadline=deadline)
            deletion = deletion_of(answer)
    except ProviderError as error:
        return error
    note_answer(cluster)
    return deletion


def _tell_waiting(deployment: Deployment, operation: Operation, deletion: Deletion) -> None:
    names = [_waiting_name(str(rest.object), rest.finalizers) for rest in deletion.waiting_for]
    evidence = tuple(
        Evidence(reason="WaitingFor", message=name, object=str(rest.object))
        for name, rest in zip(names, deletion.waiting_for, strict=True)
    )
    said = f"Waiting for {', '.join(names[:3]) or 'its objects'} to be removed."
    held = any(rest.finalizers for rest in deletion.waiting_for)
    _tell(deployment, "PendingFinalizer" if held else "WaitingForPods", said, evidence)
    operation.last_error, operation.accepted_at = said, timezone.now()
    operation.save(update_fields=["last_error", "accepted_at"])


def _tell_failure(deployment: Deployment, operation: Operation, error: ProviderError) -> None:
    refused = isinstance(error, Rejected)
    said = (
        f"The cluster refuses the deletion: {error.message}"
        if refused
        else f"Not deleted yet: {error.message}; the console tries again by itself."
    )
    _tell(deployment, error.code, said, (Evidence(reason=error.code, message=error.message),))
    note_failure(operation, error.message)


def _tell(deployment: Deployment, reason: str, said: str, evidence: tuple[Evidence, ...]) -> None:
    if (deployment.reason, deployment.message) == (reason, said):
        return
    shown = own_verdict(deployment, Phase.DELETING, reason, said)
    verdict = Status(
        phase=shown.phase,
        reason=reason,
        message=said,
        desired_replicas=shown.desired_replicas,
        ready_replicas=shown.ready_replicas,
        available_replicas=shown.available_replicas,
        once_full=shown.once_full,
        evidence=evidence,
    )
    deleting = Deployment.objects.open().filter(intent=Intent.DELETED)
    write_verdict(deleting, deployment, status_columns(verdict, None))


def _waiting_name(name: str, finalizers: Mapping[str, str]) -> str:
    holds = "; ".join(f"{one}, {whose}" if whose else one for one, whose in finalizers.items())
    return f"{name} (held by {holds})" if holds else name

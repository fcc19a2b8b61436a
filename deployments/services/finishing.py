"""Finishes what was promised and is not done: launches, changes, deletions that were cut short."""

import random
from datetime import timedelta

from django.db import DatabaseError
from django.utils import timezone

from deployments.models import Deployment, Operation
from deployments.models.operations import Verb
from deployments.selectors import unfinished_operations
from deployments.services.applying import Task, apply_wanted, settle_pending
from deployments.services.calling import ProviderFailed
from deployments.services.deadlines import CREATE_SECONDS, seconds_left, sooner
from deployments.services.deleting import remove_objects
from deployments.services.leasing import release_lease, take_lease
from deployments.services.passing import Turn
from deployments.services.putting_back import settle_refused
from deployments.services.reports import Tally
from deployments.services.restoring import finish_restoring
from deployments.services.storing import LEASE_SECONDS
from providers.contract.errors import ProviderError
from providers.contract.protocols import Deadline

# A deletion that the cluster has taken is asked for again only after a while.
ASK_AGAIN = timedelta(minutes=5)


def finish_operations(turn: Turn, deadline: Deadline) -> None:
    """Work on what was promised on a cluster, as long as there is time; raises LeaseLost."""
    for operation in sorted(unfinished_operations(turn.cluster.pk), key=place_in_line):
        turn.require_lease()
        done = seconds_left(deadline) > 1 and _finish_one(operation, turn.tally, deadline)
        turn.tally.add("finished" if done else "unfinished")


def place_in_line(operation: Operation) -> tuple[bool, float]:
    """Those that never failed go first, the others by chance: none that times out starves one."""
    has_failed = bool(operation.last_error)
    return has_failed, random.random() if has_failed else 0.0  # noqa: S311 - fair, not secret


def _finish_one(operation: Operation, tally: Tally, deadline: Deadline) -> bool:
    try:
        return finish_operation(operation, deadline=sooner(deadline, CREATE_SECONDS))
    except (DatabaseError, ProviderError) as error:
        tally.problems.append(f"{operation.deployment.name}: {error}")
        return False


def finish_operation(operation: Operation, *, deadline: Deadline) -> bool:
    """Work on one unfinished operation; tell whether it is finished now."""
    if operation.verb == Verb.DELETE:
        return _is_due(operation) and remove_objects(
            operation.deployment, operation, deadline=deadline
        )
    if operation.verb == Verb.PUT_BACK:
        return finish_restoring(operation, deadline=deadline)
    return _finish_application(operation, deadline)


def _is_due(operation: Operation) -> bool:
    return operation.accepted_at is None or timezone.now() - operation.accepted_at > ASK_AGAIN


def _finish_application(operation: Operation, deadline: Deadline) -> bool:
    deployment = operation.deployment
    lease = take_lease(Deployment.objects.open(), deployment.pk, seconds=LEASE_SECONDS)
    if lease is None:
        return False
    operation.refresh_from_db(fields=["state", "finished_at"])
    if operation.finished_at is not None:
        # Done or overtaken since it was listed; made again, it would undo a deletion.
        release_lease(Deployment.objects.open(), lease)
        return True
    # As it is now, not as it was listed: another change may have come between.
    deployment = Deployment.objects.select_related("cluster").get(pk=deployment.pk)
    task = Task(deployment=deployment, operation=operation, lease=lease)
    try:
        refusal = apply_wanted(task, deadline=deadline)
    except ProviderFailed as error:
        settle_pending(task, error)
        return False
    if refusal is not None:
        settle_refused(task, refusal, deadline=deadline)
    return operation.finished_at is not None

"""Removes objects that no record owns: those that a person has seen, by their uids, no others."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from django.contrib.auth.models import User
from django.db import transaction

from deployments.access import require_admin
from deployments.exceptions import InvalidOrder, OrphansChanged, SlipwayError
from deployments.models import Cluster, Orphan
from deployments.services.abandoned import REMOVAL
from deployments.services.answers import deletion_of
from deployments.services.auditing import Act, Origin, Outcome, record_audit, record_finish
from deployments.services.calling import ProviderFailed, calling_cluster, provider_of
from deployments.services.clusters import target_of
from deployments.services.deadlines import deadline_in
from deployments.services.orphans import count_orphans, owned_ids
from deployments.services.translating import translating
from providers.contract.manifest import ObjectKey
from providers.contract.protocols import ManagedObject, Reclaims, Remaining

FIELD = "uids"
MOST = 500
REMOVE_SECONDS = 10.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Removal:
    """How far a removal is: what is gone, and what the cluster is still removing."""

    removed: tuple[ObjectKey, ...]
    waiting_for: tuple[Remaining, ...]


def remove_orphans(
    cluster: Cluster,
    uids: Sequence[str],
    *,
    user: User,
    reason: str = "",
    origin: Origin | None = None,
) -> Removal:
    """Delete these objects from the cluster, workloads with their pods.

    Raises NotAllowed, InvalidOrder or OrphansChanged before anything is deleted, ClusterRefused or
    ClusterUnavailable with whatever was deleted by then.
    """
    require_admin(user, doing="remove what has no record")
    rows = _rows(cluster, uids)
    act = _act(cluster, rows, reason, origin or Origin())
    with transaction.atomic():
        _claim(rows)
        record_audit(act, actor=user)
    try:
        with translating():
            removal = _removed(cluster, rows)
    except SlipwayError as error:
        with transaction.atomic():
            _give_back(rows)
            record_finish(act.operation_id, outcome=Outcome.REFUSED, message=error.message)
        raise
    with transaction.atomic():
        _forget(cluster, rows, removal)
        record_finish(act.operation_id, outcome=Outcome.SUCCEEDED, message=_told(removal))
    return removal


def managed_object_of(row: Orphan) -> ManagedObject:
    """Return a stored object as its provider knows it."""
    return ManagedObject(
        key=row.key,
        uid=row.uid,
        deployment_id=row.deployment_id,
        is_workload=row.is_workload,
        digest=row.digest,
    )


def reclaiming_provider(kind: str) -> Reclaims:
    """Return the provider of a kind; raises ProviderFailed when it does not care for strays."""
    provider = provider_of(kind)
    if not isinstance(provider, Reclaims):
        raise ProviderFailed(f"the implementation {kind} cannot remove or adopt what has no record")
    return provider


def _rows(cluster: Cluster, uids: Sequence[str]) -> list[Orphan]:
    if not uids or len(uids) > MOST:
        raise InvalidOrder.of(FIELD, f"must name between 1 and {MOST} objects")
    by_uid = {row.uid: row for row in Orphan.objects.filter(cluster=cluster, uid__in=set(uids))}
    unknown = [uid for uid in uids if uid not in by_uid]
    if unknown:
        raise OrphansChanged(
            FIELD, f"{unknown[0]} is not among the objects without a record; look at the list again"
        )
    return list(by_uid.values())


def _claim(rows: Sequence[Orphan]) -> None:
    """Mark the objects as going, so that nobody adopts them meanwhile; raises OrphansChanged."""
    keys = [row.pk for row in rows]
    taken = Orphan.objects.filter(pk__in=keys).update(is_terminating=True)
    if taken != len(rows) or owned_ids({row.deployment_id for row in rows}):
        raise OrphansChanged(FIELD, "some of these got a record or are gone by now; look again")


def _give_back(rows: Sequence[Orphan]) -> None:
    keys = [row.pk for row in rows if not row.is_terminating]
    Orphan.objects.filter(pk__in=keys).update(is_terminating=False)


def _removed(cluster: Cluster, rows: Sequence[Orphan]) -> Removal:
    target, deadline = target_of(cluster), deadline_in(REMOVE_SECONDS)
    left: list[Remaining] = []
    for kind, some in groupby(sorted(rows, key=_implementation), key=_implementation):
        provider = reclaiming_provider(kind)
        objects = [managed_object_of(row) for row in some]
        with calling_cluster(cluster.name, kind, "remove"):
            deletion = deletion_of(provider.remove(objects, target, deadline=deadline))
        left += deletion.waiting_for
    waited_for = {rest.object for rest in left}
    removed = tuple(row.key for row in rows if row.key not in waited_for)
    return Removal(removed=removed, waiting_for=tuple(left))


def _forget(cluster: Cluster, rows: Sequence[Orphan], removal: Removal) -> None:
    gone = set(removal.removed)
    Orphan.objects.filter(pk__in=[row.pk for row in rows if row.key in gone]).delete()
    count_orphans(cluster)


def _implementation(row: Orphan) -> str:
    return row.implementation


def _act(cluster: Cluster, rows: Sequence[Orphan], reason: str, origin: Origin) -> Act:
    objects = [
        {
            "kind": row.kind,
            "namespace": row.namespace,
            "name": row.name,
            "uid": row.uid,
            "deployment_id": row.deployment_id,
        }
        for row in rows
    ]
    return Act(
        action=REMOVAL,
        object_type="cluster",
        object_id=str(cluster.pk),
        object_name=cluster.name,
        outcome=Outcome.ACCEPTED,
        before={"objects": objects},
        reason=reason,
        operation_id=str(uuid.uuid4()),
        origin=origin,
    )


def _told(removal: Removal) -> str:
    names = ", ".join(str(rest.object) for rest in removal.waiting_for)
    return f"the cluster is still removing {names}" if names else ""

"""One full pass over a cluster: statuses, capacity, finished deletions, unfinished work, orphans.

It writes only what changed, and one broken deployment or provider stops none of the others. One
process at a time does it, by a lease on the cluster.
"""

import time
from collections.abc import Iterable, Sequence
from datetime import datetime

from django.db import DatabaseError
from django.utils import timezone

from deployments.models import Cluster, Deployment, Operation
from deployments.selectors import unfinished_operations
from deployments.services.capacity import capacity_document, doors
from deployments.services.clusters import target_of
from deployments.services.deadlines import (
    CREATE_SECONDS,
    PASS_SECONDS,
    deadline_in,
    seconds_left,
    sooner,
)
from deployments.services.finishing import finish_operation
from deployments.services.keeping import Seen, keep_observations
from deployments.services.leasing import Lease, held, take_lease
from deployments.services.reports import RefreshReport, Tally
from deployments.services.surveying import DoorReads, kinds_of, list_providers, read_door
from providers.contract.errors import ProviderError
from providers.contract.protocols import Deadline, Listing, ManagedObject

LEASE_SECONDS = PASS_SECONDS + 15.0


def refresh_cluster(cluster: Cluster) -> RefreshReport:
    """Do one full pass; never raises for what a cluster or a provider does."""
    began, lease = (
        time.monotonic(),
        take_lease(Cluster.objects.all(), cluster.pk, seconds=LEASE_SECONDS),
    )
    if lease is None:
        return RefreshReport(cluster=cluster.name, skipped=True)
    tally, at = Tally(), timezone.now()
    deployments = _open_deployments(cluster)
    try:
        reads = _pass(cluster, deployments, tally)
    except ProviderError as error:
        _keep_failure(cluster, lease, error)
        return RefreshReport(
            cluster=cluster.name,
            error=error.message,
            error_code=error.code,
            deployments=len(deployments),
            problems=tuple(tally.problems),
            seconds=time.monotonic() - began,
        )
    _keep_success(cluster, lease, reads, tally, at)
    return RefreshReport(
        cluster=cluster.name,
        deployments=len(deployments),
        problems=tuple(tally.problems),
        seconds=time.monotonic() - began,
        changed=tally.counts["changed"],
        closed=tally.counts["closed"],
        finished=tally.counts["finished"],
        unfinished=tally.counts["unfinished"],
        orphans=tally.counts["orphans"],
    )


def _pass(cluster: Cluster, deployments: Sequence[Deployment], tally: Tally) -> list[DoorReads]:
    deadline, target, reads = deadline_in(PASS_SECONDS), target_of(cluster), []
    for door in doors():
        one = read_door(door, cluster, target, deployments=deployments, deadline=deadline)
        listings = list_providers(
            one, target, deployments=deployments, tally=tally, deadline=deadline
        )
        for listing in listings:
            _keep_listing(listing, deployments, tally)
        reads.append(one)
    _finish(unfinished_operations(cluster.pk), tally, deadline)
    return reads


def _open_deployments(cluster: Cluster) -> list[Deployment]:
    found = list(Deployment.objects.open().filter(cluster=cluster))
    for deployment in found:
        deployment.cluster = cluster
    return found


def _keep_listing(listing: Listing, deployments: Iterable[Deployment], tally: Tally) -> None:
    seen = [
        Seen(deployment=deployment, observation=listing.observations[str(deployment.pk)])
        for deployment in deployments
        if str(deployment.pk) in listing.observations
    ]
    keep_observations(seen, tally)
    tally.counts["orphans"] += len(_orphans(listing.unmatched))


def _orphans(unmatched: Sequence[ManagedObject]) -> list[ManagedObject]:
    """Return the objects that no open record owns, also none that was stored during the pass."""
    ids = {item.deployment_id for item in unmatched if item.deployment_id}
    if not ids:
        return list(unmatched)
    rows = Deployment.objects.open().values_list("pk", flat=True)
    known = {str(pk) for pk in rows} if unmatched else set()
    return [item for item in unmatched if item.deployment_id not in known]


def _finish(operations: Iterable[Operation], tally: Tally, deadline: Deadline) -> None:
    # Those that never failed go first: a few that always time out must not starve the others.
    for operation in sorted(operations, key=lambda one: bool(one.last_error)):
        done = seconds_left(deadline) > 1 and _finish_one(operation, tally, deadline)
        tally.add("finished" if done else "unfinished")


def _finish_one(operation: Operation, tally: Tally, deadline: Deadline) -> bool:
    try:
        return finish_operation(operation, deadline=sooner(deadline, CREATE_SECONDS))
    except (DatabaseError, ProviderError) as error:
        tally.problems.append(f"{operation.deployment.name}: {error}")
        return False


def _keep_success(
    cluster: Cluster, lease: Lease, reads: Sequence[DoorReads], tally: Tally, at: datetime
) -> None:
    columns: dict[str, object] = {
        "reachable": True,
        "last_seen_at": at,
        "last_pass_at": at,
        "last_error": "",
        "last_error_code": "",
        "orphans": tally.counts["orphans"],
        "kinds": dict(kinds_of(reads)),
        "uid": next((one.facts.uid for one in reads if one.facts.uid), cluster.uid),
    }
    for one in reads[:1]:
        columns["capacity"] = capacity_document(one.shared.capacity)
        columns["capacity_at"] = at
    _keep(cluster, lease, columns)


def _keep_failure(cluster: Cluster, lease: Lease, error: ProviderError) -> None:
    columns = {
        "reachable": False,
        "last_error": error.message,
        "last_error_code": error.code,
    }
    _keep(cluster, lease, columns)


def _keep(cluster: Cluster, lease: Lease, columns: dict[str, object]) -> None:
    """Write what a pass found and give the lease back, in one UPDATE."""
    if held(Cluster.objects.all(), lease).update(**columns, lease_owner="", lease_until=None):
        for name, value in columns.items():
            setattr(cluster, name, value)

"""One full pass over a cluster: statuses, capacity, finished deletions, unfinished work, orphans.

It writes only what changed, and one broken deployment or provider stops none of the others. One
process at a time does it, by a lease on the cluster.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from django.db import DatabaseError

from deployments.models import Cluster, Deployment, PassedRow
from deployments.services.abandoned import end_abandoned_removals
from deployments.services.backing_off import answered_columns
from deployments.services.calling import ProviderFailed
from deployments.services.capacity import capacity_document, doors
from deployments.services.clusters import target_of
from deployments.services.deadlines import PASS_SECONDS, deadline_in
from deployments.services.finishing import finish_operations
from deployments.services.keeping import Seen, keep_news
from deployments.services.orphans import Sighting, keep_orphans
from deployments.services.passing import Turn, run_pass
from deployments.services.reports import RefreshReport
from deployments.services.snapshots import is_news
from deployments.services.surveying import (
    DoorReads,
    carried_by,
    kinds_of,
    list_providers,
    read_door,
)
from providers.contract.protocols import Deadline
from providers.contract.target import ClusterTarget


def refresh_cluster(cluster: Cluster) -> RefreshReport:
    """Do one full pass; never raises for what a cluster or a provider does."""
    return run_pass(cluster, _full_pass)


def _full_pass(turn: Turn) -> Mapping[str, object]:
    deadline, deployments = deadline_in(PASS_SECONDS), _open_deployments(turn.cluster)
    turn.tally.counts["deployments"] = len(deployments)
    sightings: list[Sighting] = []
    reads = list(_read_and_keep(turn, deployments, sightings, deadline))
    _keep_orphans(turn, reads, sightings)
    finish_operations(turn, deadline)
    return _columns(turn, reads)


def _read_and_keep(
    turn: Turn,
    deployments: Sequence[PassedRow],
    sightings: list[Sighting],
    deadline: Deadline,
) -> Iterable[DoorReads]:
    target = target_of(turn.cluster)
    for one in _read_doors(turn, target, deployments, deadline):
        for sighting in list_providers(
            one, target, turn=turn, deployments=deployments, deadline=deadline
        ):
            _keep_sighting(turn, sighting, deployments)
            sightings.append(sighting)
        yield one


def _read_doors(
    turn: Turn, target: ClusterTarget, deployments: Sequence[PassedRow], deadline: Deadline
) -> Iterator[DoorReads]:
    """Yield what each door reads; one that is at fault itself is a problem, unless all are."""
    failure: ProviderFailed | None = None
    has_read = False
    for door in doors():
        try:
            one = read_door(door, turn.cluster, target, deployments=deployments, deadline=deadline)
        except ProviderFailed as error:
            failure = error
            turn.tally.problems.append(f"{door.name}: {error.message}")
            turn.tally.unread |= {one.kind: error.message for one in carried_by(door)}
        else:
            has_read = True
            yield one
    if failure is not None and not has_read:
        raise failure


def _open_deployments(cluster: Cluster) -> list[PassedRow]:
    return Deployment.objects.open().filter(cluster=cluster).passed_rows()


def _keep_sighting(turn: Turn, sighting: Sighting, deployments: Iterable[PassedRow]) -> None:
    """Store what is news; most rows have none, and are made into records for nothing."""
    observations = sighting.listing.observations
    news = [
        Seen(deployment=_record_of(turn.cluster, row), observation=observation)
        for row in deployments
        if row.kind == sighting.implementation
        and (observation := observations.get(str(row.pk))) is not None
        and is_news(row, observation)
    ]
    keep_news(news, turn.tally, fence=turn.fence)


def _record_of(cluster: Cluster, row: PassedRow) -> Deployment:
    deployment = Deployment.record_of(row)
    deployment.cluster = cluster
    return deployment


def _keep_orphans(turn: Turn, reads: Sequence[DoorReads], sightings: Sequence[Sighting]) -> None:
    absent = {kind for kind, is_installed in kinds_of(reads).items() if not is_installed}
    try:
        found = keep_orphans(turn.cluster, sightings, absent=absent, fence=turn.fence)
        end_abandoned_removals(turn.cluster, fence=turn.fence)
    except (DatabaseError, ValueError) as error:
        turn.tally.problems.append(f"objects without a record: {error}")
        found = turn.cluster.orphans
    turn.tally.counts["orphans"] = found


def _columns(turn: Turn, reads: Sequence[DoorReads]) -> Mapping[str, object]:
    unread = {kind: _missed(turn, kind, why) for kind, why in turn.tally.unread.items()}
    uid = next((one.facts.uid for one in reads if one.facts.uid), turn.cluster.uid)
    columns: dict[str, object] = {
        "last_pass_at": turn.at,
        "orphans": turn.tally.counts["orphans"],
        "kinds": dict(kinds_of(reads)),
        "unread_kinds": unread,
        "uid": uid,
        **answered_columns(unread),
    }
    for one in reads[:1]:
        columns["capacity"] = capacity_document(one.shared.capacity)
        columns["capacity_at"] = turn.at
    return columns


def _missed(turn: Turn, kind: str, why: str) -> Mapping[str, str]:
    """Return why a kind could not be read, and when it was read last, empty for never."""
    before, last = turn.cluster.unread_kinds.get(kind), turn.cluster.last_pass_at
    read_at = before["read_at"] if before else (last.isoformat() if last else "")
    return {"why": why, "read_at": read_at}

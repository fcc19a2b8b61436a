"""The small pass between two full ones: what is on its way or in trouble, and unfinished work.

It reads by id, up to a number that a selector can name; more are the business of a full pass. So
what somebody waits for is news within seconds, whatever else the cluster carries.
"""

from collections.abc import Mapping, Sequence
from itertools import groupby

from deployments.models import Cluster, Deployment
from deployments.services.answers import observations_of
from deployments.services.calling import calling_cluster, provider_of
from deployments.services.clusters import target_of
from deployments.services.deadlines import (
    MOVING_SECONDS,
    PASS_SECONDS,
    READ_SECONDS,
    deadline_in,
    sooner,
)
from deployments.services.finishing import finish_operations
from deployments.services.keeping import Seen, keep_observations
from deployments.services.passing import Turn, run_pass
from deployments.services.reports import RefreshReport
from deployments.services.surveying import readable_refs, require_cluster
from providers import registry
from providers.contract.errors import ProviderError
from providers.contract.protocols import Deadline
from providers.contract.several import MOST_AT_ONCE, ReadsSeveral


def refresh_moving(cluster: Cluster) -> RefreshReport:
    """Read what is moving on a cluster, and finish what was begun; never raises, as a full pass."""
    return run_pass(cluster, _moving_pass)


def can_be_read_at_once(deployments: Sequence[Deployment]) -> bool:
    """Tell whether so many of these kinds can be read by id."""
    known = registry.providers()
    kinds = {row.kind for row in deployments} & known.keys()
    return len(deployments) <= MOST_AT_ONCE and all(
        isinstance(known[kind], ReadsSeveral) for kind in kinds
    )


def moving_deployments(cluster: Cluster) -> list[Deployment]:
    """Return what is moving on a cluster, at most one more than can be read at once.

    What no provider here carries is read by nobody.
    """
    carried = Deployment.objects.moving().filter(kind__in=registry.providers())
    rows = carried.filter(cluster=cluster).order_by("kind", "pk")
    found = list(rows[: MOST_AT_ONCE + 1])
    for deployment in found:
        deployment.cluster = cluster
    return found


def _moving_pass(turn: Turn) -> Mapping[str, object]:
    deadline, deployments = deadline_in(PASS_SECONDS), moving_deployments(turn.cluster)
    turn.tally.counts["deployments"] = len(deployments)
    by_kind = [(kind, list(rows)) for kind, rows in groupby(deployments, key=lambda row: row.kind)]
    for kind, rows in by_kind:
        _read_and_keep(turn, kind, rows, deadline)
    # Not for as long as a full pass may take: that one must have its turn in time.
    finish_operations(turn, sooner(deadline, MOVING_SECONDS))
    # What was not read must not pass for fresh; what was not before does not either.
    is_news = turn.tally.unread.keys() - turn.cluster.unread_kinds.keys()
    return {} if is_news else {"last_moving_pass_at": turn.at}


def _read_and_keep(
    turn: Turn, kind: str, deployments: Sequence[Deployment], deadline: Deadline
) -> None:
    """Read and keep deployments of one kind; what goes wrong with this kind alone is noted.

    One that could not be read before gets little time, so that the others have their turn.
    """
    most = READ_SECONDS if kind in turn.cluster.unread_kinds else MOVING_SECONDS
    try:
        seen = _read(turn, kind, deployments, sooner(deadline, most))
    except ProviderError as error:
        door, target = provider_of(kind).door, target_of(turn.cluster)
        require_cluster(turn.cluster, target, door, error, deadline=deadline)
        turn.tally.miss(kind, error)
    else:
        keep_observations(seen, turn.tally, fence=turn.fence)


def _read(
    turn: Turn, kind: str, deployments: Sequence[Deployment], deadline: Deadline
) -> list[Seen]:
    provider, target = provider_of(kind), target_of(turn.cluster)
    if not isinstance(provider, ReadsSeveral):
        return []
    refs = list(readable_refs(deployments, turn.tally))
    with calling_cluster(target.name, kind, "get_several"):
        found = observations_of(provider.get_several(refs, target, deadline=deadline))
    return [
        Seen(deployment=row, observation=found[str(row.pk)])
        for row in deployments
        if str(row.pk) in found
    ]

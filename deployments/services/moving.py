"""The small pass between two full ones: what is on its way or in trouble, and unfinished work.

It reads by id, up to a number that a selector can name; more are the business of a full pass. So
what somebody waits for is news within seconds, whatever else the cluster carries.
"""

from collections.abc import Mapping, Sequence
from itertools import groupby

from deployments.models import Cluster, Deployment
from deployments.services.answers import observations_of
from deployments.services.applying import NOT_ABOUT_THE_ORDER
from deployments.services.calling import calling_cluster, provider_of
from deployments.services.clusters import target_of
from deployments.services.deadlines import MOVING_SECONDS, PASS_SECONDS, deadline_in, sooner
from deployments.services.finishing import finish_operations
from deployments.services.keeping import Seen, keep_observations
from deployments.services.passing import Turn, run_pass
from deployments.services.reports import RefreshReport
from deployments.services.surveying import readable_refs
from providers import registry
from providers.contract.errors import ProviderError, Unavailable
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
    read = [_is_read(turn, *some, sooner(deadline, MOVING_SECONDS)) for some in by_kind]
    # Not for as long as a full pass may take: that one must have its turn in time.
    finish_operations(turn, sooner(deadline, MOVING_SECONDS))
    # What was not read must not pass for fresh.
    return {"last_moving_pass_at": turn.at} if all(read) else {}


def _is_read(turn: Turn, kind: str, deployments: Sequence[Deployment], deadline: Deadline) -> bool:
    """Read and keep deployments of one kind; False where that is a problem of this kind alone."""
    try:
        seen = _read(turn, kind, deployments, deadline)
    except ProviderError as error:
        if isinstance(error, Unavailable) or error.code in NOT_ABOUT_THE_ORDER:
            raise
        turn.tally.problems.append(f"{kind}: {error.message}")
        return False
    keep_observations(seen, turn.tally, fence=turn.fence)
    return True


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

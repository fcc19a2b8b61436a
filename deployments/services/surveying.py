"""The reading half of a pass: what each door and each provider of one cluster has to tell.

What one kind alone is at fault for costs that kind its turn, and a cluster that is silent is asked
for no further one.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from deployments.models import Cluster, Deployment, PassedRow
from deployments.services.answers import facts_of, listing_of, shared_of
from deployments.services.applying import NOT_ABOUT_THE_ORDER
from deployments.services.calling import calling, calling_cluster
from deployments.services.deadlines import LEFT_SECONDS, PROBE_SECONDS, earlier, sooner
from deployments.services.orphans import Sighting
from deployments.services.passing import Turn
from deployments.services.refs import ref_of
from deployments.services.reports import Tally
from providers import registry
from providers.contract.errors import ProviderError, Rejected, Unavailable
from providers.contract.protocols import (
    ClusterDoor,
    ClusterFacts,
    Deadline,
    Listing,
    Provider,
    SharedReads,
)
from providers.contract.request import DeploymentRef
from providers.contract.status import Phase
from providers.contract.target import ClusterTarget


@dataclass(frozen=True, kw_only=True, slots=True)
class DoorReads:
    """What one door told of a cluster."""

    door: ClusterDoor
    facts: ClusterFacts
    shared: SharedReads


def read_door(
    door: ClusterDoor,
    cluster: Cluster,
    target: ClusterTarget,
    *,
    deployments: Sequence[PassedRow],
    deadline: Deadline,
) -> DoorReads:
    """Read what all providers of a door share; raises a contract error, or for another cluster."""
    facts = probe_door(door, cluster, target, deadline=sooner(deadline, PROBE_SECONDS))
    troubled = {row.namespace for row in deployments if row.phase != Phase.READY}
    with calling_cluster(cluster.name, door.name, "read_shared"):
        answer = door.read_shared(target, with_events_of=sorted(troubled), deadline=deadline)
        shared = shared_of(answer)
    return DoorReads(door=door, facts=facts, shared=shared)


def probe_door(
    door: ClusterDoor, cluster: Cluster, target: ClusterTarget, *, deadline: Deadline
) -> ClusterFacts:
    """Ask who is there; raises a contract error, also for another cluster than before."""
    with calling_cluster(cluster.name, door.name, "probe"):
        facts = facts_of(door.probe(target, deadline=deadline))
    if cluster.uid and facts.uid and cluster.uid != facts.uid:
        raise Rejected(
            f"{cluster.name} is another cluster than before; an admin must confirm it",
            code="ClusterChanged",
        )
    return facts


def list_providers(
    reads: DoorReads,
    target: ClusterTarget,
    *,
    turn: Turn,
    deployments: Sequence[PassedRow],
    deadline: Deadline,
) -> Iterator[Sighting]:
    """Yield what every provider of a door lists; one that fails is missed, not the end.

    Raises a contract error that concerns the whole cluster.
    """
    due = _due(reads, turn.cluster, deployments)
    for place, (provider, own) in enumerate(due):
        until = earlier(deadline, LEFT_SECONDS * (len(due) - place))
        try:
            listing = _list(provider, target, own, reads.shared, turn.tally, until)
        except ProviderError as error:
            require_cluster(turn.cluster, target, reads.door, error, deadline=deadline)
            turn.tally.miss(provider.kind, error)
        else:
            yield Sighting(implementation=provider.kind, listing=listing, now=reads.shared.now)


def _due(
    reads: DoorReads, cluster: Cluster, deployments: Sequence[PassedRow]
) -> list[tuple[Provider, list[PassedRow]]]:
    """Return the providers of a door with what they carry, those last that were not read before."""
    due = []
    for provider in carried_by(reads.door):
        own = [row for row in deployments if row.kind == provider.kind]
        if own or reads.facts.kinds.get(provider.kind, True):
            due.append((provider, own))
    return sorted(due, key=lambda one: one[0].kind in cluster.unread_kinds)


def carried_by(door: ClusterDoor) -> list[Provider]:
    """Return the providers that go through a door."""
    return [provider for provider in registry.providers().values() if provider.door is door]


def require_cluster(
    cluster: Cluster,
    target: ClusterTarget,
    door: ClusterDoor | None,
    error: ProviderError,
    *,
    deadline: Deadline,
) -> None:
    """Raise the error of one kind where it is the whole cluster that refuses, or does not answer.

    The cluster is asked once more who it is: that it answers, be it late, only that tells.
    """
    if error.code in NOT_ABOUT_THE_ORDER:
        raise error
    if not isinstance(error, Unavailable) or door is None:
        return
    try:
        probe_door(door, cluster, target, deadline=sooner(deadline, PROBE_SECONDS))
    except ProviderError:
        raise error from None


def _list(
    provider: Provider,
    target: ClusterTarget,
    deployments: Sequence[PassedRow],
    shared: SharedReads,
    tally: Tally,
    deadline: Deadline,
) -> Listing:
    refs = list(readable_refs(deployments, tally))
    with calling_cluster(target.name, provider.kind, "list"):
        return listing_of(provider.list(target, refs, shared, deadline=deadline))


def readable_refs(
    deployments: Iterable[Deployment | PassedRow], tally: Tally
) -> Iterator[DeploymentRef]:
    """Yield what a provider is told of each; a record that cannot be read is a problem."""
    for deployment in deployments:
        try:
            with calling(deployment.kind, "read a record"):
                ref = ref_of(deployment)
        except ProviderError as error:
            tally.problems.append(f"{deployment.name}: {error.message}")
        else:
            yield ref


def kinds_of(reads: Sequence[DoorReads]) -> Mapping[str, bool]:
    """Return which kinds of implementation are installed."""
    return {kind: known for one in reads for kind, known in one.facts.kinds.items()}

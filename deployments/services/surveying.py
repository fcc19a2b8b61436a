"""The reading half of a pass: what each door and each provider of one cluster has to tell."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from deployments.models import Cluster, Deployment, PassedRow
from deployments.services.answers import facts_of, listing_of, shared_of
from deployments.services.calling import calling, calling_cluster
from deployments.services.deadlines import PROBE_SECONDS, sooner
from deployments.services.orphans import Sighting
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
    deployments: Sequence[PassedRow],
    tally: Tally,
    deadline: Deadline,
) -> Iterator[Sighting]:
    """Yield what every provider of a door lists; one that fails is a problem, not the end.

    Raises Unavailable when the cluster stops answering.
    """
    for provider in registry.providers().values():
        if provider.door is not reads.door:
            continue
        own = [row for row in deployments if row.kind == provider.kind]
        if not own and not reads.facts.kinds.get(provider.kind, True):
            continue
        try:
            listing = _list(provider, target, own, reads.shared, tally, deadline)
        except Unavailable:
            raise  # what was not read must not pass for fresh
        except ProviderError as error:
            tally.problems.append(f"{provider.kind}: {error.message}")
        else:
            yield Sighting(implementation=provider.kind, listing=listing, now=reads.shared.now)


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

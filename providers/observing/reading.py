"""One round of reads for somebody who looks: all side by side, each allowed to fail by itself."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Any

from providers.contract.errors import ProviderError, Rejected, Unavailable
from providers.contract.protocols import Deadline
from providers.contract.target import ClusterTarget
from providers.kube.bounded import run_all
from providers.kube.client import KubeClient
from providers.kube.identity import require_same_cluster
from providers.kube.lists import Read, Selection
from providers.kube.resources import Resource
from providers.workload.objects import Item

Call = Callable[[], Read[Any]]
Wanted = tuple[Resource, type[Item], Selection]
"""A kind, as what it is read, and which of it."""


def read_side_by_side(
    client: KubeClient, target: ClusterTarget, calls: Sequence[Call], *, deadline: Deadline
) -> Sequence[Read[Any]]:
    """Return what each call read, in their order; one that failed is told as forbidden, with why.

    Raises Rejected when another cluster answers, and what the calls raised when none read anything.
    """
    proof = partial(_attempt, partial(_prove, client, target, deadline))
    outcomes = run_all(client.threads, [proof, *(partial(_attempt, call) for call in calls)])
    other, *found = outcomes
    if isinstance(other, Rejected):
        raise other
    failures = [outcome for outcome in found if isinstance(outcome, ProviderError)]
    if failures and len(failures) == len(found):
        raise failures[0]
    return [_told(outcome) for outcome in found]


def clock_of(reads: Sequence[Read[Any]]) -> datetime:
    """Return the API server's clock, ours where no answer bore a time."""
    return next((read.now for read in reads if read.now), datetime.now(UTC))


def troubles_of(reads: Mapping[str, Read[Any]]) -> Mapping[str, str]:
    """Return why a kind could not be read, or not all of it, by the kinds that this is true of."""
    told = {
        kind: "the cluster does not know this kind" if read.missing else read.trouble
        for kind, read in reads.items()
    }
    return {kind: why for kind, why in told.items() if why}


def _prove(client: KubeClient, target: ClusterTarget, deadline: Deadline) -> Read[Any]:
    require_same_cluster(client, target, deadline=deadline)
    return Read()


def _attempt(call: Call) -> Read[Any] | ProviderError:
    try:
        return call()
    except (Unavailable, Rejected) as error:
        return error


def _told(outcome: Read[Any] | ProviderError) -> Read[Any]:
    return Read(forbidden=outcome.message) if isinstance(outcome, ProviderError) else outcome

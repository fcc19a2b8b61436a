"""The ways in which a StormService is looked at, each of which must tell the same."""

from collections.abc import Callable

from providers.contract.protocols import Applied
from providers.contract.request import DeployRequest
from providers.contract.status import Status
from providers.contract.target import ClusterTarget
from providers.kube.clock import deadline_in
from providers.kube.door import door
from providers.stormservice.provider import provider
from providers.testing.samples import ref_of

Look = Callable[[DeployRequest, Applied, ClusterTarget], Status]


def by_itself(request: DeployRequest, applied: Applied, target: ClusterTarget) -> Status:
    return provider.get(ref_of(request, applied), target, deadline=deadline_in(60)).status


def among_some(request: DeployRequest, applied: Applied, target: ClusterTarget) -> Status:
    ref = ref_of(request, applied)
    return provider.get_several([ref], target, deadline=deadline_in(60))[ref.id].status


def in_a_pass(request: DeployRequest, applied: Applied, target: ClusterTarget) -> Status:
    ref, spaces = ref_of(request, applied), (request.namespace,)
    shared = door.read_shared(target, with_events_of=spaces, deadline=deadline_in(60))
    listing = provider.list(target, [ref], shared, deadline=deadline_in(60))
    return listing.observations[ref.id].status


def by_a_watch(request: DeployRequest, applied: Applied, target: ClusterTarget) -> Status:
    ref, spaces = ref_of(request, applied), (request.namespace,)
    watching = provider.watch(target, namespaces=spaces, deadline=deadline_in(60))
    try:
        return watching.observe([ref], deadline=deadline_in(60))[ref.id].status
    finally:
        watching.close()


EACH_LOOK = (by_itself, among_some, in_a_pass, by_a_watch)

"""Reads one deployment live, keeps what is news, and answers even when the cluster does not."""

from dataclasses import dataclass
from datetime import datetime

from deployments.models import Deployment
from deployments.selectors import seen_at, snapshot_of
from deployments.services.answers import observation_of
from deployments.services.backing_off import note_answer
from deployments.services.calling import calling_cluster, provider_of
from deployments.services.clusters import target_of
from deployments.services.deadlines import READ_SECONDS, deadline_in
from deployments.services.observing import Kept, keep_observation
from deployments.services.refs import ref_of
from deployments.services.snapshots import endpoint_from
from providers.contract.errors import ProviderError
from providers.contract.pods import PodLine
from providers.contract.protocols import Endpoint, Observation
from providers.contract.status import Status


@dataclass(frozen=True, kw_only=True, slots=True)
class Reading:
    """The verdict on a deployment; a stale one is the last stored, with the cause and its time.

    `on_node_since` is when the first of the replicas that are on their way got its node; `pods` are
    those of a live reading.
    """

    deployment: Deployment
    status: Status
    endpoint: Endpoint
    stale: bool = False
    cause: str = ""
    cause_code: str = ""
    seen_at: datetime | None = None
    on_node_since: datetime | None = None
    pods: tuple[PodLine, ...] = ()


def read_deployment(deployment: Deployment) -> Reading:
    """Ask the cluster how a deployment is; never raises for a cluster that does not answer.

    A deletion whose objects are gone is closed here.
    """
    if deployment.is_closed:
        return _stored(deployment)
    try:
        observation = _observe(deployment)
    except ProviderError as error:
        return _stored(deployment, error)
    if keep_observation(deployment, observation) is Kept.CLOSED:
        return _stored(deployment)
    return Reading(
        deployment=deployment,
        status=observation.status,
        endpoint=observation.endpoint,
        seen_at=observation.status.observed_at,
        on_node_since=_on_node_since(observation),
        pods=observation.pods,
    )


def _on_node_since(observation: Observation) -> datetime | None:
    on_their_way = (one.scheduled_at for one in observation.starts if one.ready_at is None)
    return min(on_their_way, default=None)


def _observe(deployment: Deployment) -> Observation:
    provider = provider_of(deployment.kind)
    with calling_cluster(deployment.cluster.name, provider.kind, "get"):
        target, deadline = target_of(deployment.cluster), deadline_in(READ_SECONDS)
        seen = observation_of(provider.get(ref_of(deployment), target, deadline=deadline))
    note_answer(deployment.cluster)
    return seen


def _stored(deployment: Deployment, error: ProviderError | None = None) -> Reading:
    return Reading(
        deployment=deployment,
        status=snapshot_of(deployment),
        endpoint=endpoint_from(deployment.endpoint),
        stale=error is not None,
        cause=error.message if error else "",
        cause_code=error.code if error else "",
        seen_at=seen_at(deployment),
    )

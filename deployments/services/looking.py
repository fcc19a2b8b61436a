"""Looks into one deployment as it stands on its cluster now: its objects and what was said of them.

Nothing here is stored, and access is the caller's business. Raises RecordClosed and NotObserved
where there is nothing to look at, ClusterUnavailable and ClusterRefused where it cannot be read.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from deployments.exceptions import NotObserved, RecordClosed
from deployments.models import Deployment
from deployments.selectors import current_source
from deployments.services.answers import answer_of
from deployments.services.backing_off import note_answer
from deployments.services.calling import calling_cluster, provider_of
from deployments.services.clusters import target_of
from deployments.services.deadlines import READ_SECONDS, deadline_in
from deployments.services.refs import ref_of
from deployments.services.translating import translating
from providers.contract.observing import Events, Observes, Resources
from providers.contract.protocols import Deadline
from providers.contract.request import DeploymentRef
from providers.contract.target import ClusterTarget

_T = TypeVar("_T")

Look = Callable[[Observes, ClusterTarget, Deadline], _T]


def look_at_resources(deployment: Deployment) -> Resources:
    """Return every object of a deployment with its own state in words."""
    ref = replace(ref_of(deployment), claim=_claim_of(deployment))
    return look(
        deployment,
        "resources",
        lambda into, at, by: answer_of(Resources, into.resources(ref, at, deadline=by)),
    )


def look_at_events(deployment: Deployment) -> Events:
    """Return what the cluster said about the objects of a deployment, newest first."""
    ref: DeploymentRef = ref_of(deployment)
    return look(
        deployment,
        "events",
        lambda into, at, by: answer_of(Events, into.events(ref, at, deadline=by)),
    )


def look(deployment: Deployment, verb: str, ask: Look[_T]) -> _T:
    """Ask the provider of a deployment one thing, within the time that a read may take."""
    with translating():
        provider = _observer_of(deployment)
        with calling_cluster(deployment.cluster.name, deployment.kind, verb):
            seen = ask(provider, target_of(deployment.cluster), deadline_in(READ_SECONDS))
    note_answer(deployment.cluster)
    return seen


def _observer_of(deployment: Deployment) -> Observes:
    if deployment.is_closed:
        raise RecordClosed
    provider = provider_of(deployment.kind)
    if provider.capabilities.observes and isinstance(provider, Observes):
        return provider
    raise NotObserved(deployment.kind)


def _claim_of(deployment: Deployment) -> str:
    cache = (current_source(deployment) or {}).get("cache")
    return str(cache.get("claim") or "") if isinstance(cache, dict) else ""

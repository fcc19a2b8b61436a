"""What others changed on the objects of a deployment, asked of its cluster now.

Compared is the revision that was applied last. Nothing is stored, and access is the caller's
business.
"""

from deployments.change_errors import DeletionAsked
from deployments.drift_errors import ChangeUnderWay, DriftChanged, NotCompared
from deployments.exceptions import RecordClosed
from deployments.models import Deployment
from deployments.selectors import revision_numbered
from deployments.services.answers import answer_of
from deployments.services.backing_off import note_answer
from deployments.services.calling import calling_cluster, provider_of
from deployments.services.clusters import target_of
from deployments.services.deadlines import READ_SECONDS, deadline_in
from deployments.services.refs import ref_of
from deployments.services.translating import translating
from providers.contract.drifting import Compares, Drift
from providers.contract.manifest import Manifest


def drift_of(deployment: Deployment) -> Drift:
    """Return all that differs from what was applied, and who else manages the objects.

    Raises RecordClosed, DeletionAsked, ChangeUnderWay or NotCompared where there is nothing to
    compare, ClusterUnavailable and ClusterRefused where it cannot be read.
    """
    refuse_uncompared(deployment)
    with translating():
        provider = comparer_of(deployment)
        with calling_cluster(deployment.cluster.name, deployment.kind, "drift"):
            answer = provider.drift(
                applied_manifests(deployment),
                ref_of(deployment),
                target_of(deployment.cluster),
                deadline=deadline_in(READ_SECONDS),
            )
            found = answer_of(Drift, answer)
    note_answer(deployment.cluster)
    return found


def drift_as_seen(deployment: Deployment, digest: str) -> Drift:
    """Return what differs if it is still what a person has seen; raises DriftChanged."""
    found = drift_of(deployment)
    if found.fields and found.digest != digest:
        raise DriftChanged
    return found


def comparer_of(deployment: Deployment) -> Compares:
    """Return the provider of a deployment; raises NotCompared where it tells no drift."""
    provider = provider_of(deployment.kind)
    if isinstance(provider, Compares):
        return provider
    raise NotCompared(deployment.kind)


def applied_manifests(deployment: Deployment) -> tuple[Manifest, ...]:
    """Return the objects as they were applied last."""
    return tuple(revision_numbered(deployment, deployment.applied_revision).manifests)


def refuse_uncompared(deployment: Deployment) -> None:
    """Raise RecordClosed, DeletionAsked or ChangeUnderWay unless what is wanted is applied."""
    if deployment.is_closed:
        raise RecordClosed
    if deployment.is_deleting:
        raise DeletionAsked(deployment.name)
    is_applied = deployment.applied_revision == deployment.revision
    if not is_applied or deployment.operations.unfinished().exists():
        raise ChangeUnderWay(deployment.name)

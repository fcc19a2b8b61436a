"""Gives objects without a record one again; nothing on the cluster is written, no pod restarts.

Where the closed record of their id is kept, it is opened anew. Where there is none, because the
database is older than the launch, it is written from what the workload says it was launched from,
as far as the catalogue still has that.
"""

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils import timezone

from deployments.access import require_admin
from deployments.exceptions import NameTaken, OrphansChanged
from deployments.models import Deployment, Orphan
from deployments.services.adoptable import FIELD, Adoption, plan_adoption
from deployments.services.answers import observation_of
from deployments.services.auditing import Act, Origin, Outcome, record_audit
from deployments.services.calling import calling_cluster, provider_of
from deployments.services.clusters import target_of
from deployments.services.deadlines import READ_SECONDS, deadline_in
from deployments.services.orphan_groups import OrphanGroup
from deployments.services.orphans import count_orphans
from deployments.services.refs import ref_of
from deployments.services.snapshots import (
    change_of,
    set_columns,
    status_columns,
    tell_changes,
    write_verdict,
)
from deployments.services.storing import audited
from deployments.services.translating import translating
from providers.contract.protocols import Observation

CHANGED = "these objects are not what the last pass found; look again after the next one"


def adopt_orphans(
    group: OrphanGroup,
    *,
    user: User,
    name: str = "",
    reason: str = "",
    origin: Origin | None = None,
) -> Deployment:
    """Manage a deployment again that lost its record, and return that.

    Raises NotAllowed, what plan_adoption raises, OrphansChanged, or ClusterUnavailable when the
    cluster cannot be asked whether the workload is still the one that was found.
    """
    require_admin(user, doing="adopt what has no record")
    adoption = plan_adoption(group, user=user, name=name)
    observation = _look(adoption)
    before = audited(group.record) if group.record is not None else None
    try:
        with transaction.atomic():
            _claim(group)
            deployment = _store(adoption, observation)
            count_orphans(group.cluster)
            act = Act(
                action="deployment.adopt",
                object_type="deployment",
                object_id=str(deployment.pk),
                object_name=deployment.name,
                outcome=Outcome.SUCCEEDED,
                before=before,
                after=audited(deployment),
                reason=reason,
                origin=origin or Origin(),
            )
            record_audit(act, actor=user)
    except IntegrityError as error:
        raise NameTaken("name", f"{adoption.deployment.name} was taken just now") from error
    return deployment


def _look(adoption: Adoption) -> Observation:
    """Read the workload live; raises OrphansChanged when it is not the one that was found."""
    deployment, cluster = adoption.deployment, adoption.group.cluster
    with translating():
        provider = provider_of(deployment.kind)
        with calling_cluster(cluster.name, provider.kind, "get"):
            target, deadline = target_of(cluster), deadline_in(READ_SECONDS)
            seen = observation_of(provider.get(ref_of(deployment), target, deadline=deadline))
    if seen.workload_uid != deployment.workload_uid:
        raise OrphansChanged(FIELD, CHANGED)
    return seen


def _claim(group: OrphanGroup) -> None:
    keys = [row.pk for row in group.objects]
    idle = Orphan.objects.filter(pk__in=keys, is_terminating=False)
    if idle.delete()[0] != len(keys):
        raise OrphansChanged(FIELD, CHANGED)


def _store(adoption: Adoption, seen: Observation) -> Deployment:
    verdict = status_columns(seen.status, seen.status.observed_at or timezone.now())
    if adoption.is_new:
        deployment = _store_record(adoption.deployment, verdict)
    else:
        deployment = _open_record(adoption, verdict)
    if adoption.revision is not None:
        adoption.revision.deployment = deployment
        adoption.revision.save()
    return deployment


def _store_record(deployment: Deployment, verdict: dict[str, object]) -> Deployment:
    set_columns(deployment, verdict)
    deployment.save(force_insert=True)
    tell_changes([change_of(deployment, verdict, deployment.updated_at)])
    return deployment


def _open_record(adoption: Adoption, verdict: dict[str, object]) -> Deployment:
    closed = Deployment.objects.closed()
    columns = {**adoption.columns, **verdict}
    if not write_verdict(closed, adoption.deployment, columns):
        raise OrphansChanged(FIELD, CHANGED)
    return adoption.deployment

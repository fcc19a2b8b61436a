"""What an admin does with clusters: add, change, and confirm that one is what it seems to be."""

from collections.abc import Mapping

from django.contrib.auth.models import User
from django.db import transaction

from deployments.access import is_admin
from deployments.exceptions import NotAllowed
from deployments.models import Cluster
from deployments.models.cluster import CONFIGURED
from deployments.services.auditing import Act, Origin, Outcome, record_audit


def save_cluster(cluster: Cluster, *, user: User, origin: Origin | None = None) -> Cluster:
    """Store a cluster row as it was filled in; raises NotAllowed for anybody but an admin."""
    _require_admin(user)
    with transaction.atomic():
        before = Cluster.objects.filter(pk=cluster.pk).first() if cluster.pk else None
        # Only what was filled in: a pass may be writing what it saw at this moment.
        # What was wrong with it may be right now, so nobody waits to ask.
        cluster.next_try_at = None
        cluster.save(update_fields=None if before is None else (*CONFIGURED, "next_try_at"))
        _record(
            "cluster.change" if before else "cluster.create",
            cluster,
            user=user,
            before=configured(before) if before else None,
            origin=origin,
        )
    return cluster


def remove_cluster(cluster: Cluster, *, user: User, origin: Origin | None = None) -> None:
    """Forget a cluster that nothing was ever launched on; raises NotAllowed."""
    _require_admin(user)
    if cluster.is_from_environment or cluster.deployments.exists():
        raise NotAllowed(f"{cluster.name} stays: it is the environment's, or was launched on")
    with transaction.atomic():
        _record("cluster.delete", cluster, user=user, before=configured(cluster), origin=origin)
        cluster.delete()


def confirm_identity(cluster: Cluster, *, user: User, origin: Origin | None = None) -> None:
    """Take the cluster that answers from now on for this one; raises NotAllowed."""
    _require_admin(user)
    with transaction.atomic():
        Cluster.objects.filter(pk=cluster.pk).update(uid="", next_try_at=None)
        cluster.uid, cluster.next_try_at = "", None
        _record("cluster.confirm", cluster, user=user, before=None, origin=origin)


def configured(cluster: Cluster) -> dict[str, object]:
    """Return what the audit trail keeps of a cluster: what a person filled in, no credentials."""
    return {name: getattr(cluster, name) for name in CONFIGURED}


def _record(
    action: str,
    cluster: Cluster,
    *,
    user: User,
    before: Mapping[str, object] | None,
    origin: Origin | None,
) -> None:
    act = Act(
        action=action,
        object_type="cluster",
        object_id=str(cluster.pk),
        object_name=cluster.name,
        outcome=Outcome.SUCCEEDED,
        before=before,
        after=configured(cluster),
        origin=origin or Origin(),
    )
    record_audit(act, actor=user)


def _require_admin(user: User) -> None:
    if not is_admin(user):
        raise NotAllowed("only an admin may change clusters")

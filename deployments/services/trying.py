"""An admin asks a failing cluster now, instead of waiting until the background work does."""

from django.contrib.auth.models import User
from django.utils import timezone

from deployments.access import is_admin
from deployments.exceptions import NotAllowed
from deployments.models import Cluster
from deployments.services.auditing import Act, Origin, Outcome, record_audit
from deployments.services.backing_off import answered_columns
from deployments.services.capacity import doors
from deployments.services.clusters import target_of
from deployments.services.deadlines import READ_SECONDS, deadline_in
from deployments.services.surveying import probe_door
from providers.contract.errors import ProviderError


def try_cluster(cluster: Cluster, *, user: User, origin: Origin | None = None) -> str:
    """End the waiting and ask a cluster who is there; return why it failed, empty if it answered.

    Passes go on at the next turn of the clock either way. Raises NotAllowed.
    """
    if not is_admin(user):
        raise NotAllowed("only an admin may have a cluster tried again")
    failure = _probe(cluster)
    columns = _columns(cluster, failure)
    Cluster.objects.filter(pk=cluster.pk).update(**columns)
    for name, value in columns.items():
        setattr(cluster, name, value)
    act = Act(
        action="cluster.try",
        object_type="cluster",
        object_id=str(cluster.pk),
        object_name=cluster.name,
        outcome=Outcome.SUCCEEDED,
        message=failure.message if failure else "",
        origin=origin or Origin(),
    )
    record_audit(act, actor=user)
    return failure.message if failure else ""


def _probe(cluster: Cluster) -> ProviderError | None:
    target, deadline = target_of(cluster), deadline_in(READ_SECONDS)
    try:
        for door in doors():
            probe_door(door, cluster, target, deadline=deadline)
    except ProviderError as error:
        return error
    return None


def _columns(cluster: Cluster, failure: ProviderError | None) -> dict[str, object]:
    if failure is None:
        return {**answered_columns(cluster.unread_kinds), "last_seen_at": timezone.now()}
    return {
        "reachable": False,
        "last_error": failure.message,
        "last_error_code": failure.code,
        "next_try_at": None,
    }

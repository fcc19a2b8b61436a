"""Closes a record without its cluster: for what no deletion can end, decided by an admin.

Nothing on a cluster is asked or touched, so what may still be there is told by what was applied
last. Should it turn up again, a full pass lists it as what no record owns.
"""

from django.contrib.auth.models import User

from deployments.access import require_admin
from deployments.ending_errors import InUse, NotForgettable
from deployments.exceptions import InvalidOrder
from deployments.models import Deployment
from deployments.selectors import revision_numbered
from deployments.services.auditing import Act, Origin, Outcome, record_audit
from deployments.services.closing import close_deployment
from deployments.services.leasing import LeaseLost, fenced, release_lease, take_lease
from deployments.services.storing import LEASE_SECONDS, audited
from deployments.services.superseding import BY_FORGETTING, supersede_all
from providers.contract.manifest import ObjectKey, key_of
from providers.contract.masking import mask_secrets
from providers.contract.status import Evidence, Phase, Status
from providers.registry import is_carried

REMOVED_OUTSIDE = "RemovedOutside"


def forget_deployment(
    deployment: Deployment, *, user: User, reason: str, origin: Origin | None = None
) -> Deployment:
    """Close the record of a deployment as it is; of one that is closed nothing is changed.

    Raises NotAllowed, InvalidOrder without a reason, NotForgettable, or InUse.
    """
    require_admin(user, doing="forget a deployment")
    if not reason.strip():
        raise InvalidOrder.of("reason", "is required: say why the record is closed as it is")
    if deployment.is_closed:
        return deployment
    if not is_forgettable(deployment):
        raise NotForgettable(deployment.name)
    rows = Deployment.objects.open()
    lease = take_lease(rows, deployment.pk, seconds=LEASE_SECONDS)
    if lease is None:
        raise InUse(deployment.name)
    try:
        with fenced(rows, lease, seconds=LEASE_SECONDS):
            _close(deployment, user, reason.strip(), origin or Origin())
    except LeaseLost as error:
        raise InUse(deployment.name) from error
    finally:
        release_lease(rows, lease)
    return deployment


def is_forgettable(deployment: Deployment) -> bool:
    """Tell whether a deletion of it is asked for, has nothing to do, or cannot be carried out."""
    if deployment.is_closed:
        return False
    cluster = deployment.cluster
    is_away = not cluster.enabled or cluster.reachable is False
    is_out_of_reach = is_away or not is_carried(deployment.kind)
    return deployment.is_deleting or deployment.reason == REMOVED_OUTSIDE or is_out_of_reach


def last_known_objects(deployment: Deployment) -> tuple[ObjectKey, ...]:
    """Return what may still be on the cluster: what was applied last, but for what was seen gone.

    Of what was never applied, the objects that may have been made of it.
    """
    number = deployment.applied_revision or deployment.revision
    manifests = revision_numbered(deployment, number).manifests
    gone = {item["object"] for item in deployment.evidence if item["reason"] == REMOVED_OUTSIDE}
    return tuple(key for key in map(key_of, manifests) if str(key) not in gone)


def _close(deployment: Deployment, user: User, reason: str, origin: Origin) -> None:
    names = [str(key) for key in last_known_objects(deployment)]
    before = {**audited(deployment), "phase": deployment.phase, "left_behind": []}
    supersede_all(deployment, because=BY_FORGETTING)
    close_deployment(deployment, verdict=_verdict(user, reason, names))
    act = Act(
        action="deployment.forget",
        object_type="deployment",
        object_id=str(deployment.pk),
        object_name=deployment.name,
        outcome=Outcome.SUCCEEDED,
        before=before,
        after={**audited(deployment), "phase": deployment.phase, "left_behind": names},
        reason=reason,
        origin=origin,
    )
    record_audit(act, actor=user)


def _verdict(user: User, reason: str, names: list[str]) -> Status:
    left = f" It may have left behind: {', '.join(names)}." if names else ""
    return Status(
        phase=Phase.DELETED,
        reason="Forgotten",
        message=f"Forgotten by {user.get_username()}: {mask_secrets(reason)}.{left}",
        evidence=tuple(
            Evidence(reason="LeftBehind", message="may still be on the cluster", object=name)
            for name in names
        ),
    )

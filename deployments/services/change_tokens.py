"""The signed token of a reviewed change: what it starts from and what it applies, for one hour.

It proves that what is applied is what was reviewed. It bears the id of the operation that will
carry the change out, so that the same token sent twice changes once.
"""

import uuid
from dataclasses import dataclass

from django.core import signing

from deployments.change_errors import ReviewOutdated
from deployments.exceptions import Change, InvalidOrder
from deployments.services.change_orders import RollbackOrder
from deployments.services.change_plans import AnyOrder, ChangePlan
from deployments.services.changes import changed_values
from providers.contract.manifest import Manifest, digest_of
from providers.contract.request import Rollout
from templates_app.access import Person

MAX_AGE_SECONDS = 3600
FIELD = "change"

_SALT = "slipway.change"


@dataclass(frozen=True, kw_only=True, slots=True)
class ReviewedChange:
    """What a person saw and agreed to; `revision` is the one that it was to change.

    `wish` tells what was asked for apart from another order, whatever it would have amounted to.
    """

    operation_id: uuid.UUID
    deployment_id: uuid.UUID
    revision: int
    wish: str
    rollout: Rollout
    manifests: tuple[Manifest, ...]


def change_token(order: AnyOrder, plan: ChangePlan, *, user: Person) -> str:
    """Return the token of a change as it was shown to this person."""
    payload = {
        "operation": str(uuid.uuid4()),
        "deployment": str(plan.base.deployment.pk),
        "user": user.pk,
        "revision": plan.base.revision.number,
        "wish": wish_of(order),
        "rollout": plan.plan.request.rollout.value,
        "manifests": list(plan.plan.manifests),
    }
    return signing.dumps(payload, salt=_SALT, compress=True)


def read_change_token(token: str, *, deployment_id: uuid.UUID, user: Person) -> ReviewedChange:
    """Return what was reviewed; raises InvalidOrder when the token is old, foreign or broken."""
    try:
        payload = signing.loads(token, salt=_SALT, max_age=MAX_AGE_SECONDS)
    except signing.SignatureExpired as error:
        raise InvalidOrder.of(FIELD, "the review is older than an hour; review again") from error
    except signing.BadSignature as error:
        raise InvalidOrder.of(FIELD, "is not a token of this console; review again") from error
    if payload["user"] != user.pk:
        raise InvalidOrder.of(FIELD, "belongs to another person's review; review it yourself")
    if payload["deployment"] != str(deployment_id):
        raise InvalidOrder.of(FIELD, "belongs to the review of another deployment; review again")
    return ReviewedChange(
        operation_id=uuid.UUID(payload["operation"]),
        deployment_id=deployment_id,
        revision=payload["revision"],
        wish=payload.get("wish", ""),  # a token of the release before has none
        rollout=Rollout(payload["rollout"]),
        manifests=tuple(payload["manifests"]),
    )


def refuse_unless_as_reviewed(plan: ChangePlan, reviewed: ReviewedChange) -> None:
    """Raise ReviewOutdated, with where, unless the change is exactly what was reviewed."""
    if digest_of(list(reviewed.manifests)) == plan.plan.digest:
        return
    changes = changed_values(reviewed.manifests, plan.plan.manifests)
    raise ReviewOutdated(changes or (Change(path="order of objects", before="", after=""),))


def refuse_another_wish(order: AnyOrder, reviewed: ReviewedChange) -> None:
    """Raise InvalidOrder where a token that was used comes with what was not reviewed."""
    if wish_of(order) != reviewed.wish:
        raise InvalidOrder.of(FIELD, "was used for another change; review this one")


def wish_of(order: AnyOrder) -> str:
    """Return a digest of what an order asks for, without why, by which review and of what."""
    if isinstance(order, RollbackOrder):
        return digest_of({"revision": order.revision})
    template = order.template.model_dump(mode="json") if order.template else None
    return digest_of(
        {
            "overrides": order.overrides.as_document(),
            "taken_back": sorted(order.taken_back),
            "template": template,
            "stopped": order.stopped,
            "redeploy": order.redeploy,
        }
    )

"""The signed token of a reviewed launch: its id, rollout and manifests, good for one hour.

It proves that what is launched is what was reviewed, and being one launch's alone it is also that
launch's idempotency key.
"""

import uuid
from dataclasses import dataclass

from django.core import signing

from deployments.exceptions import Change, InvalidOrder, LaunchChanged
from deployments.services.changes import changed_values
from deployments.services.plans import Plan
from providers.contract.manifest import Manifest, digest_of
from providers.contract.request import Rollout
from templates_app.access import Person

MAX_AGE_SECONDS = 3600
FIELD = "launch"

_SALT = "slipway.launch"


@dataclass(frozen=True, kw_only=True, slots=True)
class Reviewed:
    """What a person saw and agreed to."""

    deployment_id: uuid.UUID
    rollout: Rollout
    manifests: tuple[Manifest, ...]


def launch_token(plan: Plan, *, user: Person) -> str:
    """Return the token of a plan as it was shown to this person."""
    payload = {
        "id": plan.request.id,
        "user": user.pk,
        "rollout": plan.request.rollout.value,
        "manifests": list(plan.manifests),
    }
    return signing.dumps(payload, salt=_SALT, compress=True)


def read_launch_token(token: str, *, user: Person) -> Reviewed:
    """Return what was reviewed; raises InvalidOrder when the token is old, foreign or broken."""
    try:
        payload = signing.loads(token, salt=_SALT, max_age=MAX_AGE_SECONDS)
    except signing.SignatureExpired as error:
        raise InvalidOrder.of(FIELD, "the review is older than an hour; review again") from error
    except signing.BadSignature as error:
        raise InvalidOrder.of(FIELD, "is not a token of this console; review again") from error
    if payload["user"] != user.pk:
        raise InvalidOrder.of(FIELD, "belongs to another person's review; review it yourself")
    return Reviewed(
        deployment_id=uuid.UUID(payload["id"]),
        rollout=Rollout(payload["rollout"]),
        manifests=tuple(payload["manifests"]),
    )


def refuse_unless_reviewed(plan: Plan, reviewed: Reviewed) -> None:
    """Raise LaunchChanged, with where, unless the plan is exactly what was reviewed."""
    if digest_of(list(reviewed.manifests)) == plan.digest:
        return
    changes = changed_values(reviewed.manifests, plan.manifests)
    raise LaunchChanged(changes or (Change(path="order of objects", before="", after=""),))

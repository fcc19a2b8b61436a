"""Whether KServe's controller may be away, by what others have asked of it in the same namespace.

It holds every InferenceService by its finalizer before it does anything else, also one that it then
breaks down over: one that has neither that nor a status was not taken up. Nothing else shows it
with no more rights than to launch. Where its webhooks are registered, they are down with it, and
the dry run says so.
"""

from collections.abc import Sequence
from datetime import datetime

import msgspec

from providers.contract.checks import Check, Result
from providers.contract.protocols import Deadline
from providers.contract.request import DeployRequest
from providers.contract.target import ClusterTarget
from providers.kserve.render import ANNOTATION_MODE
from providers.kube.client import client_for
from providers.kube.lists import Selection, read_list
from providers.kube.resources import INFERENCE_SERVICES
from providers.workload.labels import LABEL_ID
from providers.workload.objects import Item, moment
from providers.workload.status.wording import duration

CODE = "ControllerNotResponding"
TAKEN_UP_WITHIN_SECONDS = 60
MOST_LOOKED_AT = 100
# The controller leaves these to another one.
_ELSEWHERE = "ModelMesh"


class Asked(Item, kw_only=True, frozen=True):
    """An InferenceService, as far as it tells whether anybody has taken it up."""

    status: dict[str, msgspec.Raw] | None = None

    @property
    def is_taken_up(self) -> bool:
        return bool(self.finalizers or self.status)

    @property
    def waits(self) -> bool:
        """Tell whether it waits for KServe; of deployments of ours the passes know more."""
        if self.is_taken_up or self.is_terminating or LABEL_ID in self.labels:
            return False
        return self.annotations.get(ANNOTATION_MODE) != _ELSEWHERE

    @property
    def created(self) -> str:
        """Return when it was made, in a form that sorts."""
        return self.meta.creation_timestamp or ""


def check_controller(
    request: DeployRequest, target: ClusterTarget, *, deadline: Deadline
) -> tuple[Check, ...]:
    """Return a warning where one of somebody else waits in vain, nothing where none is known to."""
    client = client_for(target, deadline=deadline)
    chosen = Selection(namespace=request.namespace, most=MOST_LOOKED_AT)
    read = read_list(client, INFERENCE_SERVICES, Asked, chosen, deadline=deadline)
    return judge(read.items, read.now)


def judge(found: Sequence[Asked], now: datetime | None) -> tuple[Check, ...]:
    """Return what InferenceServices tell of their controller: it acts if it took up a later one."""
    last = max((one.created for one in found if one.is_taken_up), default="")
    waiting = (one for one in found if one.waits and one.created > last)
    first = min(waiting, key=lambda one: one.created, default=None)
    made = moment(first.created) if first else None
    if first is None or made is None or now is None:
        return ()
    waited = (now - made).total_seconds()
    if waited < TAKEN_UP_WITHIN_SECONDS:
        return ()
    message = (
        f"the controller of KServe may be away: it has not taken up InferenceService {first.name}, "
        f"made {duration(waited)} ago; check that kserve-controller-manager runs"
    )
    return (Check(code=CODE, result=Result.WARN, message=message),)

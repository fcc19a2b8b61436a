"""A live look into a deployment as its tabs show it: what was seen, or why nothing could be.

Where the cluster does not answer, what was known last stands in for it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Generic, TypeVar

from console.web.shown.listing import poll_seconds
from deployments.exceptions import NotObserved, RecordClosed, SlipwayError
from deployments.models import Deployment
from deployments.selectors import seen_at, snapshot_of
from providers.contract.status import Status

_T = TypeVar("_T")


@dataclass(frozen=True, kw_only=True, slots=True)
class Looked(Generic[_T]):
    """What a look gave. `poll` is in seconds, 0 for never.

    `seen` is None where there was nothing to see: then `trouble` says why, and `known` is what was
    known at `known_at`, None where nothing of it helps.
    """

    seen: _T | None
    poll: int
    trouble: str = ""
    known: Status | None = None
    known_at: datetime | None = None


def look_through(deployment: Deployment, look: Callable[[Deployment], _T]) -> Looked[_T]:
    """Look into a deployment; never raises for a cluster that does not answer."""
    poll = poll_seconds([deployment.phase])
    try:
        return Looked(seen=look(deployment), poll=poll)
    except (RecordClosed, NotObserved) as error:
        return Looked(seen=None, poll=0, trouble=error.message)
    except SlipwayError as error:
        return Looked(
            seen=None,
            poll=poll,
            trouble=error.message,
            known=snapshot_of(deployment),
            known_at=seen_at(deployment),
        )

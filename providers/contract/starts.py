"""How long a pod took from its node to its first answer, as it is told of and kept."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class PodStart:
    """The first start of a pod: from its node to its first answer, None while it has given none.

    Both by the cluster's clock.
    """

    pod_uid: str
    scheduled_at: datetime
    ready_at: datetime | None = None

    @property
    def seconds(self) -> int | None:
        """Return how long it took, None while it is on its way."""
        if self.ready_at is None:
            return None
        return max(0, int((self.ready_at - self.scheduled_at).total_seconds()))

"""What is going on with a deployment, derived from what was seen of it: one pure function.

Every page, the API and the metrics show what comes from here. Each row of the status table is one
small function over the same facts. Nothing here fetches, keeps time or knows a provider.
"""

from providers.workload.status.listening import needs_events
from providers.workload.status.log_causes import LogWish, log_wishes
from providers.workload.status.refusals import Refusal, read_refusal
from providers.workload.status.starts import starts_of
from providers.workload.status.verdict import derive_status

__all__ = [
    "LogWish",
    "Refusal",
    "derive_status",
    "log_wishes",
    "needs_events",
    "read_refusal",
    "starts_of",
]

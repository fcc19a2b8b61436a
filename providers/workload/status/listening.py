"""Whether events could change a verdict: where all is full and no container is amiss, none can.

A list of events is the dearest read of all, as the API server does not keep them in memory. A rule
that begins to look at events has to be thought of here; a test holds the table's cases to it.
"""

from datetime import datetime

from providers.contract.request import DeploymentRef
from providers.workload.bundle import Bundle
from providers.workload.status.facts import Facts, Seat, gather_facts


def needs_events(bundle: Bundle, known: DeploymentRef, now: datetime) -> bool:
    """Tell whether the verdict on a bundle could rest on what events say."""
    return not _is_calm(gather_facts(bundle, known, now))


def _is_calm(seen: Facts) -> bool:
    """Tell whether all that is wanted is ready and nothing else is there or ever restarted."""
    only_current = len(seen.current) == len(seen.bundle.pods)
    all_ready = all(pod.is_ready for pod in seen.current)
    return seen.is_full and only_current and all_ready and all(map(_is_untouched, seen.seats))


def _is_untouched(seat: Seat) -> bool:
    return seat.is_well and not seat.status.restart_count

"""What an observation changes of a record: nothing, its verdict, or its end."""

from enum import StrEnum

from deployments.models import Deployment
from deployments.services.closing import close_deployment
from deployments.services.leasing import unleased
from deployments.services.snapshots import store_observation
from providers.contract.protocols import Observation


class Kept(StrEnum):
    """What became of an observation."""

    SAME = "same"
    CHANGED = "changed"
    CLOSED = "closed"


def keep_observation(deployment: Deployment, observation: Observation) -> Kept:
    """Store what is news, and close a record whose deletion is complete."""
    if not (observation.status.closed and deployment.is_deleting):
        changed = store_observation(deployment, observation)
        return Kept.CHANGED if changed else Kept.SAME
    # Not while a launch is still being carried out: its objects are yet to come.
    idle = unleased(Deployment.objects.open())
    closed = close_deployment(deployment, verdict=observation.status, rows=idle)
    return Kept.CLOSED if closed else Kept.SAME

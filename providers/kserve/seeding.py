"""The first number of replicas: KServe begins with one, whatever was asked for.

Its controller makes a Deployment of one replica, which the autoscaler lifts up to 15 s later. The
number is set once as soon as the Deployment is there; controller and autoscaler keep it. What
cannot be set is no fault: the autoscaler does the same, later.
"""

import time

from providers.contract.errors import ProviderError
from providers.contract.manifest import Manifest
from providers.contract.protocols import Deadline
from providers.contract.request import DeployRequest
from providers.contract.target import ClusterTarget
from providers.kserve.naming import predictor_of
from providers.kserve.render import least_of
from providers.kube.apply import set_scale
from providers.kube.client import KubeClient, client_for
from providers.kube.clock import deadline_in, seconds_left
from providers.kube.lists import read_object
from providers.kube.resources import DEPLOYMENTS
from providers.workload.changing import replicas_from

# A controller that runs makes the Deployment in a tenth of a second.
WAIT_SECONDS = 3.0
# Left to whoever called, who has an answer by then.
KEPT_SECONDS = 1.0
PAUSE_SECONDS = 0.1


def begins_with_more(request: DeployRequest) -> bool:
    """Tell whether a launch is to begin with more replicas than the one that KServe makes."""
    return bool(request.scaling.min_replicas) and wanted_from(request, 0) > 1


def seed(request: DeployRequest, target: ClusterTarget, *, owner: str, deadline: Deadline) -> None:
    """Bring the Deployment's number within the bounds of a request that is to run.

    `owner` is the uid of the InferenceService: a Deployment of that name may be somebody else's.
    """
    if not request.scaling.min_replicas:
        return
    until = deadline_in(min(WAIT_SECONDS, seconds_left(deadline) - KEPT_SECONDS))
    try:
        client = client_for(target, deadline=deadline)
        found = _wait_for_deployment(client, request, owner, until)
        if found is not None:
            _bring_within(client, request, found, deadline)
    except ProviderError:
        return


def wanted_from(request: DeployRequest, running: int) -> int:
    """Return the replicas to begin with, where so many are asked of the Deployment now."""
    if request.scaling.has_autoscaler:
        return replicas_from(running, request.scaling, resume_at=request.resume_at)
    return least_of(request)


def _bring_within(
    client: KubeClient, request: DeployRequest, found: Manifest, deadline: Deadline
) -> None:
    asked = found["spec"].get("replicas")
    running = 1 if asked is None else int(asked)
    # One that was just made has its single replica from nobody's wish.
    begins = found["metadata"].get("generation") == 1
    wanted = wanted_from(request, 0 if begins else running)
    if wanted != running:
        key = DEPLOYMENTS.key(predictor_of(request.runtime_name), request.namespace)
        set_scale(client, key, wanted, deadline=deadline)


def _wait_for_deployment(
    client: KubeClient, request: DeployRequest, owner: str, until: Deadline
) -> Manifest | None:
    """Return the Deployment once it is there, None where it does not come in time."""
    name = predictor_of(request.runtime_name)
    while True:
        found = read_object(client, DEPLOYMENTS, name, request.namespace, deadline=until)
        if found is not None and _is_made_for(owner, found):
            return found
        if seconds_left(until) < PAUSE_SECONDS:
            return None
        time.sleep(PAUSE_SECONDS)


def _is_made_for(owner: str, found: Manifest) -> bool:
    metadata = found["metadata"]
    owners = metadata.get("ownerReferences") or ()
    return not metadata.get("deletionTimestamp") and owner in {one.get("uid") for one in owners}

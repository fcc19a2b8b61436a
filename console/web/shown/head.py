"""What stands above every tab of a deployment: which one it is, and what this person may do."""

from django.http import HttpRequest

from console.web.shown.able import able_of
from console.web.shown.again import again_address
from deployments.access import can_change, can_launch
from deployments.models import Deployment
from deployments.services.reapplying import is_known_removed
from providers import registry
from providers.contract.request import Intent
from providers.contract.status import Phase


def head_of(request: HttpRequest, deployment: Deployment) -> dict[str, object]:
    """Return what `deployments/head.html` shows."""
    may_change = can_change(request.user, deployment)
    return {
        "deployment": deployment,
        "may_delete": may_change,
        "may_change": may_change and _is_there(deployment),
        "is_stopped": deployment.intent == Intent.STOPPED or deployment.phase == Phase.STOPPED,
        "may_launch": can_launch(request.user),
        "again": again_address(deployment),
        "able": able_of(deployment),
        "has_elsewhere": bool(registry.providers().keys() - {deployment.kind}),
    }


def _is_there(deployment: Deployment) -> bool:
    """Tell whether it can be changed; what was removed outside is applied again first."""
    is_gone = deployment.is_closed or deployment.is_deleting
    is_there = not (is_gone or is_known_removed(deployment))
    return is_there and registry.is_carried(deployment.kind)

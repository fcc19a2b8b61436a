"""What stands above every tab of a deployment: which one it is, and what this person may do."""

from django.http import HttpRequest

from console.web.shown.again import again_address
from deployments.access import can_change, can_launch
from deployments.models import Deployment
from providers import registry
from providers.contract.request import Intent
from providers.contract.status import Phase


def head_of(request: HttpRequest, deployment: Deployment) -> dict[str, object]:
    """Return what `deployments/head.html` shows."""
    may_change = can_change(request.user, deployment)
    return {
        "deployment": deployment,
        "may_delete": may_change,
        "may_change": may_change and not deployment.is_closed and not deployment.is_deleting,
        "is_stopped": deployment.intent == Intent.STOPPED or deployment.phase == Phase.STOPPED,
        "may_launch": can_launch(request.user),
        "again": again_address(deployment),
        "has_elsewhere": len(registry.providers()) > 1,
    }

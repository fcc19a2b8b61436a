"""That the cluster refused the last change, told with the record to who got no answer any more."""

from deployments.models import Deployment
from deployments.services.putting_back import CHANGE_REFUSED


def refused_change(deployment: Deployment) -> str:
    """Return what was refused and what is wanted again, empty where the last change was taken."""
    if deployment.is_closed or deployment.is_deleting:
        return ""
    told = (check["message"] for check in deployment.checks if check["code"] == CHANGE_REFUSED)
    return next(told, "")

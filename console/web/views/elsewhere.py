"""The page that leads to the same on another implementation, and says what would be different."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from console.web.decorators import deployment_required
from console.web.htmx import render_page
from console.web.shown.again import elsewhere_address
from console.web.shown.head import head_of
from deployments.models import Cluster, Deployment
from deployments.selectors import current_revision
from deployments.services.clusters import without_kind
from deployments.services.other_kinds import OtherKind, kinds_of, other_kinds
from providers.registry import title_of


@require_safe
@deployment_required
def deployment_elsewhere(request: HttpRequest, deployment: Deployment) -> HttpResponse:
    """List the other implementations, each with the way into the launch flow."""
    context = {
        **head_of(request, deployment),
        "title": title_of(deployment.kind),
        "objects": kinds_of(current_revision(deployment).manifests),
        "others": [(one, _way_to(one, deployment)) for one in other_kinds(deployment)],
    }
    return render_page(request, "deployments/elsewhere.html", context)


def _way_to(other: OtherKind, deployment: Deployment) -> str:
    """Return the way into the launch flow, empty where no cluster could be chosen there."""
    clusters = Cluster.objects.enabled()
    is_nowhere = other.is_missing and len(without_kind(clusters, other.kind)) == len(clusters)
    return "" if is_nowhere else elsewhere_address(deployment, other)

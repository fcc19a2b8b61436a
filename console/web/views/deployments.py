"""The list of deployments: what is stored about them, never a question to a cluster."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe
from django_htmx.http import push_url

from console.web.decorators import reader_required
from console.web.htmx import is_fragment, render_page, was_asked_by
from console.web.shown.listing import list_deployments
from deployments.access import can_launch, clusters_for
from templates_app.access import Person

FRAGMENT = "results"


@require_safe
@reader_required
def deployment_list(request: HttpRequest) -> HttpResponse:
    """Show the open deployments, those that need attention first, or the closed ones."""
    listing = list_deployments(request)
    is_answer = is_fragment(request) and not was_asked_by(request, FRAGMENT)
    context = {
        "listing": listing,
        "page": listing.page,
        "has_cluster": _has_cluster(request.user),
        "can_launch": can_launch(request.user),
        "news": listing.said if is_answer else "",
    }
    response = render_page(request, "deployments/list.html", context, fragment=FRAGMENT)
    if is_answer:
        # A filter was set: its address, without what is empty, is where the browser now stands.
        return push_url(response, listing.narrowing.address())
    return response


def _has_cluster(user: Person) -> bool:
    # The row of the K8S_* environment is written at the first pass, which may be still to come.
    return settings.K8S.is_configured or clusters_for(user).enabled().exists()

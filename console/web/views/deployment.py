"""The pages of one deployment: how it is, read live, and exactly what it was made of."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe
from django_htmx.http import HttpResponseClientRefresh

from console.web.decorators import deployment_required
from console.web.htmx import is_fragment, render_page
from console.web.shown.causes import ways_on
from console.web.shown.deployment import show_deployment
from console.web.shown.drift import ShownDrift, look_at_drift
from console.web.shown.ending import show_ending
from console.web.shown.head import head_of
from console.web.shown.manifests import show_manifests
from console.web.shown.refused import refused_change
from console.web.views.revisions import manifests_file
from deployments.models import Deployment
from deployments.selectors import current_revision
from deployments.services.reading import Reading, read_deployment

CHANGED_OUTSIDE = "ChangedOutside"


@require_safe
@deployment_required
def deployment_overview(request: HttpRequest, deployment: Deployment) -> HttpResponse:
    """Show how a deployment is, asked of the cluster now."""
    reading = read_deployment(deployment)
    if deployment.is_closed and is_fragment(request):
        # It ended while somebody looked: the whole page reads as history from here on.
        return HttpResponseClientRefresh()
    revision = current_revision(deployment)
    shown = show_deployment(reading, revision)
    context = {
        **head_of(request, deployment),
        "shown": shown,
        "ending": show_ending(reading, request.user),
        "ways": tuple(ways_on(reading.status, deployment, revision, request.user)),
        "refused_change": refused_change(deployment),
        "drift": None if is_fragment(request) else _drift_of(reading),
        # Asked every few seconds, it is read out only when it says something else.
        "news": shown.said
        if is_fragment(request) and shown.told != request.GET.get("told")
        else "",
    }
    return render_page(request, "deployments/overview.html", context, fragment="overview")


def _drift_of(reading: Reading) -> ShownDrift | None:
    """Return what differs where the verdict notes that something does; who looks knows more."""
    is_noted = any(note.reason == CHANGED_OUTSIDE for note in reading.status.notes)
    if reading.stale or not is_noted:
        return None
    return look_at_drift(reading.deployment)


@require_safe
@deployment_required
def deployment_manifests(request: HttpRequest, deployment: Deployment) -> HttpResponse:
    """Show the exact objects of the current revision."""
    revision = current_revision(deployment)
    context = {
        **head_of(request, deployment),
        "revision": revision,
        "manifests": show_manifests(revision.manifests),
    }
    return render_page(request, "deployments/manifests.html", context)


@require_safe
@deployment_required
def download_manifests(request: HttpRequest, deployment: Deployment) -> HttpResponse:
    """Answer the objects as one file that kubectl takes."""
    del request
    return manifests_file(deployment, current_revision(deployment))

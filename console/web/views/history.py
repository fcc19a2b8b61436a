"""The history of one deployment: what it was, what it is, and who wanted it so."""

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from console.web.decorators import deployment_required
from console.web.htmx import render_page
from console.web.shown.head import head_of
from console.web.shown.history import show_entry
from deployments.models import Deployment
from deployments.timeline import Timeline

PAGE_SIZE = 25


@require_safe
@deployment_required
def deployment_history(request: HttpRequest, deployment: Deployment) -> HttpResponse:
    """Show what happened to a deployment, newest first; no cluster is asked."""
    faults_only, now = bool(request.GET.get("faults")), timezone.now()
    timeline = Timeline(deployment, faults_only=faults_only)
    page = Paginator(timeline, PAGE_SIZE).get_page(request.GET.get("page"))
    context = {
        **head_of(request, deployment),
        "page": page,
        "entries": [show_entry(one, is_closed=deployment.is_closed, now=now) for one in page],
        "faults_only": faults_only,
    }
    return render_page(request, "deployments/history.html", context)

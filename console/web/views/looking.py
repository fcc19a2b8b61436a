"""The tabs that look into one deployment, asked of the cluster now: its objects, their events."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe
from django_htmx.http import HttpResponseClientRefresh, push_url

from console.web.decorators import deployment_required
from console.web.htmx import is_fragment, render_page, was_asked_by
from console.web.shown.events import read_narrowing, show_events
from console.web.shown.head import head_of
from console.web.shown.looking import look_through
from console.web.shown.resources import show_resources
from deployments.models import Deployment
from deployments.services.looking import look_at_events, look_at_resources


@require_safe
@deployment_required
def deployment_resources(request: HttpRequest, deployment: Deployment) -> HttpResponse:
    """Show every object of a deployment with its own state in words."""
    if deployment.is_closed and is_fragment(request):
        return HttpResponseClientRefresh()
    looked = look_through(deployment, look_at_resources)
    shown = show_resources(deployment, looked.seen) if looked.seen else None
    said = shown.said if shown else looked.trouble
    context = {
        **head_of(request, deployment),
        "looked": looked,
        "shown": shown,
        "said": said,
        # Asked every few seconds, it is read out only when it says something else.
        "news": said if is_fragment(request) and said != request.GET.get("said") else "",
    }
    return render_page(request, "deployments/resources.html", context, fragment="resources")


@require_safe
@deployment_required
def deployment_events(request: HttpRequest, deployment: Deployment) -> HttpResponse:
    """Show what the cluster said about the objects of a deployment, newest first."""
    if deployment.is_closed and is_fragment(request):
        return HttpResponseClientRefresh()
    narrowed = read_narrowing(deployment, request.GET)
    looked = look_through(deployment, look_at_events)
    shown = show_events(looked.seen, narrowed) if looked.seen else None
    is_answer = is_fragment(request) and not was_asked_by(request, "events")
    context = {
        **head_of(request, deployment),
        "looked": looked,
        "shown": shown,
        "narrowed": narrowed,
        "here": narrowed.address(),
        "every": narrowed.address(only="", all=""),
        "warnings": narrowed.address(only="warnings", all=""),
        "every_line": narrowed.address(all="1"),
        "news": shown.said if shown and is_answer else "",
    }
    response = render_page(request, "deployments/events.html", context, fragment="events")
    return push_url(response, narrowed.address()) if is_answer else response

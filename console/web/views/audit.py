"""The audit trail, for admins: who did what, to what, why, and how it ended."""

from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe
from django_htmx.http import push_url

from console.web.decorators import admin_required
from console.web.htmx import is_fragment, render_page
from console.web.shown.acts import ACTIONS, OUTCOMES, SOURCES
from console.web.shown.trail import UNDER_WAY, show_trail
from deployments.services.auditing import Outcome

FRAGMENT = "results"
_OUTCOMES = {name: look.words.capitalize() for name, look in OUTCOMES.items()} | {
    Outcome.ACCEPTED.value: UNDER_WAY.words.capitalize()
}


@require_safe
@admin_required
def audit_trail(request: HttpRequest) -> HttpResponse:
    """Show the acts that an address asks for, newest first."""
    trail = show_trail(request)
    is_answer = is_fragment(request)
    context = {
        "trail": trail,
        "page": trail.page,
        "actions": ACTIONS,
        "outcomes": _OUTCOMES,
        "sources": SOURCES,
        "news": trail.said if is_answer else "",
    }
    status = HTTPStatus.UNPROCESSABLE_ENTITY if trail.faults else HTTPStatus.OK
    response = render_page(request, "audit/list.html", context, fragment=FRAGMENT, status=status)
    return push_url(response, trail.address) if is_answer else response

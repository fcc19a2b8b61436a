"""How the console itself is, for admins."""

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from console.health.parts import ask_health
from console.web.decorators import admin_required
from console.web.htmx import render_page
from console.web.shown.system import show_implementations, show_system
from deployments.figures import count_by_kind, read_figures
from providers import registry


@require_safe
@never_cache
@admin_required
def system(request: HttpRequest) -> HttpResponse:
    """Show every part and provider, when each cluster was read, and what waits."""
    figures = read_figures()
    context = {
        "shown": show_system(ask_health(), figures, now=timezone.now()),
        "implementations": show_implementations(
            registry.providers(), registry.broken(), count_by_kind(), figures.clusters
        ),
    }
    return render_page(request, "system/show.html", context, fragment="system")

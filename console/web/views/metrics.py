"""The tab that measures a deployment while somebody looks: figures now, lines behind them."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe
from django_htmx.http import HttpResponseClientRefresh

from console.load_lines import FIRST, SPANS, load_of
from console.web.decorators import deployment_required
from console.web.htmx import is_fragment, render_page
from console.web.shown.head import head_of
from console.web.shown.looking import look_through
from console.web.shown.metrics import poll_seconds_of, show_load, show_now
from deployments.measuring.figures import figures_of
from deployments.models import Deployment
from deployments.services.measuring import engine_of, measure


@require_safe
@deployment_required
def deployment_metrics(request: HttpRequest, deployment: Deployment) -> HttpResponse:
    """Show the load of a deployment, now and over a span of time."""
    if deployment.is_closed and is_fragment(request):
        return HttpResponseClientRefresh()
    span = SPANS.get(request.GET.get("span", ""), SPANS[FIRST])
    looked, engine = look_through(deployment, measure), engine_of(deployment)
    load = load_of(deployment, engine, span) if looked.poll else None
    now = show_now(looked.seen, figures_of(engine)) if looked.seen else None
    context = {
        **head_of(request, deployment),
        "looked": looked,
        "now": now,
        "shown": show_load(deployment, load) if load else None,
        "poll": poll_seconds_of(load, now) if load else 0,
    }
    return render_page(request, "deployments/metrics.html", context, fragment="metrics")

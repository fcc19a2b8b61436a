"""The address that Prometheus scrapes."""

from http import HTTPStatus

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from console.metrics.exposition import expose_everything, is_scraper
from templates_app.access import is_admin

_REFUSED = (
    "Send the token of SLIPWAY_METRICS_TOKEN (Authorization: Bearer …), or sign in as an admin.\n"
)


@require_safe
@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """Answer every metric to a scraper that has the token, and to admins."""
    if not (is_scraper(request.headers.get("Authorization", "")) or is_admin(request.user)):
        refused = HttpResponse(
            _REFUSED, status=HTTPStatus.UNAUTHORIZED, content_type="text/plain; charset=utf-8"
        )
        refused.headers["WWW-Authenticate"] = 'Bearer realm="metrics"'
        return refused
    exposed = expose_everything(settings.METRICS_FOLDER, accept=request.headers.get("Accept", ""))
    return HttpResponse(exposed.body, content_type=exposed.content_type)

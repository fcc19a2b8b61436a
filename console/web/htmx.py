"""How a view answers HTMX: the fragment that was asked for, out of the very page that holds it.

Knows no page. Without JavaScript, and for whoever opens an address, the whole page is the answer.
"""

from collections.abc import Mapping
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django_htmx.middleware import HtmxDetails


def is_fragment(request: HttpRequest) -> bool:
    """Tell whether a part of the page is asked for, and not one from the browser's history."""
    details: HtmxDetails = request.htmx  # type: ignore[attr-defined]  # set by the middleware
    return bool(details) and not details.boosted and not details.history_restore_request


def was_asked_by(request: HttpRequest, element_id: str) -> bool:
    """Tell whether the element of this id asked: a fragment that polls asks for itself."""
    details: HtmxDetails = request.htmx  # type: ignore[attr-defined]  # set by the middleware
    return bool(details) and details.trigger == element_id


def render_page(
    request: HttpRequest,
    template: str,
    context: Mapping[str, object],
    *,
    fragment: str = "",
    status: HTTPStatus = HTTPStatus.OK,
) -> HttpResponse:
    """Render a page, or only its partial named `fragment` where HTMX asks for it."""
    name = f"{template}#{fragment}" if fragment and is_fragment(request) else template
    response = render(request, name, dict(context), status=status)
    # One address has two answers; a cache must not give a fragment to who asks for the page.
    patch_vary_headers(response, ("HX-Request",))
    return response

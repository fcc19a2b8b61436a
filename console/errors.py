"""What a request gets that no view answers: JSON under /api, a page everywhere else.

These run when something is already wrong, so they do not ask the request's host, and the database
only for who is signed in: they keep the frame around a 403 or 404, so that they find their way.
"""

import logging
from http import HTTPStatus

from django.conf import settings
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

from console.logs import REQUEST_ID
from templates_app.access import can_read

logger = logging.getLogger(__name__)

API_PREFIX, ADMIN_PREFIX = "/api/", "/admin/"

_TEXTS: dict[HTTPStatus, tuple[str, str]] = {
    HTTPStatus.BAD_REQUEST: ("invalid", "The request is not valid."),
    HTTPStatus.FORBIDDEN: ("forbidden", "You may not do this."),
    HTTPStatus.NOT_FOUND: ("not_found", "There is nothing here, or nothing that you may see."),
    HTTPStatus.INTERNAL_SERVER_ERROR: (
        "internal_error",
        "Something went wrong on our side and is in the log. Name the request id in a report.",
    ),
}
# What is wrong with a request itself, or with us, is told without the frame.
_IN_FRAME = frozenset({HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND})


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer 400; an unknown host comes here too."""
    del exception
    return _answer(request, HTTPStatus.BAD_REQUEST)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer 403."""
    del exception
    return _answer(request, HTTPStatus.FORBIDDEN)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer 404."""
    del exception
    return _answer(request, HTTPStatus.NOT_FOUND)


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer 500."""
    return _answer(request, HTTPStatus.INTERNAL_SERVER_ERROR)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer 403 when a form's token is missing or old."""
    del reason
    message = "This form has expired. Go back, reload the page and send it again."
    return _answer(request, HTTPStatus.FORBIDDEN, code="csrf_failed", message=message)


def _answer(
    request: HttpRequest, status: HTTPStatus, *, code: str = "", message: str = ""
) -> HttpResponse:
    usual_code, usual_message = _TEXTS[status]
    facts = {"code": code or usual_code, "message": message or usual_message}
    if request.path_info.startswith(API_PREFIX) or request.path_info == API_PREFIX.rstrip("/"):
        return JsonResponse(facts | {"fields": {}}, status=status)
    page = {
        **facts,
        "status": status.value,
        "phrase": status.phrase,
        "request_id": request.META.get(REQUEST_ID, ""),
    }
    if status in _IN_FRAME:
        try:
            if _is_reader(request):
                return render(request, "error_in_frame.html", page, status=status)
        except DatabaseError:
            logger.exception("an error page is shown without its frame")
    # No request in the context: its processors would ask the database for the user.
    return render(None, "error.html", page, status=status)


def _is_reader(request: HttpRequest) -> bool:
    # Without a session there is nobody to ask the database for.
    has_session = settings.SESSION_COOKIE_NAME in request.COOKIES and hasattr(request, "user")
    return has_session and can_read(request.user)

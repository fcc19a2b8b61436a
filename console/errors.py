"""What a request gets that no view answers: JSON under /api, a page everywhere else.

These run when something is already wrong, so they ask neither the database nor the request's host.
"""

from http import HTTPStatus

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

API_PREFIX = "/api/"

_TEXTS: dict[HTTPStatus, tuple[str, str]] = {
    HTTPStatus.BAD_REQUEST: ("invalid", "The request is not valid."),
    HTTPStatus.FORBIDDEN: ("forbidden", "You may not do this."),
    HTTPStatus.NOT_FOUND: ("not_found", "There is nothing here, or nothing that you may see."),
    HTTPStatus.INTERNAL_SERVER_ERROR: (
        "internal_error",
        "Something went wrong on our side and is in the log. Name the request id in a report.",
    ),
}


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
    # No request in the context: its processors would ask the database for the user.
    page = {**facts, "status": status.value, "phrase": status.phrase}
    return render(None, "error.html", page, status=status)

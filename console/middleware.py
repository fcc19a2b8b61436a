"""What happens to every request before and after its view; knows no page and no object."""

import re
import secrets
from collections.abc import Callable
from http import HTTPStatus

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from structlog.contextvars import bound_contextvars

from console.errors import ADMIN_PREFIX, API_PREFIX, bad_request, not_found
from console.logs import REQUEST_ID
from deployments.services.tracing import Source

NUL = "\0"
_ACCEPTED_ID = re.compile(r"[A-Za-z0-9._-]{8,64}")


def bind_request_id(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Give each request an id, in every log line and in the answer, and tell its face by its path.

    A caller's own id is kept if it is harmless, so that a proxy's log and ours can be joined.
    """

    def answer(request: HttpRequest) -> HttpResponse:
        given = request.headers.get("X-Request-ID", "")
        request_id = given if _ACCEPTED_ID.fullmatch(given) else secrets.token_hex(8)
        request.META[REQUEST_ID] = request_id
        with bound_contextvars(request_id=request_id, source=_face_of(request).value):
            response = get_response(request)
        response.headers["X-Request-ID"] = request_id
        return response

    return answer


def _face_of(request: HttpRequest) -> Source:
    if request.path_info.startswith(API_PREFIX):
        return Source.API
    return Source.ADMIN if request.path_info.startswith(ADMIN_PREFIX) else Source.PAGE


def refuse_nul(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Answer an address that holds a NUL, which PostgreSQL takes in no text, before it is asked."""

    def answer(request: HttpRequest) -> HttpResponse:
        if NUL in request.path_info:
            return not_found(request, Http404())
        names = [name for name, texts in request.GET.lists() if NUL in "".join((name, *texts))]
        return _refuse(request, names) if names else get_response(request)

    return answer


def _refuse(request: HttpRequest, names: list[str]) -> HttpResponse:
    if not request.path_info.startswith(API_PREFIX):
        return bad_request(request, ValueError(names))
    said = "holds a NUL character; leave it out"
    facts = {"code": "invalid", "message": f"{names[0]}: {said}"}
    fields = {name: [said] for name in names}
    return JsonResponse(facts | {"fields": fields}, status=HTTPStatus.BAD_REQUEST)

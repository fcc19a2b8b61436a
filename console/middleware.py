"""What happens to every request before and after its view; knows no page and no object."""

import re
import secrets
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from structlog.contextvars import bound_contextvars

from console.logs import REQUEST_ID

_ACCEPTED_ID = re.compile(r"[A-Za-z0-9._-]{8,64}")


def bind_request_id(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Give each request an id, in every log line and in the answer.

    A caller's own id is kept if it is harmless, so that a proxy's log and ours can be joined.
    """

    def answer(request: HttpRequest) -> HttpResponse:
        given = request.headers.get("X-Request-ID", "")
        request_id = given if _ACCEPTED_ID.fullmatch(given) else secrets.token_hex(8)
        request.META[REQUEST_ID] = request_id
        with bound_contextvars(request_id=request_id):
            response = get_response(request)
        response.headers["X-Request-ID"] = request_id
        return response

    return answer

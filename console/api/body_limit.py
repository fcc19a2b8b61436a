"""Caps what a request to the API may send, chunked bodies too: 413 before anything is parsed."""

import io
from collections.abc import Callable
from http import HTTPStatus

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse

from console.errors import API_PREFIX
from console.whole_numbers import whole_number

_SMALL = {"GET", "HEAD", "OPTIONS"}


def limit_api_bodies(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Read at most the allowed bytes of an API body; more is answered 413."""

    def answer(request: HttpRequest) -> HttpResponse:
        if request.path_info.startswith(API_PREFIX) and request.method not in _SMALL:
            try:
                body = _read(request)
            except OSError:
                # Whatever the server makes of chunks that are none, or of a body that breaks off.
                return _answer(HTTPStatus.BAD_REQUEST, "invalid", "The body cannot be read.")
            if body is None:
                return _too_large()
            # The parsers read from here; nothing beyond the limit was ever held.
            request._body = body  # noqa: SLF001 # Django's own cache of a body already read
            request.META["CONTENT_LENGTH"] = str(len(body))  # a chunked one had none
            request._stream = io.BytesIO(body)  # noqa: SLF001 # the same
        return get_response(request)

    return answer


def _read(request: HttpRequest) -> bytes | None:
    """Return the body; None when it is larger than allowed."""
    limit = settings.API_BODY_LIMIT
    length = request.META.get("CONTENT_LENGTH") or "0"
    if length.isdigit() and whole_number(length, most=limit) is None:
        return None
    body = _stream(request).read(limit + 1)
    return None if len(body) > limit else body


def _stream(request: HttpRequest) -> io.BufferedIOBase:
    stream = request.META.get("wsgi.input")
    if "chunked" in request.META.get("HTTP_TRANSFER_ENCODING", "").lower() and stream is not None:
        return stream  # type: ignore[no-any-return]  # the server ends it with the last chunk
    return request  # type: ignore[return-value]  # reads no further than Content-Length


def _too_large() -> JsonResponse:
    message = f"The body is larger than {settings.API_BODY_LIMIT // 1024} KiB; send less."
    return _answer(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "too_large", message)


def _answer(status: HTTPStatus, code: str, message: str) -> JsonResponse:
    return JsonResponse({"code": code, "message": message, "fields": {}}, status=status)

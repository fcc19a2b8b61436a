"""A call that changes something, once per Idempotency-Key, whatever happens to the connection."""

from collections.abc import Callable

from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from console.api.people import person
from deployments.services.idempotency import (
    Begun,
    Replay,
    begin_request,
    finish_request,
    free_request,
)

HEADER = "Idempotency-Key"
IDEMPOTENCY = OpenApiParameter(
    HEADER,
    str,
    OpenApiParameter.HEADER,
    description="Send it again with the same key and it happens once; kept for a day.",
)

Act = Callable[[Begun | None], Response]
"""Does it and answers; of a request with a key, what was begun has an id to do it under."""


def once(request: Request, act: Act, *, body: object) -> Response:
    """Answer as the first call with the key did; `body` is what must be the same in both."""
    key = request.headers.get(HEADER)
    if key is None:
        return act(None)
    begun = begin_request(person(request), key=key, body=body)
    if isinstance(begun, Replay):
        return Response(begun.body, status=begun.status)
    try:
        response = act(begun)
    except BaseException:
        free_request(begun)
        raise
    finish_request(begun, status=response.status_code, body=response.data)
    return response

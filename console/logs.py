"""What a log line says of the request it belongs to: id, method and path, never the query."""

from collections.abc import MutableMapping
from typing import Any

from django.http import HttpRequest

REQUEST_ID = "slipway.request_id"


def name_request(
    logger: Any, method: str, event: MutableMapping[str, Any]
) -> MutableMapping[str, Any]:
    """Replace the request object that Django's loggers attach by what a reader looks for.

    Django tells refused and failed requests after the middleware is through, when nothing is bound
    any more; the object itself would print its query, in which anything may stand.
    """
    del logger, method
    request = event.pop("request", None)
    if isinstance(request, HttpRequest):
        event.setdefault("request_id", request.META.get(REQUEST_ID, ""))
        event.update(method=request.method, path=request.path_info)
    return event

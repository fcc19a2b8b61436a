"""Every address below /api that is none: JSON, like all the others."""

from http import HTTPStatus

from django.http import HttpRequest, JsonResponse
from django.views.decorators.csrf import csrf_exempt


@csrf_exempt
def unknown(request: HttpRequest) -> JsonResponse:
    """Answer 404."""
    message = f"There is no address {request.path} here; the addresses are at /api/schema."
    facts = {"code": "not_found", "message": message, "fields": {}}
    return JsonResponse(facts, status=HTTPStatus.NOT_FOUND)

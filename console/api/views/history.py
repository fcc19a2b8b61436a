"""The history of one deployment: its verdicts with their evidence; rows alone."""

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import api_view, permission_classes
from rest_framework.request import Request
from rest_framework.response import Response

from console.api.documented import errors, paged
from console.api.pagination import answer_page
from console.api.people import person
from console.api.permissions import ReaderOnly
from console.api.serializers.history import HistoryAnswer, StatusChangeAnswer
from deployments.access import get_visible_or_404
from deployments.exceptions import InvalidOrder

_SWITCH = {"": False, "false": False, "true": True}


@extend_schema(
    operation_id="list_history",
    parameters=[
        OpenApiParameter("faults", bool, description="Only the verdicts Failed and Degraded."),
        *paged(),
    ],
    responses={200: HistoryAnswer, **errors(400, 401, 404)},
)
@api_view(["GET"])
@permission_classes([ReaderOnly])
def history(request: Request, id: str) -> Response:  # noqa: A002 - the API's name of it
    """List every verdict with what was seen, newest first; also long after the objects are gone."""
    found = get_visible_or_404(person(request), id)
    faults = request.query_params.get("faults", "")
    if faults not in _SWITCH:
        raise InvalidOrder.of("faults", "must be true or false")
    every = found.status_changes.all()
    rows = every.faults() if _SWITCH[faults] else every
    return Response(
        answer_page(
            "history", rows, request, ordering=("-at", "-id"), serializer=StatusChangeAnswer
        )
    )

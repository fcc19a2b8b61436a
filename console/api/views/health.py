"""Whether the console itself is well; needs no token and tells nothing else."""

from http import HTTPStatus

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import api_view, authentication_classes, permission_classes
from rest_framework.request import Request
from rest_framework.response import Response

from console.api.serializers.places import HealthAnswer, ReadinessAnswer
from console.health.parts import Health, ask_health
from deployments.exceptions import InvalidOrder

OK, DEGRADED, NOT_READY = "ok", "degraded", "not ready"
PAGES, EVERYTHING = "pages", "everything"


@extend_schema(operation_id="read_health", auth=[], responses={200: HealthAnswer})
@api_view(["GET"])
@authentication_classes([])
@permission_classes([])
def health(request: Request) -> Response:
    """Answer as long as this process does."""
    del request
    return Response({"status": OK})


@extend_schema(
    operation_id="read_readiness",
    auth=[],
    parameters=[
        OpenApiParameter(
            "for",
            enum=[PAGES, EVERYTHING],
            default=PAGES,
            description="What must be well for a 200: what pages need, or every part.",
        )
    ],
    responses={200: ReadinessAnswer, 503: ReadinessAnswer},
)
@api_view(["GET"])
@authentication_classes([])
@permission_classes([])
def ready(request: Request) -> Response:
    """Tell how each part of the console is.

    503 only when pages cannot be answered: with `?for=everything` when any part is not well.
    """
    is_strict = _asked_for(request) == EVERYTHING
    found = ask_health()
    is_enough = found.is_well if is_strict else found.is_serving
    status = HTTPStatus.OK if is_enough else HTTPStatus.SERVICE_UNAVAILABLE
    return Response(_told(found), status=status)


def _asked_for(request: Request) -> str:
    wanted = request.query_params.get("for", PAGES)
    if wanted not in {PAGES, EVERYTHING}:
        raise InvalidOrder.of("for", f"use {PAGES} or {EVERYTHING}")
    return str(wanted)


def _told(found: Health) -> dict[str, object]:
    well = OK if found.is_well else DEGRADED
    return {
        "status": well if found.is_serving else NOT_READY,
        "parts": {
            part.name: {"state": part.state.value, "message": part.sentence} for part in found.parts
        },
    }

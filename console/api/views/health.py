"""Whether the console itself is well; needs no token and tells nothing else."""

from collections.abc import Callable, Mapping
from http import HTTPStatus

from django.core.cache import cache
from django.db import DatabaseError, connection
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import api_view, authentication_classes, permission_classes
from rest_framework.request import Request
from rest_framework.response import Response

from console.api.serializers.places import HealthAnswer, ReadinessAnswer

OK = "ok"


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
    responses={200: ReadinessAnswer, 503: ReadinessAnswer},
)
@api_view(["GET"])
@authentication_classes([])
@permission_classes([])
def ready(request: Request) -> Response:
    """Tell which of the parts that the console needs answer."""
    del request
    parts = {name: ask() for name, ask in _PARTS.items()}
    well = all(answer == OK for answer in parts.values())
    status = HTTPStatus.OK if well else HTTPStatus.SERVICE_UNAVAILABLE
    return Response({"status": OK if well else "not ready", "parts": parts}, status=status)


def _database() -> str:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return "the database does not answer"
    return OK


def _cache() -> str:
    try:
        cache.set("health", OK, timeout=10)
        answer = cache.get("health")
    except (OSError, ValueError):
        return "the cache does not answer"
    return OK if answer == OK else "the cache forgets what it is told"


_PARTS: Mapping[str, Callable[[], str]] = {"database": _database, "cache": _cache}

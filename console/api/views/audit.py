"""The audit trail, for admins."""

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import api_view, permission_classes
from rest_framework.request import Request
from rest_framework.response import Response

from console.api.documented import errors, paged
from console.api.pagination import answer_page
from console.api.people import person
from console.api.permissions import AdminOnly
from console.api.serializers.places import AuditEntryAnswer, AuditListAnswer
from console.filters import AuditFilter, narrowed
from deployments.access import audit_for


@extend_schema(
    operation_id="list_audit",
    parameters=[*(OpenApiParameter(name, str) for name in ("actor", "object", "action")), *paged()],
    responses={200: AuditListAnswer, **errors(400, 401, 403, 404)},
)
@api_view(["GET"])
@permission_classes([AdminOnly])
def audit(request: Request) -> Response:
    """List who did what, newest first."""
    rows = narrowed(AuditFilter, audit_for(person(request)), request.query_params, request)
    ordering = ("-at", "-id")
    return Response(
        answer_page("audit", rows, request, ordering=ordering, serializer=AuditEntryAnswer)
    )

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
from deployments.services.auditing import Outcome
from deployments.services.tracing import Source

_DAY = "A day, whole, or a moment: 2026-11-30 or 2026-11-30T18:00:00Z."
_FILTERS = (
    OpenApiParameter("actor", str, description="A user name; `system` for the console itself."),
    OpenApiParameter("object", str, description="The id of what it was done to."),
    OpenApiParameter("action", str, description="As in an answer: `deployment.delete`."),
    OpenApiParameter("outcome", str, enum=[one.value for one in Outcome]),
    OpenApiParameter("source", str, enum=[one.value for one in Source]),
    OpenApiParameter("operation_id", str, description="Both ends of one act."),
    OpenApiParameter("since", str, description=_DAY),
    OpenApiParameter("until", str, description=_DAY),
)


@extend_schema(
    operation_id="list_audit",
    parameters=[*_FILTERS, *paged()],
    responses={200: AuditListAnswer, **errors(400, 401, 403, 404)},
)
@api_view(["GET"])
@permission_classes([AdminOnly])
def audit(request: Request) -> Response:
    """List who did what, newest first.

    An act that asks a cluster has two entries with one operation id: `accepted`, and how it ended.
    """
    rows = narrowed(AuditFilter, audit_for(person(request)), request.query_params, request)
    ordering = ("-at", "-id")
    return Response(
        answer_page("audit", rows, request, ordering=ordering, serializer=AuditEntryAnswer)
    )

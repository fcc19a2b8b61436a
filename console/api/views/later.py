"""Addresses that are kept for what comes later; 501, to those who may see the object."""

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import api_view, permission_classes
from rest_framework.request import Request
from rest_framework.response import Response

from console.api.documented import errors
from console.api.people import person
from console.api.permissions import DeployerWrites
from console.api.views.deployments import not_there_yet
from deployments.access import get_visible_or_404


@extend_schema(
    operation_id="roll_back_deployment",
    request=OpenApiTypes.OBJECT,
    responses=errors(401, 403, 404, 501),
)
@api_view(["POST"])
@permission_classes([DeployerWrites])
def rollback(request: Request, id: str) -> Response:  # noqa: A002 - the API's name of it
    """Will bring an earlier revision back."""
    get_visible_or_404(person(request), id)
    return not_there_yet()

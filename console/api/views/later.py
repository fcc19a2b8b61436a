"""Addresses that are kept for what comes later; 501, to those who may see the object."""

from collections.abc import Callable

from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import api_view, permission_classes
from rest_framework.request import Request
from rest_framework.response import Response

from console.api.documented import errors
from console.api.people import person
from console.api.permissions import DeployerWrites, ReaderOnly
from console.api.views.deployments import not_there_yet
from deployments.access import get_visible_or_404

PARTS = ("metrics",)


def part_view(name: str) -> Callable[..., HttpResponseBase]:
    """Return the view that will read one part of a deployment."""

    @extend_schema(operation_id=f"read_deployment_{name}", responses=errors(401, 404, 501))
    @api_view(["GET"])
    @permission_classes([ReaderOnly])
    def part(request: Request, id: str) -> Response:  # noqa: A002 - the API's name of it
        get_visible_or_404(person(request), id)
        return not_there_yet()

    return part


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

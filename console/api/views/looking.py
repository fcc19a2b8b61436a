"""Looks into one deployment, live: its objects, and what the cluster said about them."""

from drf_spectacular.utils import extend_schema
from rest_framework.decorators import api_view, permission_classes
from rest_framework.request import Request
from rest_framework.response import Response

from console.api.documented import errors
from console.api.people import person
from console.api.permissions import ReaderOnly
from console.api.serializers.looking import EventsAnswer, ResourcesAnswer
from deployments.access import get_visible_or_404
from deployments.services.looking import look_at_events, look_at_resources

_ERRORS = errors(401, 404, 409, 422, 501, 503)


@extend_schema(
    operation_id="read_deployment_resources", responses={200: ResourcesAnswer, **_ERRORS}
)
@api_view(["GET"])
@permission_classes([ReaderOnly])
def resources(request: Request, id: str) -> Response:  # noqa: A002 - the API's name of it
    """Read every object of a deployment with its own state in words."""
    found = get_visible_or_404(person(request), id)
    return Response(ResourcesAnswer(look_at_resources(found)).data)


@extend_schema(operation_id="read_deployment_events", responses={200: EventsAnswer, **_ERRORS})
@api_view(["GET"])
@permission_classes([ReaderOnly])
def events(request: Request, id: str) -> Response:  # noqa: A002 - the API's name of it
    """Read what the cluster said about the objects of a deployment, newest first."""
    found = get_visible_or_404(person(request), id)
    return Response(EventsAnswer(look_at_events(found)).data)

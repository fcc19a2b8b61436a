"""The revisions of one deployment: what was wanted of it, its objects, and what differs."""

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import api_view, permission_classes
from rest_framework.request import Request
from rest_framework.response import Response

from console.api.documented import errors, paged
from console.api.manifests import AS, answer_manifests
from console.api.pagination import answer_page
from console.api.people import person
from console.api.permissions import ReaderOnly
from console.api.serializers.deployments import ManifestsAnswer
from console.api.serializers.revisions import (
    RevisionAnswer,
    RevisionDetailAnswer,
    RevisionDiffAnswer,
    RevisionListAnswer,
)
from console.whole_numbers import whole_number
from deployments.access import get_visible_or_404
from deployments.exceptions import InvalidOrder
from deployments.models import Deployment, Revision
from deployments.selectors import no_revision, revision_numbered
from deployments.services.comparing import compare_revisions


@extend_schema(
    operation_id="list_revisions",
    parameters=paged(),
    responses={200: RevisionListAnswer, **errors(400, 401, 404)},
)
@api_view(["GET"])
@permission_classes([ReaderOnly])
def revisions(request: Request, id: str) -> Response:  # noqa: A002 - the API's name of it
    """List what was wanted of a deployment, by whom and why, the latest first."""
    found = get_visible_or_404(person(request), id)
    rows = found.revisions.defer("manifests", "spec")
    return Response(
        answer_page("revisions", rows, request, ordering=("-number",), serializer=RevisionAnswer)
    )


@extend_schema(
    operation_id="read_revision",
    responses={200: RevisionDetailAnswer, **errors(401, 404)},
)
@api_view(["GET"])
@permission_classes([ReaderOnly])
def revision(request: Request, id: str, number: str) -> Response:  # noqa: A002 - the API's name
    """Read one revision: what was wanted, by whom and why, and what came of it."""
    _, found = _revision(request, id, number)
    return Response(RevisionDetailAnswer(found).data)


@extend_schema(
    operation_id="read_revision_manifests",
    parameters=[AS],
    responses={
        200: ManifestsAnswer,
        (200, "application/yaml"): OpenApiTypes.STR,
        **errors(400, 401, 404),
    },
)
@api_view(["GET"])
@permission_classes([ReaderOnly])
def revision_manifests(request: Request, id: str, number: str) -> HttpResponse:  # noqa: A002
    """Read the exact objects of one revision; as YAML, `kubectl apply` takes them unchanged."""
    return answer_manifests(request, *_revision(request, id, number))


@extend_schema(
    operation_id="compare_revisions",
    parameters=[
        OpenApiParameter("to", int, description="The current revision when left out."),
    ],
    responses={200: RevisionDiffAnswer, **errors(400, 401, 404)},
)
@api_view(["GET"])
@permission_classes([ReaderOnly])
def revision_diff(request: Request, id: str, number: str) -> Response:  # noqa: A002 - as above
    """Tell what differs between one revision and another, in words and in their objects."""
    deployment, before = _revision(request, id, number)
    to = whole_number(request.query_params.get("to", "") or str(deployment.revision))
    if to is None:
        raise InvalidOrder.of("to", "must be the number of a revision")
    after = revision_numbered(deployment, to)
    found = compare_revisions(before, after)
    answer = {
        "before": before.number,
        "after": after.number,
        "intent": found.words,
        "objects": found.objects,
    }
    return Response(RevisionDiffAnswer(answer).data)


def _revision(request: Request, key: str, number: str) -> tuple[Deployment, Revision]:
    deployment = get_visible_or_404(person(request), key)
    wanted = whole_number(number)
    if wanted is None:
        raise no_revision(deployment, number)
    return deployment, revision_numbered(deployment, wanted)

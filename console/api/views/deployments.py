"""Deployments: list and launch, preview, read, change and delete."""

from http import HTTPStatus
from typing import Any

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import api_view, permission_classes
from rest_framework.request import Request
from rest_framework.response import Response

from console.api.answers import answer_deployment, answer_preview, answer_snapshot
from console.api.bodies import object_of, refuse_unknown, text_of
from console.api.changing import change_once
from console.api.documented import change_errors, errors, searchable
from console.api.etags import IF_MATCH, tagged
from console.api.launching import launch_once, origin_of
from console.api.manifests import AS, answer_manifests
from console.api.once import IDEMPOTENCY
from console.api.pagination import Pages
from console.api.people import person
from console.api.permissions import DeployerWrites
from console.api.rows import COLUMNS, answer_rows
from console.api.serializers.changes import ChangeAnswer, ChangeBody
from console.api.serializers.deployments import (
    DeploymentAnswer,
    DeploymentListAnswer,
    LaunchBody,
    ManifestsAnswer,
    PreviewAnswer,
)
from console.filters import DeploymentFilter, narrowed
from deployments.access import deployments_for, get_visible_or_404
from deployments.selectors import current_revision
from deployments.services.deleting import delete_deployment
from deployments.services.launching import preview_launch
from deployments.services.orders import read_order
from deployments.services.reading import read_deployment

_FILTERS = ("status", "model_id", "cluster", "namespace", "implementation_kind", "created_by")


@extend_schema(
    methods=["GET"],
    operation_id="list_deployments",
    parameters=[*searchable(), *(OpenApiParameter(name, str) for name in _FILTERS)],
    responses={200: DeploymentListAnswer, **errors(400, 401, 404)},
)
@extend_schema(
    methods=["POST"],
    operation_id="create_deployment",
    parameters=[IDEMPOTENCY],
    request=LaunchBody,
    responses={201: DeploymentAnswer, **errors(400, 401, 403, 404, 409, 413, 422, 503)},
)
@api_view(["GET", "POST"])
@permission_classes([DeployerWrites])
def deployments(request: Request) -> Response:
    """List the open deployments, newest first, or launch one."""
    if request.method == "POST":
        return launch_once(request)
    rows = deployments_for(person(request))
    rows = rows.closed() if request.query_params.get("status") == "Deleted" else rows.open()
    found = narrowed(DeploymentFilter, rows, request.query_params, request)
    pages = Pages(("-created_at", "-id"))
    page = pages.page_of(found.values_list(*COLUMNS, named=True), request)
    return Response(pages.answer("deployments", answer_rows(page), count=found.count()))


@extend_schema(
    operation_id="preview_deployment",
    request=LaunchBody,
    responses={200: PreviewAnswer, **errors(400, 401, 403, 404, 409, 413)},
)
@api_view(["POST"])
@permission_classes([DeployerWrites])
def preview(request: Request) -> Response:
    """Tell exactly what a launch would create and whether it can run; nothing is stored."""
    order = read_order(object_of(request))
    return Response(answer_preview(preview_launch(order, user=person(request))))


@extend_schema(
    methods=["GET"],
    operation_id="read_deployment",
    responses={200: DeploymentAnswer, **errors(401, 404)},
)
@extend_schema(
    methods=["PATCH"],
    operation_id="update_deployment",
    parameters=[IF_MATCH, IDEMPOTENCY],
    request=ChangeBody,
    responses={200: ChangeAnswer, **change_errors(422)},
)
@extend_schema(
    methods=["DELETE"],
    operation_id="delete_deployment",
    responses={200: DeploymentAnswer, 202: DeploymentAnswer, **errors(400, 401, 403, 404, 413)},
)
@api_view(["GET", "PATCH", "DELETE"])
@permission_classes([DeployerWrites])
def deployment(request: Request, id: str) -> Response:  # noqa: A002 - the API's name of it
    """Read one deployment live, change it, or delete it."""
    found = get_visible_or_404(person(request), id)
    if request.method == "PATCH":
        return change_once(request, found)
    if request.method == "DELETE":
        return _delete(request, found)
    return tagged(Response(answer_deployment(read_deployment(found))))


@extend_schema(
    operation_id="read_manifests",
    parameters=[AS],
    responses={
        200: ManifestsAnswer,
        (200, "application/yaml"): OpenApiTypes.STR,
        **errors(400, 401, 404),
    },
)
@api_view(["GET"])
@permission_classes([DeployerWrites])
def manifests(request: Request, id: str) -> HttpResponse:  # noqa: A002 - the API's name of it
    """Read the exact objects of the current revision."""
    found = get_visible_or_404(person(request), id)
    return answer_manifests(request, found, current_revision(found))


def _delete(request: Request, found: Any) -> Response:
    body = object_of(request)
    refuse_unknown(body, ("reason",))
    deleted = delete_deployment(
        found, user=person(request), reason=text_of(body, "reason"), origin=origin_of(request)
    )
    status = HTTPStatus.OK if deleted.closed_at else HTTPStatus.ACCEPTED
    return Response(answer_snapshot(deleted), status=status)

"""Models of the catalogue and their registered versions."""

from http import HTTPStatus
from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import api_view, permission_classes
from rest_framework.request import Request
from rest_framework.response import Response

from console.api.bodies import object_of, without
from console.api.documented import errors, searchable
from console.api.pagination import answer_page
from console.api.people import person
from console.api.permissions import CuratorWrites
from console.api.serializers.catalogue import (
    ModelAnswer,
    ModelBody,
    ModelListAnswer,
    ModelVersionAnswer,
    ModelVersionBody,
    ModelVersionListAnswer,
)
from templates_app import selectors, services
from templates_app.entries import parse_model, parse_version

_READ_ONLY = ("created_at", "updated_at")


@extend_schema(
    methods=["GET"],
    operation_id="list_models",
    parameters=[*searchable(), OpenApiParameter("category", str)],
    responses={200: ModelListAnswer, **errors(400, 401, 404)},
)
@extend_schema(
    methods=["POST"],
    operation_id="create_model",
    request=ModelBody,
    responses={201: ModelAnswer, **errors(400, 401, 403, 404, 409, 413)},
)
@api_view(["GET", "POST"])
@permission_classes([CuratorWrites])
def models(request: Request) -> Response:
    """List the models, or add one."""
    if request.method == "POST":
        model = services.create_model(parse_model(object_of(request)), by=person(request))
        return Response(ModelAnswer(model).data, status=HTTPStatus.CREATED)
    found = selectors.models_for(
        search=request.query_params.get("search", ""),
        category=request.query_params.get("category", ""),
    )
    ordering = ("name_key", "id")
    return Response(
        answer_page("models", found, request, ordering=ordering, serializer=ModelAnswer)
    )


@extend_schema(
    methods=["GET"],
    operation_id="read_model",
    responses={200: ModelAnswer, **errors(401, 404)},
)
@extend_schema(
    methods=["PUT"],
    operation_id="replace_model",
    request=ModelBody,
    responses={200: ModelAnswer, **errors(400, 401, 403, 404, 409, 413)},
)
@extend_schema(
    methods=["DELETE"],
    operation_id="delete_model",
    responses={204: None, **errors(401, 403, 404, 409)},
)
@api_view(["GET", "PUT", "DELETE"])
@permission_classes([CuratorWrites])
def model(request: Request, id: str) -> Response:  # noqa: A002 - the API's name of it
    """Read, replace or delete one model."""
    found = selectors.find_model(id)
    if request.method == "DELETE":
        services.delete_model(found, by=person(request))
        return Response(status=HTTPStatus.NO_CONTENT)
    if request.method == "PUT":
        entry = parse_model(without(object_of(request), _READ_ONLY))
        found = services.update_model(found, entry, by=person(request))
    return Response(ModelAnswer(found).data)


@extend_schema(
    methods=["GET"],
    operation_id="list_model_versions",
    responses={200: ModelVersionListAnswer, **errors(401, 404)},
)
@extend_schema(
    methods=["POST"],
    operation_id="add_model_version",
    request=ModelVersionBody,
    responses={201: ModelVersionAnswer, **errors(400, 401, 403, 404, 409, 413)},
)
@api_view(["GET", "POST"])
@permission_classes([CuratorWrites])
def versions(request: Request, id: str) -> Response:  # noqa: A002 - the API's name of it
    """List the registered versions of a model, or add one."""
    found = selectors.find_model(id)
    if request.method == "POST":
        version = services.add_version(found, parse_version(object_of(request)), by=person(request))
        return Response(ModelVersionAnswer(version).data, status=HTTPStatus.CREATED)
    rows: list[Any] = list(found.versions.all())
    answer = {"versions": ModelVersionAnswer(rows, many=True).data, "count": len(rows)}
    return Response(answer)

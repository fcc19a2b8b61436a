"""Deployment templates of one model."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from django.db import transaction
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import api_view, permission_classes
from rest_framework.request import Request
from rest_framework.response import Response

from console.api.bodies import object_of, refuse_unknown, without
from console.api.documented import errors
from console.api.people import person
from console.api.permissions import CuratorWrites
from console.api.serializers.catalogue import TemplateAnswer, TemplateBody, TemplateListAnswer
from deployments.exceptions import InvalidOrder
from deployments.load_times import LoadTimes, load_times_of
from templates_app import selectors, services
from templates_app.entries import TemplateEntry, parse_template
from templates_app.models import ModelDeploymentTemplate

_READ_ONLY = ("id", "model_id", "warnings", "load_time", "created_at", "updated_at")
_WRITTEN = ("name", "version", "status", "spec")
Status = ModelDeploymentTemplate.Status
_STATUSES = Status.values


@extend_schema(
    methods=["GET"],
    operation_id="list_templates",
    parameters=[OpenApiParameter("status", str, enum=_STATUSES), OpenApiParameter("name", str)],
    responses={200: TemplateListAnswer, **errors(400, 401, 404)},
)
@extend_schema(
    methods=["POST"],
    operation_id="create_template",
    request=TemplateBody,
    responses={201: TemplateAnswer, **errors(400, 401, 403, 404, 409, 413)},
)
@api_view(["GET", "POST"])
@permission_classes([CuratorWrites])
def templates(request: Request, id: str) -> Response:  # noqa: A002 - the API's name of it
    """List the templates of a model, or add a draft (or an active one, by its status)."""
    model = selectors.find_model(id)
    if request.method == "POST":
        body = without(object_of(request), _READ_ONLY)
        entry, status = _entry_of(body), _status_of(body) or Status.DRAFT
        with transaction.atomic():  # a draft that may not become active is not kept
            draft = services.create_template(model, entry, by=person(request))
            created = services.move_template(draft, status=status, by=person(request))
        return Response(answer_template(created), status=HTTPStatus.CREATED)
    status, name = (request.query_params.get(key, "") for key in ("status", "name"))
    found = selectors.templates_of(model, status=status, name=name)
    times = load_times_of([row.pk for row in found])
    rows = [_answer(row, times.get(row.pk)) for row in found]
    return Response({"templates": rows, "count": len(rows), "next": "", "previous": ""})


@extend_schema(
    methods=["GET"],
    operation_id="read_template",
    responses={200: TemplateAnswer, **errors(401, 404)},
)
@extend_schema(
    methods=["PUT"],
    operation_id="replace_template",
    request=TemplateBody,
    responses={200: TemplateAnswer, **errors(400, 401, 403, 404, 409, 413)},
)
@extend_schema(
    methods=["DELETE"],
    operation_id="delete_template",
    responses={204: None, **errors(401, 403, 404, 409)},
)
@api_view(["GET", "PUT", "DELETE"])
@permission_classes([CuratorWrites])
def template(request: Request, id: str, template_id: str) -> Response:  # noqa: A002 - the API's name
    """Read, replace or delete one template."""
    found = selectors.find_template(id, template_id)
    if request.method == "DELETE":
        services.delete_template(found, by=person(request))
        return Response(status=HTTPStatus.NO_CONTENT)
    if request.method == "PUT":
        body = without(object_of(request), _READ_ONLY)
        status = _status_of(body) or found.status
        found = services.replace_template(found, _entry_of(body), status=status, by=person(request))
    return Response(answer_template(found))


@extend_schema(
    operation_id="read_template_by_name",
    parameters=[
        OpenApiParameter("version", str, description="The latest active one when left out.")
    ],
    responses={200: TemplateAnswer, **errors(401, 404)},
)
@api_view(["GET"])
@permission_classes([CuratorWrites])
def template_by_name(request: Request, id: str, name: str) -> Response:  # noqa: A002 - the API's name
    """Read one version of a template by its name."""
    model = selectors.find_model(id)
    version = request.query_params.get("version", "")
    found = selectors.find_template_by_name(model, name, version=version)
    return Response(answer_template(found))


def answer_template(template: ModelDeploymentTemplate) -> Mapping[str, Any]:
    """Return a template as the API answers it, with what its engine has to say."""
    return _answer(template, load_times_of([template.pk]).get(template.pk))


def _answer(template: ModelDeploymentTemplate, times: LoadTimes | None) -> Mapping[str, Any]:
    context = {
        "warnings": [notice.as_dict() for notice in services.warnings_of(template)],
        "load_time": {
            "starts": times.starts if times else 0,
            "low_seconds": times.low if times else None,
            "high_seconds": times.high if times else None,
        },
    }
    answer: Mapping[str, Any] = TemplateAnswer(template, context=context).data
    return answer


def _entry_of(body: Mapping[str, Any]) -> TemplateEntry:
    refuse_unknown(body, _WRITTEN)
    return parse_template(name=body.get("name"), version=body.get("version"), spec=body.get("spec"))


def _status_of(body: Mapping[str, Any]) -> str:
    status = body.get("status", "")
    if status not in {"", *_STATUSES}:
        raise InvalidOrder.of("status", f"must be one of {', '.join(_STATUSES)}")
    return str(status)

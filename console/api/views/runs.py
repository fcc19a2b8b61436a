"""Who runs a version of a template or an older one, and what moving it would change."""

from collections.abc import Iterator, Mapping
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.decorators import api_view, permission_classes
from rest_framework.request import Request
from rest_framework.response import Response

from console.api.documented import errors, paged
from console.api.pagination import Pages
from console.api.people import person
from console.api.permissions import ReaderOnly
from console.api.rows import COLUMNS, answer_rows
from console.api.serializers.revisions import IntentChangeAnswer
from console.api.serializers.runs import RunsAnswer, TemplateDiffAnswer
from deployments.access import get_visible_or_404
from deployments.runs import Runs, runs_of
from deployments.services.comparing import compare_templates
from deployments.services.upgrading import preview_template
from templates_app import selectors


@extend_schema(
    operation_id="list_runs",
    parameters=paged(),
    responses={200: RunsAnswer, **errors(400, 401, 404)},
)
@api_view(["GET"])
@permission_classes([ReaderOnly])
def runs(request: Request, id: str, template_id: str) -> Response:  # noqa: A002 - the API's name
    """List what runs a version of a template or an older one, and what moving it would change."""
    found = runs_of(selectors.find_template(id, template_id), person(request))
    pages = Pages(("-created_at", "-id"))
    page = pages.page_of(found.rows.order_by().values_list(*COLUMNS, named=True), request)
    answer = pages.answer("deployments", answer_rows(page), count=found.on_this + found.on_older)
    counts = {"on_this": found.on_this, "on_older": found.on_older}
    return Response({**answer, **counts, "older": list(_older(found))})


@extend_schema(
    operation_id="preview_template",
    responses={200: TemplateDiffAnswer, **errors(400, 401, 404, 409)},
)
@api_view(["GET"])
@permission_classes([ReaderOnly])
def template_diff(request: Request, id: str, template_id: str) -> Response:  # noqa: A002 - as above
    """Tell what another version of its template would change of a deployment; nothing is done."""
    deployment = get_visible_or_404(person(request), id)
    template = selectors.find_template(deployment.model_id, template_id)
    found = preview_template(deployment, template)
    answer = {
        "template_id": template.pk,
        "template_version": template.version,
        "intent": found.words,
        "objects": found.objects,
    }
    return Response(TemplateDiffAnswer(answer).data)


def _older(found: Runs) -> Iterator[Mapping[str, Any]]:
    for version, count in found.older_in_use():
        changes = compare_templates(version, found.versions[0])
        yield {
            "template_id": str(version.pk),
            "version": version.version,
            "count": count,
            "changes": None if changes is None else IntentChangeAnswer(changes, many=True).data,
        }

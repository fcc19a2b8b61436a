"""Changes of one deployment: what one would do, and the way back to an earlier revision."""

from drf_spectacular.utils import extend_schema
from rest_framework.decorators import api_view, permission_classes
from rest_framework.request import Request
from rest_framework.response import Response

from console.api.changing import (
    answer_change_preview,
    answer_rollback_preview,
    roll_back_once,
)
from console.api.documented import change_errors
from console.api.etags import IF_MATCH
from console.api.once import IDEMPOTENCY
from console.api.people import person
from console.api.permissions import DeployerWrites
from console.api.serializers.changes import (
    ChangeAnswer,
    ChangeBody,
    ChangePreviewAnswer,
    RollbackBody,
)
from deployments.access import get_visible_or_404


@extend_schema(
    operation_id="preview_change",
    parameters=[IF_MATCH],
    request=ChangeBody,
    responses={200: ChangePreviewAnswer, **change_errors()},
)
@api_view(["POST"])
@permission_classes([DeployerWrites])
def preview(request: Request, id: str) -> Response:  # noqa: A002 - the API's name of it
    """Tell exactly what a change would do to what runs; nothing is stored."""
    return answer_change_preview(request, get_visible_or_404(person(request), id))


@extend_schema(
    operation_id="roll_back_deployment",
    parameters=[IF_MATCH, IDEMPOTENCY],
    request=RollbackBody,
    responses={200: ChangeAnswer, **change_errors(422)},
)
@api_view(["POST"])
@permission_classes([DeployerWrites])
def rollback(request: Request, id: str) -> Response:  # noqa: A002 - the API's name of it
    """Make an earlier revision what runs, with the replicas and the rollout of today."""
    return roll_back_once(request, get_visible_or_404(person(request), id))


@extend_schema(
    operation_id="preview_rollback",
    parameters=[IF_MATCH],
    request=RollbackBody,
    responses={200: ChangePreviewAnswer, **change_errors()},
)
@api_view(["POST"])
@permission_classes([DeployerWrites])
def preview_rollback(request: Request, id: str) -> Response:  # noqa: A002 - the API's name of it
    """Tell exactly what a rollback would do to what runs; nothing is stored."""
    return answer_rollback_preview(request, get_visible_or_404(person(request), id))

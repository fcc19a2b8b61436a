"""What others changed on the objects of a deployment: told, put back, taken over."""

from http import HTTPStatus

from drf_spectacular.utils import extend_schema
from rest_framework.decorators import api_view, permission_classes
from rest_framework.request import Request
from rest_framework.response import Response

from console.api.answers import answer_snapshot
from console.api.bodies import object_of, refuse_unknown, text_of
from console.api.documented import errors
from console.api.people import person
from console.api.permissions import DeployerWrites, ReaderOnly
from console.api.serializers.deployments import DeploymentAnswer
from console.api.serializers.drift import DriftAnswer, DriftBody, PutBackAnswer
from deployments.access import get_visible_or_404
from deployments.exceptions import InvalidOrder
from deployments.services.drifting import drift_of
from deployments.services.restoring import put_back_drift
from deployments.services.taking_over import take_over_drift

_WRITES = errors(400, 401, 403, 404, 409, 413, 422, 501, 503)


@extend_schema(
    operation_id="read_deployment_drift",
    responses={200: DriftAnswer, **errors(401, 404, 409, 422, 501, 503)},
)
@api_view(["GET"])
@permission_classes([ReaderOnly])
def drift(request: Request, id: str) -> Response:  # noqa: A002 - the API's name of it
    """Compare what was applied with what is on the cluster now, and name who else writes there."""
    found = get_visible_or_404(person(request), id)
    return Response(DriftAnswer(drift_of(found)).data)


@extend_schema(
    operation_id="put_back_deployment_drift",
    request=DriftBody,
    responses={200: PutBackAnswer, 202: PutBackAnswer, **_WRITES},
)
@api_view(["POST"])
@permission_classes([DeployerWrites])
def put_back(request: Request, id: str) -> Response:  # noqa: A002 - the API's name of it
    """Write what was applied again wherever others changed it; 202 while the cluster is silent."""
    found = get_visible_or_404(person(request), id)
    digest, reason = _asked(request)
    restored = put_back_drift(found, user=person(request), digest=digest, reason=reason)
    status = HTTPStatus.OK if restored.done else HTTPStatus.ACCEPTED
    return Response(PutBackAnswer(restored).data, status=status)


@extend_schema(
    operation_id="take_over_deployment_drift",
    request=DriftBody,
    responses={200: DeploymentAnswer, **_WRITES},
)
@api_view(["POST"])
@permission_classes([DeployerWrites])
def take_over(request: Request, id: str) -> Response:  # noqa: A002 - the API's name of it
    """Make what others changed a part of what is wanted, where overrides say it: a new revision."""
    found = get_visible_or_404(person(request), id)
    digest, reason = _asked(request)
    changed = take_over_drift(found, user=person(request), digest=digest, reason=reason)
    return Response(answer_snapshot(changed.deployment))


def _asked(request: Request) -> tuple[str, str]:
    body = object_of(request)
    refuse_unknown(body, ("digest", "reason"))
    digest = text_of(body, "digest", most=64)
    if not digest:
        raise InvalidOrder.of("digest", "is required: send that of what you looked at")
    return digest, text_of(body, "reason")

"""How a deployment ends, or begins anew: a look ahead, forgetting it, applying it again."""

from drf_spectacular.utils import extend_schema
from rest_framework.decorators import api_view, permission_classes
from rest_framework.request import Request
from rest_framework.response import Response

from console.api.answers import answer_snapshot
from console.api.bodies import object_of, refuse_unknown, text_of
from console.api.documented import errors
from console.api.launching import origin_of
from console.api.people import person
from console.api.permissions import AdminOnly, DeployerWrites, ReaderOnly
from console.api.serializers.deployments import DeploymentAnswer
from console.api.serializers.ending import (
    DeletionAnswer,
    ForgettingBody,
    ReapplyingBody,
    StayingAnswer,
)
from console.api.serializers.orphans import ObjectAnswer
from deployments.access import get_visible_or_404
from deployments.services.foretelling import foretell_deletion
from deployments.services.forgetting import forget_deployment
from deployments.services.reapplying import reapply_deployment


@extend_schema(operation_id="preview_deletion", responses={200: DeletionAnswer, **errors(401, 404)})
@api_view(["GET"])
@permission_classes([ReaderOnly])
def deletion(request: Request, id: str) -> Response:  # noqa: A002 - the API's name of it
    """Tell exactly what deleting would remove now, and what it leaves; nothing is done."""
    told = foretell_deletion(get_visible_or_404(person(request), id))
    going = [
        {**ObjectAnswer(one.object).data, "finalizers": dict(one.finalizers)}
        for one in told.going.objects
    ]
    return Response(
        {
            "going": going,
            "staying": StayingAnswer(told.staying, many=True).data,
            "live": told.is_live,
            "cause": told.cause,
            "unreadable": dict(told.going.unreadable),
        }
    )


@extend_schema(
    operation_id="forget_deployment",
    request=ForgettingBody,
    responses={200: DeploymentAnswer, **errors(400, 401, 403, 404, 409, 413)},
)
@api_view(["POST"])
@permission_classes([AdminOnly])
def forget(request: Request, id: str) -> Response:  # noqa: A002 - the API's name of it
    """Close a record without its cluster, which is neither asked nor touched; for admins.

    Only one that is being deleted, whose objects were removed outside, whose cluster does not
    answer or is disabled, or whose implementation is not installed here; else 409
    `not_forgettable`.
    """
    found, body = get_visible_or_404(person(request), id), object_of(request)
    refuse_unknown(body, ("reason",))
    forgotten = forget_deployment(
        found, user=person(request), reason=text_of(body, "reason"), origin=origin_of(request)
    )
    return Response(answer_snapshot(forgotten))


@extend_schema(
    operation_id="reapply_deployment",
    request=ReapplyingBody,
    responses={200: DeploymentAnswer, **errors(400, 401, 403, 404, 409, 413, 422, 503)},
)
@api_view(["POST"])
@permission_classes([DeployerWrites])
def reapply(request: Request, id: str) -> Response:  # noqa: A002 - the API's name of it
    """Make anew what was removed outside: the revision that is wanted, unchanged.

    Where nothing was removed: 409 `not_removed`. To close the record instead, delete it.
    """
    found, body = get_visible_or_404(person(request), id), object_of(request)
    refuse_unknown(body, ("reason",))
    applied = reapply_deployment(
        found, user=person(request), reason=text_of(body, "reason"), origin=origin_of(request)
    )
    return Response(answer_snapshot(applied))

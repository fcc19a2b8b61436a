"""Objects of ours on a cluster that no record owns: list, remove, adopt. For admins."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.decorators import api_view, permission_classes
from rest_framework.request import Request
from rest_framework.response import Response

from console.api.answers import answer_snapshot
from console.api.bodies import object_of, refuse_unknown, text_of, texts_of
from console.api.documented import errors, paged
from console.api.launching import origin_of
from console.api.pagination import answer_page
from console.api.people import person
from console.api.permissions import AdminOnly
from console.api.serializers.deployments import DeploymentAnswer
from console.api.serializers.orphans import (
    AdoptionBody,
    ObjectAnswer,
    OrphanAnswer,
    OrphanListAnswer,
    RemovalAnswer,
    RemovalBody,
)
from deployments.access import get_visible_cluster
from deployments.exceptions import InvalidOrder
from deployments.models import Cluster, Orphan
from deployments.services.adopting import adopt_orphans
from deployments.services.orphan_groups import OrphanGroup, group_keys, orphan_groups
from deployments.services.reclaiming import Removal, remove_orphans


@extend_schema(
    operation_id="list_orphans",
    parameters=paged(),
    responses={200: OrphanListAnswer, **errors(400, 401, 403, 404)},
)
@api_view(["GET"])
@permission_classes([AdminOnly])
def orphans(request: Request, id: str) -> Response:  # noqa: A002 - the API's name of it
    """List the objects of ours that no open record owns, as the last full pass found them."""
    cluster = get_visible_cluster(person(request), id)
    rows = Orphan.objects.filter(cluster=cluster)
    ordering = ("namespace", "deployment_id", "id")
    page = answer_page("orphans", rows, request, ordering=ordering, serializer=OrphanAnswer)
    return Response({**page, "seen_at": cluster.last_pass_at})


@extend_schema(
    operation_id="remove_orphans",
    request=RemovalBody,
    responses={
        200: RemovalAnswer,
        202: RemovalAnswer,
        **errors(400, 401, 403, 404, 409, 413, 422, 503),
    },
)
@api_view(["POST"])
@permission_classes([AdminOnly])
def remove(request: Request, id: str) -> Response:  # noqa: A002 - the API's name of it
    """Delete exactly these objects from the cluster; 202 while it is still at it."""
    cluster, body = get_visible_cluster(person(request), id), object_of(request)
    refuse_unknown(body, ("uids", "reason"))
    removal = remove_orphans(
        cluster,
        texts_of(body, "uids"),
        user=person(request),
        reason=text_of(body, "reason"),
        origin=origin_of(request),
    )
    status = HTTPStatus.ACCEPTED if removal.waiting_for else HTTPStatus.OK
    return Response(_answer(removal), status=status)


@extend_schema(
    operation_id="adopt_orphans",
    request=AdoptionBody,
    responses={200: DeploymentAnswer, **errors(400, 401, 403, 404, 409, 413, 422, 503)},
)
@api_view(["POST"])
@permission_classes([AdminOnly])
def adopt(request: Request, id: str) -> Response:  # noqa: A002 - the API's name of it
    """Manage a deployment again that lost its record; nothing on the cluster is changed."""
    cluster, body = get_visible_cluster(person(request), id), object_of(request)
    names = ("deployment_id", "namespace", "implementation_kind", "name", "reason")
    refuse_unknown(body, names)
    deployment = adopt_orphans(
        _group(cluster, body),
        user=person(request),
        name=text_of(body, "name"),
        reason=text_of(body, "reason"),
        origin=origin_of(request),
    )
    return Response(answer_snapshot(deployment))


def _group(cluster: Cluster, body: Mapping[str, Any]) -> OrphanGroup:
    namespace, wanted = text_of(body, "namespace"), text_of(body, "implementation_kind")
    asked = (namespace, text_of(body, "deployment_id"))
    bearing = [key for key in group_keys(cluster) if (key.namespace, key.deployment_id) == asked]
    found = orphan_groups(cluster, [key for key in bearing if wanted in {"", key.implementation}])
    if not found:
        raise InvalidOrder.of(
            "deployment_id",
            f"no {wanted or 'object'} without a record bears it in the namespace "
            f"{namespace or '(none)'} of {cluster.name}; list those at "
            f"/api/v1/clusters/{cluster.name}/orphans",
        )
    if len(found) > 1:
        kinds = ", ".join(one.key.implementation for one in found)
        raise InvalidOrder.of("implementation_kind", f"is required: name one of {kinds}")
    return found[0]


def _answer(removal: Removal) -> Mapping[str, Any]:
    return {
        "removed": ObjectAnswer(removal.removed, many=True).data,
        "waiting_for": [
            {**ObjectAnswer(rest.object).data, "finalizers": list(rest.finalizers)}
            for rest in removal.waiting_for
        ],
    }
